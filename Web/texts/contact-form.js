import { icon } from "../core/icons.js";
import { t } from "../core/i18n.js";
import { session } from "../core/session.js";
import { html, render } from "../core/view.js";
import "../core/later-icons.js";
import { format } from "../pure/format.js";
import { clean } from "../pure/numbers.js";
import { ask, opened } from "../shell/ask.js";
import { deleteContact, labelOf, saveContact } from "./address-book.js";
import "./later-style.js";

/** @typedef {import("./people.js").Contact} Contact */

const labels = ["mobile", "home", "work", "other"];
const mostNumbers = 20;

/**
 * Adds or changes a contact by hand.
 * @param {Contact} contact without an id it is a new one
 * @returns {Promise<"saved" | "deleted" | "">}
 */
export async function editContact(contact) {
  const isNew = contact.id === undefined;
  const region = session.value.account?.region || session.value.region;
  let name = contact.name;
  const numbers = contact.numbers.map(({ label, number }) => ({ label, number: format(number), wrong: "" }));
  if (numbers.length === 0) numbers.push({ label: "mobile", number: "", wrong: "" });
  let wrongName = "";
  const dialog = document.createElement("dialog");
  dialog.className = "sheet";
  dialog.setAttribute("aria-labelledby", "contact-title");

  const save = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const given = numbers.filter(({ number }) => number.trim());
    for (const row of numbers) row.wrong = "";
    for (const row of given) {
      const { ok, reason } = clean(row.number, region);
      if (!ok) row.wrong = t(`texts.wrong.${reason}`);
    }
    wrongName = name.trim() || given.length > 0 ? "" : t("texts.needsName");
    draw();
    const bad = wrongName ? "#contact-name" : given.some(({ wrong }) => wrong) ? `#contact-number-${numbers.findIndex(({ wrong }) => wrong)}` : "";
    if (bad) return /** @type {HTMLElement | null} */ (dialog.querySelector(bad))?.focus();
    const clear = given.map(({ label, number }) => ({ label, number: clean(number, region).e164 }));
    await saveContact({ ...contact, name: name.trim(), numbers: clear.filter(({ number }, at) => clear.findIndex((other) => other.number === number) === at) });
    dialog.close("saved");
  };
  const remove = async () => {
    const who = name || t("texts.noName");
    if (!(await ask({ title: t("texts.deleteContact"), text: t("texts.deleteText", { who }), action: t("app.delete"), isGrave: true }))) return;
    await deleteContact(contact);
    dialog.close("deleted");
  };
  const draw = () => render(html`<div class="bar"><div class="what"><h2 id="contact-title">${t(isNew ? "texts.newContact" : "texts.editContact")}</h2></div>
      <button type="button" class="tap" aria-label=${t("app.close")} @click=${() => dialog.close("")}>${icon("close")}</button></div>
    <form class="part loose" novalidate @submit=${save}>
      <div class="field"><label class="label" for="contact-name">${t("texts.name")}</label>
        <input id="contact-name" class="input" autocomplete="off" autocapitalize="words" maxlength="200" dir="auto" .value=${name} aria-describedby="contact-name-note" aria-invalid=${wrongName ? "true" : null}
          @input=${(/** @type {any} */ event) => { name = event.target.value; }}><small id="contact-name-note" class="danger">${wrongName}</small></div>
      ${numbers.map((row, at) => html`<div class="field"><label class="label" for=${`contact-number-${at}`}>${t("texts.number")}</label>
        <div class="numbered"><select class="input" aria-label=${t("texts.kind")} @change=${(/** @type {any} */ event) => { row.label = event.target.value; }}>
            ${[...new Set([...labels, row.label].filter(Boolean))].map((label) => html`<option value=${label} .selected=${label === row.label}>${labelOf(label)}</option>`)}</select>
          <input id=${`contact-number-${at}`} class="input" type="tel" inputmode="tel" autocomplete="off" maxlength="60" .value=${row.number} aria-describedby=${`contact-wrong-${at}`} aria-invalid=${row.wrong ? "true" : null}
            @input=${(/** @type {any} */ event) => { row.number = event.target.value; }}></div>
        <small id=${`contact-wrong-${at}`} class="danger">${row.wrong}</small></div>`)}
      ${numbers.length < mostNumbers ? html`<button type="button" class="link" @click=${() => { numbers.push({ label: "home", number: "", wrong: "" }); draw(); }}>${t("texts.addNumber")}</button>` : null}
      <div class="btns">${isNew ? null : html`<button type="button" class="btn" @click=${remove}>${icon("bin", 20)} ${t("app.delete")}</button>`}
        <button class="btn main">${t("app.save")}</button></div></form>`, dialog);
  draw();
  return /** @type {Promise<"saved" | "deleted" | "">} */ (opened(dialog));
}
