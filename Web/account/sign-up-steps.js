// The steps after the number.
export { codeStep, codeTrouble, listenForCode } from "./sign-up-code.js";
export { passwordStep } from "./sign-up-password.js";
// One file with what everybody has by now.
import "./door.js";
