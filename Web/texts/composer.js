import { announce } from "../core/focus.js";
import { icon } from "../core/icons.js";
import { t } from "../core/i18n.js";
import { outbox } from "../core/outbox.js";
import { Part } from "../core/part.js";
import { online, session } from "../core/session.js";
import { html } from "../core/view.js";
import "../core/later-icons.js";
import { measure, without } from "../pure/segments.js";
import { draftOf, keepDraft, writeDrafts } from "./draft-keeping.js";
import { drafts } from "./drafts.js";
import { askPrice, countLine, forcing, mostParts, priceOf } from "./meter.js";
import { keepNote } from "./notes.js";
import "./later-style.js";

/** @typedef {{peer: string, from?: string | null, sent?: () => void}} Model `from`: the sender of the texts before */

/** The field at the foot of a conversation. What is in it is kept as a draft until the outbox has it. */
class Composer extends Part {
  /** @type {Model} */
  #model = { peer: "" };
  #text = "";
  #error = "";
  #isBusy = false;
  #isTyped = false;

  get model() {
    return this.#model;
  }

  set model(model) {
    const isOther = model.peer !== this.#model.peer;
    if (isOther) writeDrafts();
    this.#model = model;
    if (isOther) {
      this.#text = draftOf(model.peer);
      this.#isTyped = false;
      this.#error = "";
      this.update();
    }
  }

  start() {
    for (const signal of [online, session]) this.watch(signal);
    // A draft may be read from the phone after this is drawn.
    this.until(drafts.subscribe(() => {
      if (this.#isTyped || this.#text) return;
      this.#text = draftOf(this.#model.peer);
      this.update();
    }));
    const viewport = window.visualViewport;
    if (!viewport) return;
    // The keyboard covers the page's foot without making the page shorter: the field goes above it.
    const place = () => {
      const covered = Math.max(0, Math.round(innerHeight - viewport.height - viewport.offsetTop));
      document.documentElement.style.setProperty("--keyboard", viewport.scale > 1.01 ? "0px" : `${covered}px`);
    };
    for (const type of ["resize", "scroll"]) viewport.addEventListener(type, place);
    this.until(() => {
      for (const type of ["resize", "scroll"]) viewport.removeEventListener(type, place);
      document.documentElement.style.removeProperty("--keyboard");
    });
  }

  stop() {
    writeDrafts();
  }

  /**
   * Puts a text that was taken back into the field.
   * @param {string} text
   */
  put(text) {
    this.#text = this.#text.trim() ? `${text}\n${this.#text}` : text;
    this.#isTyped = true;
    keepDraft(this.#model.peer, this.#text);
    this.update();
    this.querySelector("textarea")?.focus();
  }

  /** @param {Event} event */
  #typed = (event) => {
    this.#text = /** @type {HTMLTextAreaElement} */ (event.target).value;
    this.#isTyped = true;
    this.#error = "";
    keepDraft(this.#model.peer, this.#text);
    void askPrice(this.#model.peer).then((isNew) => isNew && this.update());
    this.update();
  };

  /**
   * Enter sends where there is a keyboard; on a phone it is a new line.
   * @param {KeyboardEvent} event
   */
  #pressed = (event) => {
    if (event.key !== "Enter" || event.isComposing || event.shiftKey) return;
    if (!event.ctrlKey && !event.metaKey && !matchMedia("(hover: hover) and (pointer: fine)").matches) return;
    event.preventDefault();
    void this.#send();
  };

  /** @param {Event} [event] */
  #send = async (event) => {
    event?.preventDefault();
    const text = this.#text;
    const field = this.querySelector("textarea");
    if (this.#isBusy) return;
    if (!text.trim()) return field?.focus();
    if (measure(text).parts > mostParts) return this.#refuse(t("texts.tooLong", { n: mostParts }));
    this.#isBusy = true;
    const { peer, from, sent } = this.#model;
    try {
      await outbox.add("message", peer, from ? { to: peer, text, from } : { to: peer, text });
    } catch {
      return this.#refuse(t("texts.notKept"));
    } finally {
      this.#isBusy = false;
    }
    if (this.#text === text) this.#text = "";
    keepDraft(peer, this.#text);
    writeDrafts();
    announce(online.value ? t("texts.state.sending") : t("texts.kept"));
    this.update();
    sent?.();
    field?.focus();
  };

  /** @param {string} sentence */
  #refuse(sentence) {
    this.#error = sentence;
    announce(sentence);
    this.update();
    this.querySelector("textarea")?.focus();
  }

  #plain = () => {
    this.#text = without(this.#text);
    keepDraft(this.#model.peer, this.#text);
    this.update();
    this.querySelector("textarea")?.focus();
  };

  /**
   * What the phone's own app sends, or what somebody answered there.
   * @param {"in" | "out"} kind
   */
  #note(kind) {
    const text = this.#text;
    if (!text.trim()) return;
    void keepNote(kind, this.#model.peer, text);
    this.#text = "";
    keepDraft(this.#model.peer, "");
    this.#model.sent?.();
    this.update();
  }

  view() {
    const text = this.#text;
    const { peer } = this.#model;
    const size = measure(text);
    const lines = Math.min(6, text.split("\n").length + Math.floor(text.length / 36));
    const hasGateway = session.value.gateway;
    return html`<form class="dock" aria-label=${t("texts.new")} @submit=${this.#send}>
      <div class="head"><textarea class="input what" rows=${lines} placeholder=${t("texts.field")} aria-label=${t("texts.message")}
          aria-describedby="count" aria-invalid=${this.#error ? "true" : null} enterkeyhint="enter" autocapitalize="sentences" dir="auto"
          .value=${text} @input=${this.#typed} @keydown=${this.#pressed}></textarea>
        ${hasGateway
          ? html`<button class="tap main" aria-label=${t("texts.send")}>${icon("send")}</button>`
          : html`<a class="tap main" href=${`sms:${peer}?&body=${encodeURIComponent(text.replace(/\p{Cs}/gu, ""))}`} aria-label=${t("texts.ownPhone")} @click=${() => setTimeout(() => this.#note("out"))}>${icon("share")}</a>`}</div>
      <small id="count" class="count">${this.#error
        ? html`<span class="danger">${this.#error}</span>`
        : size.parts > mostParts ? html`<span class="danger">${t("texts.tooLong", { n: mostParts })}</span>` : countLine(size, text ? priceOf(peer, size.parts) : null)}${size.encoding === "ucs2"
        ? html` · ${t("texts.unicodeBecause", { characters: forcing(size) })} <button type="button" class="link" @click=${this.#plain}>${t("texts.plain")}</button>` : null}${hasGateway ? null : html`<br>${t("texts.noGateway")} ${text.trim() ? html`<button type="button" class="link" @click=${() => this.#note("in")}>${t("texts.keepAnswer")}</button>` : t("texts.pasteAnswer")}`}</small>
    </form>`;
  }
}

customElements.define("texts-composer", Composer);
