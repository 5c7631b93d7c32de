import { api } from "../core/api.js";
import { countryName, money, t } from "../core/i18n.js";
import { icon, lamp } from "../core/icons.js";
import { go } from "../core/router.js";
import { session } from "../core/session.js";
import { html, render } from "../core/view.js";
import "../core/later-icons.js";
import { format } from "../pure/format.js";
import { clean } from "../pure/numbers.js";
import { opened } from "../shell/ask.js";
import { sentence } from "../shell/errors.js";

/** What the server sends; here only for its price. */
const text = "Test message from Switchboard";

/** @typedef {{to: string, country: string | null, price: {amount: string, currency: string} | null}} Agreed */

/**
 * Asks for a number, says what it costs, and sends a test text by one carrier and no other. Then shows what becomes
 * of it.
 * @param {string} carrier
 */
export async function sendTest(carrier) {
  const dialog = document.createElement("dialog");
  dialog.className = "sheet low";
  dialog.setAttribute("aria-labelledby", "test-title");
  const sheet = new TestSheet(carrier, dialog);
  sheet.draw();
  const id = await opened(dialog);
  if (id) void go(`/operator/messages/${encodeURIComponent(id)}`);
}

class TestSheet {
  #carrier;
  #dialog;
  #written = "";
  /** @type {Agreed | null} */
  #agreed = null;
  /** @type {string | null} */
  #error = null;
  #isBusy = false;
  // The same through all tries: a text that went although its answer was lost does not go again.
  #key = newKey();

  /** @param {string} carrier @param {HTMLDialogElement} dialog */
  constructor(carrier, dialog) {
    this.#carrier = carrier;
    this.#dialog = dialog;
  }

  draw() {
    const close = () => this.#dialog.close("");
    render(html`<div class="bar"><div class="what"><h2 id="test-title">${t("operator.testBy", { name: this.#carrier })}</h2></div>
        <button type="button" class="tap" aria-label=${t("app.close")} @click=${close}>${icon("close")}</button></div>
      ${this.#agreed ? this.#question(this.#agreed) : this.#form()}`, this.#dialog);
  }

  #form() {
    return html`<form class="part loose" novalidate @submit=${this.#on(() => this.#look())}>
      <div class="field"><label class="label" for="test-to">${t("operator.testTo")}</label>
        <span class="input"><input id="test-to" type="tel" inputmode="tel" autocomplete="tel" autofocus .value=${this.#written} ?disabled=${this.#isBusy}
          aria-invalid=${this.#error ? "true" : null} aria-describedby="test-note"
          @input=${(/** @type {Event} */ event) => this.#type(event)}></span>
        ${this.#below(t("operator.testNote", { text }))}</div>
      <div class="btns"><button type="submit" class="btn main" ?disabled=${this.#isBusy}>${this.#isBusy ? t("operator.testLooking") : t("operator.testNext")}</button></div>
    </form>`;
  }

  /** @param {Agreed} agreed */
  #question({ to, country, price }) {
    const cost = price ? t("operator.testSendFor", { price: money(price) }) : t("operator.testSend");
    return html`<form class="part loose" @submit=${this.#on(() => this.#send(to))}>
      <p id="test-ask">${country ? t("operator.testAskIn", { to: format(to), country: countryName(country) }) : t("operator.testAsk", { to: format(to) })} ${price ? "" : t("operator.testNoPrice")}</p>
      ${this.#below("")}
      <div class="btns"><button type="button" class="btn" ?disabled=${this.#isBusy} @click=${() => this.#back()}>${t("app.back")}</button>
        <button type="submit" class="btn main" id="test-send" aria-describedby="test-ask" ?disabled=${this.#isBusy}>${this.#isBusy ? t("operator.testSending") : cost}</button></div>
    </form>`;
  }

  /** @param {string} note */
  #below(note) {
    if (this.#error) return html`<small id="test-note" class="trouble danger" role="alert">${lamp("failed")} ${this.#error}</small>`;
    return note ? html`<small id="test-note">${note}</small>` : null;
  }

  /** @param {() => Promise<void>} body */
  #on(body) {
    return async (/** @type {Event} */ event) => {
      event.preventDefault();
      if (this.#isBusy) return;
      this.#isBusy = true;
      this.#error = null;
      this.draw();
      try {
        await body();
      } catch (error) {
        this.#error = sentence(error);
      }
      this.#isBusy = false;
      this.draw();
    };
  }

  async #look() {
    const cleaned = clean(this.#written, session.value.region);
    if (!cleaned.ok) {
      this.#error = t("operator.testNumber");
      this.#dialog.querySelector("input")?.focus();
      return;
    }
    const { price, to, error } = await api.post("/messages/preview", { text, to: cleaned.e164 });
    if (error) {
      this.#error = t("operator.testNumber");
      return;
    }
    this.#agreed = { to: cleaned.e164, country: to?.country ?? cleaned.country, price };
    requestAnimationFrame(() => /** @type {HTMLElement | null} */ (this.#dialog.querySelector("#test-send"))?.focus());
  }

  /** @param {string} to */
  async #send(to) {
    const message = await api.post(`/operator/carriers/${encodeURIComponent(this.#carrier)}/test`, { to }, { key: this.#key });
    this.#dialog.close(message.id);
  }

  /** @param {Event} event */
  #type(event) {
    this.#written = /** @type {HTMLInputElement} */ (event.target).value;
    if (!this.#error) return;
    this.#error = null;
    this.draw();
  }

  #back() {
    this.#agreed = null;
    this.#error = null;
    this.#key = newKey();
    this.draw();
    this.#dialog.querySelector("input")?.focus();
  }
}

const newKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
