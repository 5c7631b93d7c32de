import core from "./core.en.js";

export default { ...core };
