import { ApiError } from "../core/api.js";
import { events } from "../core/events.js";
import { countryName, dateTime, day, language, money, number, precise, t } from "../core/i18n.js";
import { icon, lamp } from "../core/icons.js";
import { Screen } from "../core/screen.js";
import { each, html } from "../core/view.js";
import "../core/later-icons.js";
import { countryOf } from "../pure/countries.js";
import { format } from "../pure/format.js";
import { display } from "../pure/text.js";
import { failure, loading } from "../shell/states.js";
import { toast } from "../shell/toast.js";
import { Cached } from "./cached.js";
import { isFinal, markOf, stateWord, told } from "./steps.js";
import "./style.js";

/** @typedef {import("./steps.js").Step} Step */
/**
 * @typedef {{id: string, to: string, from: string | null, text: string | null, textHidden: boolean, class: string,
 *   state: string, encoding: string | null, parts: number, price: {amount: string, currency: string} | null,
 *   carrier: string | null, reference: string | null, createdAt: string, updatedAt: string, notBefore: string | null,
 *   expiresAt: string, error: {code: string, message: string | null} | null, timeline: Step[]}} Shown
 */

/** One message of whomever, by its id or a carrier's: what became of it, and never what somebody else wrote. */
class Message extends Screen {
  /** @type {Cached<Shown> | null} */
  #message = null;

  get frame() {
    return "me wide";
  }

  get heading() {
    return t("operator.message");
  }

