import { Signal } from "../core/signal.js";

/** Whether the window has room for the list beside the conversation. */
export const wide = new Signal(false);
const query = matchMedia("(min-width: 900px)");
wide.value = query.matches;
query.addEventListener("change", () => { wide.value = query.matches; });
