import core from "./core.zh.js";

export default { ...core };
