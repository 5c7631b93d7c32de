import { icon } from "../core/icons.js";
import { t } from "../core/i18n.js";
import { each, html, render } from "../core/view.js";
import "../core/later-icons.js";
import { format } from "../pure/format.js";
import { display } from "../pure/text.js";
import { opened } from "../shell/ask.js";
import { hasPicker, importPicked, labelOf } from "./address-book.js";
import { face, loadPeople, people } from "./people.js";
import "./later-style.js";

/**
 * Shows the contacts until one of their numbers is chosen.
 * @param {import("./people.js").Contact} [only] one of several numbers of this one
 * @returns {Promise<string>} the number, in E.164; "" where none was chosen
 */
export async function chooseContact(only) {
  await loadPeople();
  const dialog = document.createElement("dialog");
  dialog.className = "sheet";
  dialog.setAttribute("aria-labelledby", "contacts-title");
  let words = "";
  let note = "";
  const draw = () => {
    const wanted = words.toLowerCase().trim();
    const digits = wanted.replace(/[\s().-]/g, "");
    const found = people.value.filter(({ name, numbers }) =>
      name.toLowerCase().includes(wanted) || (digits.length > 1 && numbers.some(({ number }) => number.includes(digits))));
    if (only) return render(html`${bar(dialog, display(only.name || t("texts.chooseNumber")))}<ul class="list faces">${person(only, dialog)}</ul>`, dialog);
    render(html`${bar(dialog, t("texts.contacts"))}
      <label class="input find"><span class="go">${icon("search", 20)}</span><span class="hidden">${t("texts.searchContacts")}</span>
        <input type="search" autofocus placeholder=${t("texts.searchContacts")} autocomplete="off" @input=${(/** @type {any} */ event) => { words = event.target.value; draw(); }}></label>
      ${hasPicker ? html`<button type="button" class="btn" @click=${pick}>${icon("people", 20)} ${t("texts.pick")}</button>` : null}
      ${note ? html`<p class="quiet" role="status">${note}</p>` : null}
      ${found.length > 0
        ? html`<ul class="list faces">${each(found.slice(0, 200), ({ id }) => id, (contact) => person(contact, dialog))}</ul>`
        : html`<p class="quiet">${people.value.length > 0 ? t("texts.noContactFound") : t("texts.noContacts")} ${people.value.length > 0 ? null : html`<a class="link" href="/contacts" @click=${() => dialog.close("")}>${t("texts.toContacts")}</a>`}</p>`}`, dialog);
  };
  const pick = async () => {
    try {
      note = (await importPicked()).join(" ");
    } catch {
      note = t("texts.notPicked");
    }
    draw();
  };
  draw();
  return opened(dialog);
}

/**
 * @param {HTMLDialogElement} dialog
 * @param {string} title
 */
const bar = (dialog, title) => html`<div class="bar"><div class="what"><h2 id="contacts-title" dir="auto">${title}</h2></div>
  <button type="button" class="tap" aria-label=${t("app.close")} @click=${() => dialog.close("")}>${icon("close")}</button></div>`;

/**
 * One number is chosen by the name; of several each has a row; without one it says so.
 * @param {import("./people.js").Contact} contact
 * @param {HTMLDialogElement} dialog
 */
function person({ name, numbers }, dialog) {
  const title = display(name || t("texts.noName"));
  if (numbers.length === 0) {
    return html`<li><span class="row">${face(name, name)}<span class="what"><span class="name cut" dir="auto">${title}</span><span class="note">${t("texts.noNumber")}</span></span></span></li>`;
  }
  return html`${numbers.map(({ label, number }, at) => html`<li><button type="button" class="row" @click=${() => dialog.close(number)}>${face(number, name || null)}
    <span class="what"><span class=${at > 0 ? "cut" : "name cut"} dir="auto">${title}</span><span class="note cut">${format(number)}${label ? ` · ${display(labelOf(label))}` : ""}</span></span></button></li>`)}`;
}
