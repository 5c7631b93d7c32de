import { api } from "../core/api.js";
import { events } from "../core/events.js";
import { icon, lamp } from "../core/icons.js";
import { day, money, precise, t } from "../core/i18n.js";
import { back } from "../core/router.js";
import { Screen } from "../core/screen.js";
import { html } from "../core/view.js";
import "../core/later-icons.js";
import { display } from "../pure/text.js";
import { failure, loading } from "../shell/states.js";
import { toast } from "../shell/toast.js";
import { people, titleOf } from "./people.js";
import { canCancel, reasonOf } from "./reasons.js";
import { markOf, stateView } from "./states.js";
import { begin } from "./store.js";
import { cancel } from "./thread.js";
import { stepsOf } from "./timeline.js";
// One file with what everybody has by now.
import "./list.js";
import "./later-style.js";

/** `/texts/message/{id}`: the life of one text in plain words; the trade's words behind Details. */
export class Message extends Screen {
  /** @type {any} */
  #message = null;
  /** @type {unknown} */
  #error = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  get heading() {
    return t("texts.messageTitle");
  }

  get frame() {
    return "texts full";
  }

  start() {
    begin();
    this.watch(people);
    const soon = () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#read(), 50);
    };
    this.until(events.on("message.*", ({ data }) => data.id === this.params.id && soon()));
    this.until(events.on("resync", soon));
    void this.#read();
  }

  stop() {
    clearTimeout(this.#timer);
  }

  async #read() {
    try {
      this.#message = await api.get(`/messages/${encodeURIComponent(this.params.id)}`);
      this.#error = null;
    } catch (error) {
      this.#error = error;
    }
    this.update();
  }

  #copy = () => navigator.clipboard?.writeText(this.#message.text ?? "").then(() => toast(t("texts.copied")), () => toast(t("texts.notCopied"), { mark: "info" }));

  #cancel = async () => {
    await cancel(this.#message).catch((error) => toast(t(error.code === "too-late" ? "texts.tooLate" : "texts.notCancelled"), { mark: "info" }));
    await this.#read();
  };

  view() {
    const message = this.#message;
    const made = message ? [t("texts.parts", { n: message.parts }), t(message.encoding === "ucs2" ? "texts.unicode" : "texts.gsm")].join(", ") : "";
    return html`<header class="bar"><button type="button" class="tap back" aria-label=${t("app.back")} @click=${() => back("/texts")}>${icon("back")}</button>
        <div class="what"><h1>${t("texts.messageTitle")}</h1><small>${made}</small></div>
        ${message?.text ? html`<button type="button" class="tap text" @click=${this.#copy}>${t("texts.copy")}</button>` : null}</header>
      <main id="main">${this.#error ? failure({ error: this.#error, action: { label: t("app.retry"), press: () => void this.#read() } }) : null}
        ${message ? this.#life(message) : this.#error ? null : loading({ rows: 4 })}</main>`;
  }

  /** @param {any} message */
  #life(message) {
    const standing = { state: message.state, error: message.error, notBefore: message.notBefore, isCancelling: message.cancelRequested };
    const reason = reasonOf(standing);
    const steps = stepsOf(message);
    const attempts = new Set(message.timeline.map((/** @type {any} */ step) => step.attempt).filter(Boolean)).size;
    const isDone = ["delivered", "undeliverable", "rejected", "expired"].includes(message.state);
    const took = Math.round((Date.parse(message.updatedAt) - Date.parse(message.createdAt)) / 1000);
    let last = "";
    return html`<section class="box"><div class="pair"><b class="h2" dir="auto">${t("texts.toWhom", { who: titleOf(message.to) })}</b>${stateView(standing, markOf(standing).word)}</div>
        ${reason ? html`<p>${t("texts.because", { reason })}</p>` : null}
        ${message.text ? html`<p class="bubble mine quoted" dir="auto">${display(message.text.slice(0, 1500))}</p>` : html`<p class="quiet">${t("texts.erased")}</p>`}
        <dl class="stats">${isDone ? fact("took", took < 1 ? t("texts.underSecond") : t("texts.seconds", { n: took })) : null}${attempts > 0 ? fact("attempts", String(attempts)) : null}
          ${message.price && message.state !== "cancelled" ? fact("cost", money(message.price)) : null}${message.from ? fact("from", display(message.from)) : null}</dl>
        ${canCancel(message.state) && !message.cancelRequested ? html`<div class="btns"><button type="button" class="btn" @click=${this.#cancel}>${t("texts.cancel")}</button></div>` : null}</section>
      <section class="part"><h2>${t("texts.happened")}</h2><div class="box"><ol class="cord">${steps.map((step) => {
        const name = day(step.at);
        const isNew = name !== last;
        last = name;
        return html`<li><span class=${step.tone}>${lamp(step.lamp)}</span><span class="what">${step.words}</span><time class="age" datetime=${step.at}>${precise(step.at)}</time>
          ${isNew || step.note ? html`<span class="note">${[isNew ? name : "", step.note].filter(Boolean).join(" · ")}</span>` : null}</li>`;
      })}</ol></div></section>
      <details class="box"><summary class="link">${t("texts.technical")}</summary><code>${technical(message)}</code></details>`;
  }
}

/**
 * @param {string} name
 * @param {string} value
 */
const fact = (name, value) => html`<div><dt>${t(`texts.fact.${name}`)}</dt><dd>${value}</dd></div>`;

/** @param {any} message */
function technical(message) {
  const lines = [`${message.id} · ${message.state} · ${message.encoding} · ${message.class}`];
  if (message.error) lines.push(`${message.error.code}: ${message.error.message ?? ""}`);
  for (const { at, event, attempt, carrier, carrierID, detail } of message.timeline) {
    lines.push([at, event, attempt && `#${attempt}`, carrier, carrierID, detail].filter(Boolean).join(" · "));
  }
  return display(lines.join("\n"));
}

customElements.define("texts-message", Message);
