import { lamp } from "../core/icons.js";
import { Signal } from "../core/signal.js";
import { html } from "../core/view.js";

/** @typedef {import("../core/view.js").Template} Template */
/** @typedef {{text: string, mark?: string, label?: string, press?: () => void}} Toast */

/** What is said at the foot of the screen now. */
export const toasted = new Signal(/** @type {Toast | null} */ (null));

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/**
 * Says that something was done, for a while, with a way to take it back. A newer one takes its place.
 * @param {string} text
 * @param {{mark?: string, label?: string, press?: () => void}} [undo] `mark` is the lamp before it: `done`, `failed`
 */
export function toast(text, undo = {}) {
  clearTimeout(timer);
  toasted.value = { text, ...undo };
  // What can be undone stays long enough to be read, found and pressed.
  timer = setTimeout(closeToast, undo.press ? 10_000 : 5000);
}

/** Takes it away. */
export function closeToast() {
  clearTimeout(timer);
  toasted.value = null;
}

/**
 * @param {Toast | null} toast
 * @returns {Template} the place is always there, or it would not be read out
 */
export const toastView = (toast) => html`<div class="toasts" role="status">${toast ? html`<div class="list toast">
  <span class="${toast.mark === "failed" ? "danger" : "ok"}">${lamp(toast.mark ?? "done")}</span><span class="what">${toast.text}</span>
  ${toast.press ? html`<button type="button" class="tap text" @click=${() => { toast.press?.(); if (toasted.value === toast) closeToast(); }}>${toast.label}</button>` : null}
</div>` : null}</div>`;
