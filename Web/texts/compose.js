import { announce } from "../core/focus.js";
import { icon } from "../core/icons.js";
import { countryName, dateTime, money, t } from "../core/i18n.js";
import { outbox } from "../core/outbox.js";
import { back, go } from "../core/router.js";
import { Screen } from "../core/screen.js";
import { online, session } from "../core/session.js";
import { each, html } from "../core/view.js";
import "../core/later-icons.js";
import { country as countryBy, flag } from "../pure/countries.js";
import { format } from "../pure/format.js";
import { clean } from "../pure/numbers.js";
import { measure, without } from "../pure/segments.js";
import { chooseCountry } from "../shell/country-sheet.js";
import { toast } from "../shell/toast.js";
import { Form } from "./form.js";
import { counted, forcing, mostParts } from "./meter.js";
import { people, titleOf } from "./people.js";
import { side } from "./list.js";
import { wide } from "./wide.js";
import { keepNote } from "./notes.js";
import { begin } from "./store.js";
import "./later-style.js";

/** `/texts/new`: to whom, what, from whom and when. */
export class Compose extends Screen {
  #form = new Form(() => this.update());

  get heading() {
    return t("texts.new");
  }

  get frame() {
    return wide.value ? "texts split" : "texts";
  }

  start() {
    begin();
    for (const signal of [wide, online, session, people]) this.watch(signal);
    const { to = "", text = "" } = this.query;
    void this.#form.open({ region: session.value.account?.region || session.value.region, to, text });
  }

  stop() {
    this.#form.close();
  }

  // MARK: - What is done

