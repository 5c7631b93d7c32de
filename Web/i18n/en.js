import core from "./core.en.js";
import shell from "./shell.en.js";

export default { ...core, ...shell };