  start() {
    this.#look();
    this.until(events.on("message.*", ({ data }) => {
      const known = this.#message?.value;
      if (!known || data?.id === known.id) void this.#message?.load();
    }));
    this.until(events.on("resync", () => void this.#message?.load()));
  }

  stop() {
    this.#message?.stop();
  }

  moved() {
    this.#look();
    this.update();
  }

  #look() {
    this.#message?.stop();
    // Not kept on the phone: its text may be in it.
    this.#message = new Cached(`/operator/messages/${encodeURIComponent(this.params.id)}`, () => this.update(), {
      isKept: false,
      mayChange: ({ state }) => !isFinal(state),
    });
    this.#message.start();
  }

  view() {
    const message = this.#message?.value ?? null;
    const error = this.#message?.error ?? null;
    const canCopy = message && navigator.clipboard;
    return html`<header class="bar"><a class="tap back" href="/operator/messages" aria-label=${t("app.back")}>${icon("back")}</a>
      <div class="what"><h1>${t("operator.message")}</h1><small class="cut">${display(message?.id ?? this.params.id)}</small></div>
      ${canCopy ? html`<button type="button" class="tap" aria-label=${t("operator.copy")} @click=${() => this.#copy(message)}>${icon("share")}</button>` : null}</header>
    <main id="main" aria-busy=${message || error ? null : "true"}>
      ${error ? this.#trouble(error, message !== null) : null}
      ${!message && !error ? loading({ rows: 4, cancel: () => history.back() }) : null}
      ${message ? html`<div class="deck">${this.#summary(message)}${this.#record(message)}</div>${this.#details(message)}` : null}
    </main>`;
  }

  /** @param {unknown} error @param {boolean} isOld */
  #trouble(error, isOld) {
    const retry = { label: t("app.retry"), press: () => void this.#message?.load() };
    if (error instanceof ApiError && error.status === 404) {
      return failure({ error, title: t("operator.noMessage"), text: t("operator.noMessageText"), action: { label: t("operator.find"), href: "/operator/messages" } });
    }
    if (error instanceof ApiError && error.status === 403) return failure({ error, text: t("operator.notYours") });
    return failure({
      error, title: error instanceof ApiError && error.isNetwork ? t("operator.unreached") : undefined,
      text: isOld ? t("operator.old", { when: dateTime(this.#message?.at ?? 0) }) : undefined, action: retry,
    });
  }

  /** @param {Shown} message */
  #summary(message) {
    const [mark, tone] = markOf(message.state);
    const code = countryOf(message.to)?.code;
    const attempts = Math.max(0, ...message.timeline.map((step) => step.attempt ?? 0));
    return html`<section class="box"><div class="pair"><span class="what"><h2>${t("operator.to", { to: format(message.to) })}</h2>
          <small>${[code ? countryName(code) : "", message.from ? t("operator.from", { from: display(format(message.from)) }) : ""].filter(Boolean).join(" · ")}</small></span>
        <span class="state ${tone}">${lamp(mark)}${stateWord(message.state)}</span></div>
      <dl class="stats">
        <div><dt>${isFinal(message.state) ? t("operator.took") : t("operator.age")}</dt><dd>${took(message)}</dd></div>
        <div><dt>${t("operator.attempts")}</dt><dd>${number(attempts)}</dd></div>
        <div><dt>${t("operator.parts")}</dt><dd>${number(message.parts)}</dd></div>
        <div><dt>${t("operator.cost")}</dt><dd>${message.price && message.state !== "cancelled" ? money(message.price) : "–"}</dd></div>
        <div><dt>${t("operator.class")}</dt><dd>${t(`operator.class.${message.class}`)}</dd></div>
      </dl>
      ${this.#words(message)}</section>`;
  }

  /** @param {Shown} message */
  #words({ text, textHidden }) {
    if (textHidden) return html`<p class="quiet locked">${icon("lock", 18)}<span>${t("operator.textHidden")}</span></p>`;
    if (text === null) return html`<p class="quiet">${t("operator.textErased")}</p>`;
    return html`<p class="bubble words" dir="auto">${display(text)}</p>`;
  }

  /** @param {Shown} message */
  #record({ timeline }) {
    let last = "";
    const steps = timeline.map((step, at) => {
      const date = day(step.at);
      const isNewDay = date !== last && timeline.length > 0 && (at > 0 || day(new Date()) !== date);
      last = date;
      return { step, at, date: isNewDay ? date : "" };
    });
    return html`<section class="part"><h2>${t("operator.happened")}</h2><div class="box"><ol class="cord">${each(steps, ({ at }) => at, ({ step, date }) => {
      const { lamp: mark, tone, what, note, said } = told(step);
      return html`<li><span class=${tone}>${lamp(mark)}</span><span class="what">${what}</span>
        <time class="age" datetime=${step.at}>${date ? `${date} ` : ""}${precise(step.at)}</time>
        ${note ? html`<span class="note">${note}</span>` : null}
        ${said ? html`<span class="note said" dir="auto">${said}</span>` : null}</li>`;
    })}</ol></div></section>`;
  }

  /** @param {Shown} message */
  #details(message) {
    /** @type {[string, string | null][]} */
    const rows = [
      ["id", message.id],
      ["carrier", message.carrier],
      ["reference", message.reference],
      ["encoding", message.encoding],
      ["createdAt", message.createdAt],
      ["notBefore", message.notBefore],
      ["expiresAt", message.expiresAt],
      ["error", message.error ? [message.error.code, message.error.message].filter(Boolean).join(": ") : null],
    ];
    return html`<details class="box"><summary class="link">${t("app.details")}</summary>
      <dl class="facts">${rows.filter(([, value]) => value).map(([name, value]) => html`<div><dt>${t(`operator.detail.${name}`)}</dt><dd><code>${display(value ?? "")}</code></dd></div>`)}</dl></details>`;
  }

  /** @param {Shown} message */
  async #copy(message) {
    try {
      await navigator.clipboard.writeText(JSON.stringify(message, null, 2));
      toast(t("operator.copied"));
    } catch {
      toast(t("operator.notCopied"), { mark: "failed" });
    }
  }
}

/**
 * From the acceptance (or the time it was planned for) to its end, or till now.
 * @param {Shown} message
 */
function took({ createdAt, notBefore, updatedAt, state }) {
  const from = Math.max(Date.parse(createdAt), notBefore ? Date.parse(notBefore) : 0);
  const until = isFinal(state) ? Date.parse(updatedAt) : Date.now();
  const seconds = Math.max(100, until - from) / 1000;
  /** @type {[number, string][]} */
  const units = [[86_400, "day"], [3600, "hour"], [60, "minute"]];
  // Two minutes are told in seconds yet, two hours in minutes.
  const [size, unit] = units.find(([size]) => seconds >= 2 * size) ?? [1, "second"];
  const value = seconds / size;
  return new Intl.NumberFormat(language.value, { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: value < 10 ? 1 : 0 }).format(value);
}

customElements.define("operator-message", Message);
