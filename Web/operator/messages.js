import { t } from "../core/i18n.js";
import { icon, lamp } from "../core/icons.js";
import { go } from "../core/router.js";
import { Screen } from "../core/screen.js";
import { html } from "../core/view.js";
import "./style.js";

/** Finds one message by an id that somebody read out of a log, a receipt or an answer. */
class Messages extends Screen {
  #written = "";
  #isEmpty = false;

  get frame() {
    return "me";
  }

  get heading() {
    return t("operator.find");
  }

  view() {
    return html`<header class="bar"><a class="tap back" href="/operator/carriers" aria-label=${t("app.back")}>${icon("back")}</a>
      <div class="what"><h1>${t("operator.find")}</h1></div></header>
    <main id="main"><form class="part loose" role="search" novalidate @submit=${(/** @type {Event} */ event) => this.#find(event)}>
      <div class="field"><label class="label" for="find-id">${t("operator.findID")}</label>
        <span class="input"><input id="find-id" type="text" autocomplete="off" autocapitalize="none" spellcheck="false" enterkeyhint="search" maxlength="200"
          .value=${this.#written} aria-invalid=${this.#isEmpty ? "true" : null} aria-describedby="find-note"
          @input=${(/** @type {Event} */ event) => this.#type(event)}></span>
        ${this.#isEmpty ? html`<small id="find-note" class="trouble danger" role="alert">${lamp("failed")} ${t("operator.findEmpty")}</small>` : html`<small id="find-note">${t("operator.findNote")}</small>`}</div>
      <div class="btns"><button type="submit" class="btn main">${icon("search", 20)} ${t("operator.findAction")}</button></div>
    </form></main>`;
  }

  /** @param {Event} event */
  #type(event) {
    this.#written = /** @type {HTMLInputElement} */ (event.target).value;
    if (this.#isEmpty) {
      this.#isEmpty = false;
      this.update();
    }
  }

  /** @param {Event} event */
  #find(event) {
    event.preventDefault();
    const id = this.#written.trim();
    if (id) return void go(`/operator/messages/${encodeURIComponent(id)}`);
    this.#isEmpty = true;
    this.update();
    /** @type {HTMLElement | null} */ (this.querySelector("#find-id"))?.focus();
  }
}

customElements.define("operator-messages", Messages);
