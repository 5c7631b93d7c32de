import { icon } from "../core/icons.js";
import { t } from "../core/i18n.js";
import { html, render } from "../core/view.js";
import "../core/later-icons.js";

/**
 * Asks before something that can not be taken back.
 * @param {{title: string, text: string, action: string, isGrave?: boolean}} question `action` is what the button says
 * @returns {Promise<boolean>} whether they agreed
 */
export function ask({ title, text, action, isGrave = false }) {
  const dialog = document.createElement("dialog");
  dialog.className = "sheet low";
  dialog.setAttribute("aria-labelledby", "ask-title");
  dialog.setAttribute("aria-describedby", "ask-text");
  const close = (/** @type {string} */ answer) => () => dialog.close(answer);
  render(html`<div class="bar"><div class="what"><h2 id="ask-title">${title}</h2></div>
      <button type="button" class="tap" aria-label=${t("app.close")} @click=${close("")}>${icon("close", 24)}</button></div>
    <p id="ask-text">${text}</p>
    <div class="btns"><button type="button" class="btn" autofocus @click=${close("")}>${t("app.cancel")}</button>
      <button type="button" class=${isGrave ? "btn stop" : "btn main"} @click=${close("yes")}>${action}</button></div>`, dialog);
  return opened(dialog).then((answer) => answer === "yes");
}

/**
 * Shows a dialog until it is closed, by its buttons, Escape, or a touch beside it.
 * @param {HTMLDialogElement} dialog
 * @returns {Promise<string>} what it was closed with; empty when it was left
 */
export function opened(dialog) {
  dialog.addEventListener("click", (event) => {
    if (event.target !== dialog) return;
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    const isInside = event.clientX >= left && event.clientX <= right && event.clientY >= top && event.clientY <= bottom;
    if (!isInside) dialog.close("");
  });
  document.body.append(dialog);
  dialog.showModal();
  // A way back within the app closes it too.
  const leave = () => dialog.close("");
  addEventListener("popstate", leave, { once: true });
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      removeEventListener("popstate", leave);
      dialog.remove();
      resolve(dialog.returnValue);
    }, { once: true });
  });
}
