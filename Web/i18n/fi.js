import core from "./core.fi.js";
import shell from "./shell.fi.js";

export default { ...core, ...shell };
