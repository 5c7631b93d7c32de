import { announce } from "../core/focus.js";
import { icon, lamp } from "../core/icons.js";
import { t, time, when } from "../core/i18n.js";
import { outbox } from "../core/outbox.js";
import { Part } from "../core/part.js";
import { online } from "../core/session.js";
import { each, html } from "../core/view.js";
import { format } from "../core/numbering.js";
import { cut, display } from "../pure/text.js";
import { empty, failure, loading } from "../shell/states.js";
import { drafts } from "./drafts.js";
import { notes } from "./notes.js";
import { face, nameOf, people, titleOf } from "./people.js";
import { Place } from "./place.js";
import { rowsOf } from "./rows.js";
import { stateView } from "./states.js";
import { begin, conversations, listing } from "./store.js";

/**
 * @typedef {import("./rows.js").Row} Row
 * @typedef {import("./rows.js").Filter} Filter
 * @typedef {import("../core/view.js").Template} Template
 */

/** What the person looks for stays while they go into a conversation and back. */
const wish = { words: "", filter: /** @type {Filter} */ (""), sideScroll: 0 };
/** @type {Filter[]} */
const filters = ["", "unread", "unsent"];

/** The conversations with their search, on a page of their own or beside one of them. */
class Panel extends Part {
  /** @type {{current?: string}} the peer that is shown beside it */
  #model = {};
  #place = new Place(this, "li.talk-row", true);
  #watcher = new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting)) void this.#listing.more();
  }, { rootMargin: "600px" });
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {import("./store.js").Listing} */
  #listing = conversations;
  #stopListing = () => {};

  get model() {
    return this.#model;
  }

  set model(model) {
    this.#model = model;
    this.update();
  }

  start() {
    begin();
    for (const signal of [people, drafts, notes, outbox.entries, online, conversations.changed]) this.watch(signal);
    this.#choose();
  }

  stop() {
    clearTimeout(this.#timer);
    this.#watcher.disconnect();
    this.#stopListing();
    wish.sideScroll = this.#place.scroller.matches(".side") ? this.#place.scroller.scrollTop : 0;
  }

  #choose() {
    this.#stopListing();
    this.#listing = listing(wish.filter, wish.words);
    let wasReading = this.#listing.phase === "reading";
    this.#stopListing = this.#listing.changed.subscribe(() => {
      const isDone = wasReading && this.#listing.phase === "idle";
      wasReading = this.#listing.phase === "reading";
      if (isDone && wish.words) announce(t("texts.found", { n: rowsOf(this.#listing, wish.filter, wish.words).length }));
      this.update();
    });
    this.update();
  }

  /** @param {Event} event */
  #search = (event) => {
    const words = /** @type {HTMLInputElement} */ (event.target).value;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      wish.words = words.trim().slice(0, 100);
      this.#choose();
    }, words ? 250 : 0);
  };

  /** @param {Filter} filter */
  #filter(filter) {
    wish.filter = filter;
    this.#choose();
  }

  view() {
    this.#place.take();
    return html`<div class="part"><label class="input find"><span class="go">${icon("search", 20)}</span>
        <span class="hidden">${t("texts.search")}</span>
        <input type="search" placeholder=${t("texts.search")} value=${wish.words} autocomplete="off" spellcheck="false"
          enterkeyhint="search" maxlength="100" @input=${this.#search}></label>
      <fieldset class="pick"><legend class="hidden">${t("texts.show")}</legend>${filters.map((filter) => html`<label>
        <input type="radio" name="show" .checked=${wish.filter === filter} @change=${() => this.#filter(filter)}>${t(`texts.filter.${filter || "all"}`)}</label>`)}</fieldset></div>
      ${this.#list()}`;
  }

  /** @returns {Template | Template[]} */
  #list() {
    const pages = this.#listing;
    const rows = rowsOf(pages, wish.filter, wish.words);
    if (rows.length === 0) {
      if (pages.error) return failure({ error: pages.error, action: { label: t("app.retry"), press: () => void pages.refresh() } });
      if (pages.next === undefined) return loading({ faces: true, cancel: () => pages.stop() });
      return html`<section class="part blank">${this.#nothing()}</section>`;
    }
    return html`<div class="part">${pages.at > 0 && (pages.error || !online.value) ? html`<p class="age">${t("texts.asOf", { when: time(pages.at) })}
        ${online.value ? html`<button type="button" class="link" @click=${() => void pages.refresh()}>${t("app.retry")}</button>` : null}</p>` : null}
      <ul class="list faces">${each(rows, (row) => row.peer, (row) => this.#row(row))}</ul>
      ${pages.isCut ? html`<button type="button" class="btn" @click=${() => void pages.newest()}>${t("texts.newest")}</button>` : null}
      ${pages.next ? html`<div class="part more"><button type="button" class="btn" @click=${() => void pages.more()}>
        ${pages.phase === "more" ? lamp("busy") : null}${t("texts.more")}</button></div>` : null}</div>`;
  }

  #nothing() {
    if (wish.words) return empty({ title: t("texts.nothingFound", { words: display(wish.words) }) });
    if (wish.filter === "unread") return empty({ title: t("texts.nothingUnread") });
    if (wish.filter === "unsent") return empty({ title: t("texts.nothingUnsent") });
    return empty({ title: t("texts.nothing"), text: t("texts.nothingYet"), action: { label: t("texts.new"), href: "/texts/new", icon: "write" } });
  }

  /**
   * @param {Row} row
   * @returns {Template}
   */
  #row(row) {
    const { peer, unread, at } = row;
    return html`<li class="talk-row"><a class="row" href=${`/texts/with/${encodeURIComponent(peer)}`} aria-current=${this.#model.current === peer ? "true" : null}>
      ${face(peer)}<span class=${unread > 0 ? "what new" : "what"}><span class="name cut" dir="auto">${titleOf(peer)}</span>
        <span class="note cut" dir="auto">${note(row)}</span></span>
      <span class="value">${at ? html`<time class="age" datetime=${new Date(at).toISOString()}>${when(at)}</time>` : null}
        ${unread > 0 ? html`<span class="badge">${unread > 99 ? "99+" : unread}<span class="hidden"> ${t("texts.unread")}</span></span>` : html`<span>&nbsp;</span>`}</span></a></li>`;
  }

  drawn() {
    this.#place.put();
    const more = this.querySelector(".more");
    this.#watcher.disconnect();
    if (more) this.#watcher.observe(more);
    const { scroller } = this.#place;
    if (wish.sideScroll > 0 && scroller.matches(".side") && scroller.scrollHeight - scroller.clientHeight >= wish.sideScroll) {
      scroller.scrollTop = wish.sideScroll;
      wish.sideScroll = 0;
    }
  }
}

