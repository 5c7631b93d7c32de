import { announce } from "../core/focus.js";
import { icon } from "../core/icons.js";
import { t } from "../core/i18n.js";
import { go } from "../core/router.js";
import { Screen } from "../core/screen.js";
import { each, html } from "../core/view.js";
import "../core/later-icons.js";
import { format } from "../pure/format.js";
import { display } from "../pure/text.js";
import { empty } from "../shell/states.js";
import { hasPicker, importFiles, importPicked } from "./address-book.js";
import { editContact } from "./contact-form.js";
import { face, loadPeople, people } from "./people.js";
// One file with what everybody has by now.
import "./list.js";
import "./later-style.js";

/** @typedef {import("./people.js").Contact} Contact */

const page = 200;

/** `/contacts`: the person's own list, on this phone alone. */
export class Contacts extends Screen {
  #words = "";
  #shown = page;
  /**
   * What came of the last import.
   * @type {string[]}
   */
  #lines = [];

  get heading() {
    return t("texts.contacts");
  }

  get frame() {
    return "texts";
  }

  start() {
    this.watch(people);
    void loadPeople();
    if (this.query.number) {
      const { number } = this.query;
      void this.#edit({ name: "", numbers: [{ label: "mobile", number }] }).then(() => go("/contacts", { replace: true }));
    }
  }

  /** @param {Contact} contact */
  async #edit(contact) {
    const what = await editContact(contact);
    if (what) announce(t(what === "saved" ? "texts.contactSaved" : "texts.contactDeleted"));
  }

  /** @param {Contact} contact */
  async #choose(contact) {
    const { chooseContact } = await import("./contact-sheet.js");
    const number = await chooseContact(contact);
    if (number) await go(`/texts/with/${encodeURIComponent(number)}`);
  }

  /** @param {Promise<string[]>} lines */
  async #take(lines) {
    try {
      this.#lines = await lines;
    } catch {
      this.#lines = [t("texts.notPicked")];
    }
    this.update();
  }

  /** @param {Event} event */
  #files = async (event) => {
    const field = /** @type {HTMLInputElement} */ (event.target);
    await this.#take(importFiles([...(field.files ?? [])]));
    field.value = "";
  };

  view() {
    const all = people.value;
    return html`<header class="bar"><div class="what"><h1>${t("texts.contacts")}</h1><small>${t("texts.keptHere")}</small></div>
        <button type="button" class="tap" aria-label=${t("texts.newContact")} @click=${() => void this.#edit({ name: "", numbers: [] })}>${icon("plus")}</button></header>
      <main id="main">${all.length > 0 ? this.#list(all) : html`<section class="part blank">${empty({ title: t("texts.noContacts"), text: t("texts.noContactsYet"), action: { label: t("texts.newContact"), icon: "plus", press: () => void this.#edit({ name: "", numbers: [] }) } })}</section>`}
        ${this.#lines.length > 0 ? html`<section class="box" role="status">${this.#lines.map((line) => html`<p>${line}</p>`)}</section>` : null}
        <section class="part"><h2>${t("texts.bring")}</h2><div class="box">
          ${hasPicker ? html`<button type="button" class="btn" @click=${() => void this.#take(importPicked())}>${icon("people", 20)} ${t("texts.pick")}</button>` : null}
          <label class="btn file">${icon("load", 20)} ${t("texts.fromFile")}<input class="hidden" type="file" accept=".vcf,text/vcard,text/x-vcard" multiple @change=${this.#files}></label>
          <small>${t("texts.fromFileHint")}</small></div></section></main>`;
  }

  /** @param {Contact[]} all */
  #list(all) {
    const wanted = this.#words.toLowerCase().trim();
    const digits = wanted.replace(/[\s().-]/g, "");
    const found = wanted
      ? all.filter(({ name, numbers }) => name.toLowerCase().includes(wanted) || (digits.length > 1 && numbers.some(({ number }) => number.includes(digits))))
      : all;
    return html`<label class="input find"><span class="go">${icon("search", 20)}</span><span class="hidden">${t("texts.searchContacts")}</span>
        <input type="search" placeholder=${t("texts.searchContacts")} autocomplete="off" @input=${(/** @type {any} */ event) => { this.#words = event.target.value; this.#shown = page; this.update(); }}></label>
      ${found.length > 0
        ? html`<ul class="list faces">${each(found.slice(0, this.#shown), ({ id }) => id, (contact) => this.#row(contact))}</ul>`
        : html`<p class="quiet" role="status">${t("texts.noContactFound")}</p>`}
      ${found.length > this.#shown ? html`<button type="button" class="btn" @click=${() => { this.#shown += page; this.update(); }}>${t("texts.more")}</button>` : null}`;
  }

  /** @param {Contact} contact */
  #row(contact) {
    const { name, numbers } = contact;
    const [first] = numbers;
    const title = display(name || (first ? format(first.number) : t("texts.noName")));
    const note = numbers.length === 0 ? t("texts.noNumber") : numbers.map(({ number }) => format(number)).join(", ");
    return html`<li class="person"><button type="button" class="row" @click=${() => void this.#edit(contact)}>${face(first?.number ?? name, name || null)}
      <span class="what"><span class="name cut" dir="auto">${title}</span><span class="note cut">${note}</span></span></button>
      ${numbers.length === 1 ? html`<a class="tap" href=${`/texts/with/${encodeURIComponent(first.number)}`} aria-label=${t("texts.textTo", { who: title })}>${icon("texts")}</a>` : null}
      ${numbers.length > 1 ? html`<button type="button" class="tap" aria-label=${t("texts.textTo", { who: title })} @click=${() => void this.#choose(contact)}>${icon("texts")}</button>` : null}</li>`;
  }
}

customElements.define("texts-contacts", Contacts);
