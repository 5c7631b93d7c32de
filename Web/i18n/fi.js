import core from "./core.fi.js";

export default { ...core };