  /** @param {string} selector */
  #focus(selector) {
    /** @type {HTMLElement | null} */ (this.querySelector(selector))?.focus();
  }

  #country = async () => {
    const code = await chooseCountry(this.#form.region);
    if (code) this.#form.setRegion(code);
    this.#focus("#to");
  };

  #contacts = async () => {
    const { chooseContact } = await import("./contact-sheet.js");
    const chosen = await chooseContact();
    if (chosen) this.#form.add([chosen]);
  };

  /**
   * A list of numbers, as it is pasted.
   * @param {ClipboardEvent} event
   */
  #pasted = (event) => {
    const text = event.clipboardData?.getData("text") ?? "";
    if (!/[\n,;\t]/.test(text.trim())) return;
    event.preventDefault();
    this.#form.paste(text);
    announce(t("texts.recipients", { n: this.#form.recipients.length }));
  };

  /** @param {KeyboardEvent} event */
  #numberKey = (event) => {
    if (event.isComposing || !(event.key === "Enter" || event.key === "," || event.key === ";")) return;
    event.preventDefault();
    this.#form.addTyped();
  };

  /** @param {string} number */
  #remove(number) {
    this.#form.remove(number);
    this.#focus("#to");
  }

  #plain = () => {
    this.#form.setText(without(this.#form.text));
    this.#focus("#msg");
  };

  /** @param {Event} event */
  #send = async (event) => {
    event.preventDefault();
    const form = this.#form;
    const wrong = form.check();
    if (wrong) {
      this.update();
      announce(form.errors[wrong] ?? "");
      queueMicrotask(() => this.#focus({ to: "#to", text: "#msg", when: "#when" }[wrong]));
      return;
    }
    const numbers = [...form.recipients];
    try {
      for (const number of numbers) {
        await outbox.add("message", number, form.bodyFor(number));
        // What the outbox has is not sent again when a later one can not be kept.
        form.remove(number);
      }
    } catch {
      form.errors.text = t("texts.notKept");
      return this.update();
    }
    await form.clear();
    if (numbers.length === 1) return go(`/texts/with/${encodeURIComponent(numbers[0])}`, { replace: true });
    toast(t(online.value ? "texts.sendingTo" : "texts.keptFor", { n: numbers.length }));
    return go("/texts", { replace: true });
  };

  // MARK: - Drawing

  view() {
    const form = this.#form;
    return html`${wide.value ? side() : null}<header class="bar"><div class="what"><h1>${t("texts.new")}</h1></div>
        <button type="button" class="tap text" @click=${() => back("/texts")}>${t("app.cancel")}</button></header>
      <main id="main"><form class="part loose" novalidate @submit=${this.#send}>
        ${this.#to()} ${this.#message()} ${this.#how()} ${this.#button()}
        ${form.isOffline ? html`<small>${t("texts.goesLater")}</small>` : null}</form></main>`;
  }

  #to() {
    const form = this.#form;
    const country = countryBy(form.region);
    const { errors } = form;
    return html`<div class="field"><span class="label" id="to-label">${t("texts.to")}</span>
      ${form.recipients.length > 0 ? html`<ul class="chips">${each(form.recipients, (number) => number, (number) => html`<li class="chip"><span dir="auto" class="cut">${titleOf(number)}</span>
        <button type="button" aria-label=${t("texts.removeOne", { who: titleOf(number) })} @click=${() => this.#remove(number)}>${icon("close", 18)}</button></li>`)}</ul>` : null}
      <div class="part">
        <button type="button" class="input" aria-label=${t("texts.country", { country: countryName(form.region), dial: `+${country?.dial ?? ""}` })} @click=${this.#country}>
          <span aria-hidden="true">${flag(form.region)}</span> <span class="what cut">${countryName(form.region)}</span> <span class="value">+${country?.dial ?? ""}</span> <span class="go">${icon("down", 20)}</span></button>
        <span class="input"><label class="hidden" for="to">${t("texts.number")}</label>
          <input id="to" type="tel" autocomplete="off" inputmode="tel" maxlength="60" aria-describedby="to-note" aria-invalid=${errors.to ? "true" : null}
            placeholder=${form.recipients.length > 0 ? t("texts.another") : t("texts.number")} .value=${form.typed} @input=${(/** @type {any} */ event) => form.setTyped(event.target.value)}
            @blur=${() => form.checkTyped()} @paste=${this.#pasted} @keydown=${this.#numberKey}>
          ${clean(form.typed, form.region).ok ? html`<button type="button" class="tap" aria-label=${t("texts.addAnother")} @click=${() => { form.addTyped(); this.#focus("#to"); }}>${icon("plus")}</button>` : null}
          <button type="button" class="tap" aria-label=${t("texts.fromContacts")} @click=${this.#contacts}>${icon("people")}</button></span></div>
      <small id="to-note">${errors.to ? html`<span class="danger">${errors.to}</span>` : form.understood && format(form.understood) !== form.typed.trim() ? format(form.understood) : ""}</small></div>`;
  }

  #message() {
    const form = this.#form;
    const size = measure(form.text);
    const price = form.price(size.parts);
    const { errors } = form;
    const isTooLong = size.parts > mostParts;
    const plain = size.encoding === "ucs2" ? without(form.text) : "";
    // Of a Chinese text nothing would be left.
    const canDrop = plain.trim().length * 2 > form.text.trim().length;
    return html`<div class="field"><label class="label" for="msg">${t("texts.message")}</label>
      <textarea id="msg" class="input" rows="5" dir="auto" autocapitalize="sentences" aria-describedby="parts why" aria-invalid=${errors.text || isTooLong ? "true" : null}
        .value=${form.text} @input=${(/** @type {any} */ event) => form.setText(event.target.value)}></textarea>
      <div id="parts" class="pair quiet"><span>${counted(size)}</span>${price ? html`<b>${money(price)}</b>` : null}</div>
      <small id="why">${errors.text ? html`<span class="danger">${errors.text}</span>` : isTooLong ? html`<span class="danger">${t("texts.tooLong", { n: mostParts })}</span>` : null}
        ${size.encoding !== "ucs2" ? null : canDrop
          ? html`${t("texts.unicodeFor")} <b dir="auto">${forcing(size)}</b>${t("texts.unicodeSize")} <button type="button" class="link" @click=${this.#plain}>${t("texts.without")}</button>`
          : t("texts.unicodeAll")}</small></div>`;
  }

  #how() {
    const form = this.#form;
    return html`<ul class="list">
      <li><label class="row"><span class="what">${t("texts.from")}</span><select class="value" @change=${(/** @type {any} */ event) => form.setFrom(event.target.value)}>
        <option value="" .selected=${form.from === ""}>${t("texts.anySender")}</option>
        ${form.senders.map((sender) => html`<option value=${sender} .selected=${form.from === sender}>${format(sender)}</option>`)}</select><span class="go">${icon("down", 20)}</span></label></li>
      <li><div class="row ctl"><span class="what" id="when-label">${t("texts.when")}</span><fieldset class="pick" aria-labelledby="when-label">
        ${[false, true].map((later) => html`<label><input type="radio" name="later" .checked=${form.isLater === later} @change=${() => form.setLater(later)}>${t(later ? "texts.later" : "texts.now")}</label>`)}</fieldset>
        ${form.isLater ? html`<span class="part then"><label class="hidden" for="when">${t("texts.at")}</label>
          <input id="when" class="input" type="datetime-local" min=${form.earliest} .value=${form.at} aria-describedby="when-note" aria-invalid=${form.errors.when ? "true" : null} @input=${(/** @type {any} */ event) => form.setAt(event.target.value)}>
          <small id="when-note">${form.errors.when ? html`<span class="danger">${form.errors.when}</span>` : form.instant ? t("texts.instant", { when: dateTime(form.instant), zone: Intl.DateTimeFormat().resolvedOptions().timeZone }) : t("texts.thisZone")}</small></span>` : null}</div></li>
    </ul>`;
  }

  #button() {
    const form = this.#form;
    if (session.value.gateway) {
      return html`<button class="btn main">${icon(form.isLater ? "later" : "send", 20)} ${t(form.isLater ? "texts.schedule" : "texts.send")}</button>`;
    }
    const numbers = form.all;
    return html`<section class="box"><p>${t("texts.noGateway")}</p>
      ${numbers.length > 0 && form.text.trim() ? html`<div class="btns">${numbers.map((number) => html`<a class="btn main" href=${`sms:${number}?&body=${encodeURIComponent(form.text.replace(/\p{Cs}/gu, ""))}`} @click=${() => void keepNote("out", number, form.text)}>${icon("share", 20)} ${numbers.length > 1 ? titleOf(number) : t("texts.ownPhone")}</a>`)}</div>` : html`<small>${t("texts.ownPhoneNeeds")}</small>`}
      <small>${t("texts.pasteAnswer")}</small></section>`;
  }
}

customElements.define("texts-compose", Compose);