/**
 * One line of a text.
 * @param {string | null} text
 */
const line = (text) => (text === null ? t("texts.erased") : cut(text));

/**
 * The quieter line: what waits, what was begun, what was found, or what was said last.
 * @param {Row} row
 */
function note({ peer, waiting, draft, match, last }) {
  if (match) return around(line(match.text));
  if (waiting) return html`${stateView({ state: waiting.state, isLocal: true, notBefore: null })} ${line(waiting.body.text)}`;
  if (draft) return html`<span class="state">${lamp("draft")}${t("texts.draft")}</span> ${line(draft)}`;
  if (!last) return nameOf(peer) ? format(peer) : "";
  if (last.kind === "in") return line(last.text);
  return html`${stateView({ state: last.state ?? "unknown", error: last.error, notBefore: last.notBefore })} ${line(last.text)}`;
}

/**
 * What was found, not only the beginning of its text.
 * @param {string} text
 */
function around(text) {
  const found = text.toLowerCase().indexOf(wish.words.toLowerCase());
  if (found < 0) return text;
  const start = found > 24 ? found - 16 : 0;
  const end = found + wish.words.length;
  return html`${start > 0 ? "…" : ""}${text.slice(start, found)}<mark>${text.slice(found, end)}</mark>${text.slice(end)}`;
}

customElements.define("texts-panel", Panel);
