import core from "./core.zh.js";
import shell from "./shell.zh.js";

export default { ...core, ...shell };
