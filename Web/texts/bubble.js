import { money, t, time } from "../core/i18n.js";
import { html } from "../core/view.js";
import { display } from "../pure/text.js";
import { describe } from "../shell/errors.js";
import { canCancel, isFailed, markOf, reasonOf, stateView } from "./states.js";
import { timeOf } from "./store.js";

/**
 * @typedef {import("./store.js").Message} Message
 * @typedef {import("../core/outbox.js").Entry} Entry
 * @typedef {import("./notes.js").Note} Note
 * @typedef {"toggle" | "whole" | "copy" | "retry" | "cancel" | "send" | "change" | "remove"} Deed
 * @typedef {{isOpen: boolean, shown: number, isRetried: boolean, act: (deed: Deed) => void}} How
 * @typedef {import("../core/view.js").Template} Template
 */

/** How much is shown at first, and how many times more at each wish: a million characters at once would stop the phone. */
const longest = 1500;
const more = 10;
const mostLines = 30;

/**
 * @param {string | null} text
 * @param {How} how
 * @returns {Template | string}
 */
function words(text, { shown, act }) {
  if (text === null) return html`<i>${t("texts.erased")}</i>`;
  const most = longest * more ** shown;
  const lines = text.slice(0, most).split("\n", mostLines * more ** shown + 1);
  const head = lines.slice(0, mostLines * more ** shown).join("\n");
  if (head.length === text.length) return display(text);
  const isLast = text.length <= most * more;
  return html`${display(head)}… <button type="button" class="link" @click=${() => act("whole")}>${t(isLast ? "texts.whole" : "texts.wholeMore", { n: text.length })}</button>`;
}

/**
 * @param {string} label
 * @param {Deed} deed
 * @param {How} how
 */
const action = (label, deed, { act }) => html`<button type="button" class="tap text" @click=${() => act(deed)}>${label}</button>`;

/**
 * One that came or that the server has.
 * @param {Message} message
 * @param {How} how
 * @returns {Template}
 */
export function bubble(message, how) {
  const { act, isOpen, isRetried } = how;
  const at = html`<time datetime=${timeOf(message)}>${time(timeOf(message))}</time>`;
  if (message.kind === "in") {
    return html`<li class="entry"><p class="bubble" dir="auto">${words(message.text, how)}</p>
      <p class="under age"><button type="button" aria-expanded=${isOpen ? "true" : "false"} @click=${() => act("toggle")}>${at}</button>${isOpen
        ? html`<span class="deeds">${action(t("texts.copy"), "copy", how)}</span>` : null}</p></li>`;
  }
  const standing = { state: message.state, error: message.error, notBefore: message.notBefore, isCancelling: message.cancelRequested };
  const isBad = isFailed(message.state);
  const reason = reasonOf(standing);
  const mark = markOf(standing);
  const facts = [
    message.parts > 1 ? t("texts.parts", { n: message.parts }) : "",
    message.encoding === "ucs2" ? t("texts.unicode") : "",
    message.state === "cancelled" ? "" : money(message.price),
  ].filter(Boolean).map((fact) => `${fact} · `).join("");
  const isHeld = message.state === "scheduled" || message.state === "cancelled" || (message.state === "queued" && message.error !== null);
  const shows = isOpen || isBad || message.state === "scheduled" || message.state === "held";
  return html`<li class="entry"><p class=${isBad ? "bubble mine bad" : isHeld ? "bubble mine held" : "bubble mine"} dir="auto">${words(message.text, how)}</p>
    <p class=${isBad ? "under age danger" : "under age"}><button type="button" aria-expanded=${shows ? "true" : "false"} @click=${() => act("toggle")}>${stateView(standing, reason ? t("texts.why", { state: mark.word, reason }) : mark.word)}${reason ? html`<br>` : " · "}${facts}${at}</button>${shows
      ? html`<span class="deeds">${isBad && !isRetried ? action(t("app.retry"), "retry", how) : null}
        ${canCancel(message.state) && !message.cancelRequested ? action(t("texts.cancel"), "cancel", how) : null}
        ${isOpen ? action(t("texts.copy"), "copy", how) : null}
        <a class="tap text" href=${`/texts/message/${message.id}`}>${t("app.details")}</a></span>` : null}</p></li>`;
}

/**
 * One that only this phone has.
 * @param {Entry} entry
 * @param {How} how
 * @returns {Template}
 */
export function waitingBubble(entry, how) {
  const isRefused = entry.state === "refused";
  const isSending = entry.state === "sending";
  const standing = { state: entry.state, error: entry.error, isLocal: true };
  return html`<li class="entry"><p class=${isRefused ? "bubble mine bad" : isSending ? "bubble mine" : "bubble mine held"} dir="auto">${words(entry.body.text, how)}</p>
    <p class=${isRefused ? "under age danger" : "under age"}><button type="button" aria-expanded=${how.isOpen || isRefused ? "true" : "false"} @click=${() => how.act("toggle")}>${stateView(standing)}${entry.state === "waiting"
      ? ` · ${entry.error ? describe(entry.error.code, 503) : t("texts.byItself")}` : null}${isRefused && entry.error ? html`<br>${describe(entry.error.code)}` : null}</button>${how.isOpen || isRefused
      ? html`<span class="deeds">${isRefused ? action(t("app.retry"), "send", how) : null}${action(t("texts.change"), "change", how)}${action(t("texts.remove"), "remove", how)}</span>` : null}</p></li>`;
}

/**
 * One that the phone's own app was given, or an answer that was put back here.
 * @param {Note} note
 * @param {How} how
 * @returns {Template}
 */
export function noteBubble({ kind, text, at }, how) {
  return html`<li class="entry"><p class=${kind === "in" ? "bubble" : "bubble mine held"} dir="auto">${words(text, how)}</p>
    <p class="under age"><button type="button" aria-expanded=${how.isOpen ? "true" : "false"} @click=${() => how.act("toggle")}>${kind === "in" ? t("texts.pasted") : stateView({ state: "handedOver" })} · ${time(at)}</button>${how.isOpen
      ? html`<span class="deeds">${action(t("texts.copy"), "copy", how)}${action(t("texts.remove"), "remove", how)}</span>` : null}</p></li>`;
}
