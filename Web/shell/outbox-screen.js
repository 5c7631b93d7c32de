import { dateTime, t, when } from "../core/i18n.js";
import { icon, lamp } from "../core/icons.js";
import { outbox } from "../core/outbox.js";
import { Screen } from "../core/screen.js";
import { online } from "../core/session.js";
import { each, html } from "../core/view.js";
import { display } from "../pure/text.js";
import { loadPeople, people, titleOf } from "../texts/people.js";
import { describe } from "./errors.js";
import { editText } from "./outbox-edit.js";
import { empty } from "./states.js";
import { toast } from "./toast.js";

/** @typedef {import("../core/outbox.js").Entry} Entry */
/** @typedef {import("../core/view.js").Template} Template */

/** What was written and is not with the server yet: in its order, each to be changed or dropped. */
class OutboxScreen extends Screen {
  get frame() {
    return "texts";
  }

  get heading() {
    return t("outbox.title");
  }

  start() {
    this.watch(outbox.entries);
    this.watch(online);
    this.watch(people);
    void loadPeople();
  }

  view() {
    const entries = outbox.entries.value;
    const waits = entries.some((entry) => entry.state !== "refused");
    const bar = html`<header class="bar"><a class="tap back" href="/texts" aria-label=${t("app.back")}>${icon("back", 24)}</a><div class="what"><h1>${t("outbox.title")}</h1></div></header>`;
    if (entries.length === 0) return html`${bar}<main id="main" class="blank">${empty({ title: t("outbox.none"), text: t("outbox.noneText") })}</main>`;
    return html`${bar}<main id="main">
      <p class="quiet">${t("outbox.text")}</p>
      <ol class="list">${each(entries, (entry) => entry.seq, (entry) => row(entry, entries[0] === entry))}</ol>
      ${waits && online.value ? html`<button type="button" class="btn" @click=${() => outbox.flush()}>${icon("again", 20)} ${t("outbox.flush")}</button>` : null}
    </main>`;
  }
}

/**
 * @param {Entry} entry
 * @param {boolean} isFirst
 * @returns {Template}
 */
function row(entry, isFirst) {
  const to = titleOf(entry.to);
  const { notBefore } = entry.body;
  const isBusy = entry.state === "sending";
  return html`<li><div class="row tall"><span class="what">
      <span class="pair"><span class="name">${to}</span><time class="age">${when(entry.at)}</time></span>
      <span class="said" dir="auto">${display(entry.body.text)}</span>
      <span class="states">${state(entry, isFirst)}${notBefore ? html`<span class="state">${lamp("planned")}${t("outbox.planned", { when: dateTime(notBefore) })}</span>` : null}</span>
      ${entry.state === "refused" ? html`<small>${describe(entry.error?.code ?? "")}</small>` : null}
      <span class="wrap">
        ${entry.state === "refused" ? action("outbox.retry", "outbox.retryOne", to, () => outbox.retry(entry.seq), isBusy) : null}
        ${action("outbox.edit", "outbox.editOne", to, () => edit(entry), isBusy)}
        ${action("outbox.drop", "outbox.dropOne", to, () => drop(entry), isBusy)}</span></span></div></li>`;
}

/**
 * @param {string} word
 * @param {string} whole
 * @param {string} to
 * @param {() => void} press
 * @param {boolean} isOff
 * @returns {Template}
 */
const action = (word, whole, to, press, isOff) =>
  html`<button type="button" class="link" aria-label=${t(whole, { to })} ?disabled=${isOff} @click=${press}>${t(word)}</button>`;

/**
 * @param {Entry} entry
 * @param {boolean} isFirst
 * @returns {Template}
 */
function state(entry, isFirst) {
  if (entry.state === "refused") return html`<span class="state danger">${lamp("failed")}${t("outbox.refused")}</span>`;
  if (entry.state === "sending") return html`<span class="state">${lamp("busy")}${t("outbox.sending")}</span>`;
  if (!online.value) return html`<span class="state">${lamp("waiting")}${t("outbox.waiting")}</span>`;
  if (entry.error) return html`<span class="state warn">${lamp("minor")}${t("outbox.server")}</span>`;
  return html`<span class="state">${lamp("waiting")}${isFirst ? t("outbox.waiting") : t("outbox.queued")}</span>`;
}

/** @param {Entry} entry */
async function edit(entry) {
  const text = await editText(entry);
  if (text === null || text === entry.body.text) return;
  const isKept = await outbox.change(entry.seq, { ...entry.body, text });
  toast(isKept ? t("outbox.changed") : t("outbox.gone"), isKept ? {} : { mark: "failed" });
}

/**
 * Gone at once, or the network might come back and send it; undoing puts it at the end.
 * @param {Entry} entry
 */
async function drop(entry) {
  const isGone = await outbox.drop(entry.seq);
  document.querySelector("h1")?.focus();
  if (!isGone) return toast(t("outbox.gone"), { mark: "failed" });
  toast(t("outbox.dropped"), { label: t("outbox.undo"), press: () => void outbox.add(entry.kind, entry.to, entry.body) });
}

customElements.define("app-outbox", OutboxScreen);
