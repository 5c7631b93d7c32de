import { t } from "../core/i18n.js";
import { icon } from "../core/icons.js";
import { html, render } from "../core/view.js";
import "../core/later-icons.js";
import { titleOf } from "../texts/people.js";
import { opened } from "./ask.js";

/**
 * Lets a text that waits be changed.
 * @param {import("../core/outbox.js").Entry} entry
 * @returns {Promise<string | null>} null when nothing is to be changed
 */
export async function editText(entry) {
  const dialog = document.createElement("dialog");
  dialog.className = "sheet low";
  dialog.setAttribute("aria-labelledby", "edit-title");
  const field = () => /** @type {HTMLTextAreaElement} */ (dialog.querySelector("textarea"));
  const keep = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (field().value.trim()) dialog.close("keep");
    else field().focus();
  };
  render(html`<div class="bar"><div class="what"><h2 id="edit-title">${t("outbox.editTitle")}</h2><small>${t("outbox.to", { to: titleOf(entry.to) })}</small></div>
      <button type="button" class="tap" aria-label=${t("app.close")} @click=${() => dialog.close("")}>${icon("close", 24)}</button></div>
    <form class="part loose" @submit=${keep}>
      <div class="field"><label class="label" for="edit-text">${t("outbox.message")}</label>
        <textarea id="edit-text" class="input" rows="5" required autofocus .value=${entry.body.text}></textarea></div>
      <div class="btns"><button type="button" class="btn" @click=${() => dialog.close("")}>${t("app.cancel")}</button><button class="btn main">${t("outbox.save")}</button></div>
    </form>`, dialog);
  return (await opened(dialog)) === "keep" ? field().value : null;
}
