import { ApiError } from "../core/api.js";
import { announce } from "../core/focus.js";
import { icon } from "../core/icons.js";
import { countryName, day, t, time } from "../core/i18n.js";
import { outbox } from "../core/outbox.js";
import { Screen } from "../core/screen.js";
import { online } from "../core/session.js";
import { each, html } from "../core/view.js";
import { flag, format } from "../core/numbering.js";
import "../core/later-icons.js";
import { display } from "../pure/text.js";
import { failure, loading } from "../shell/states.js";
import { toast } from "../shell/toast.js";
import { bubble, noteBubble, waitingBubble } from "./bubble.js";
import "./composer.js";
import { side } from "./list.js";
import { learnPrice } from "./meter.js";
import { dropNote, notes } from "./notes.js";
import { wide } from "./wide.js";
import { countryCodeOf, isNumber, nameOf, people, titleOf } from "./people.js";
import { Place } from "./place.js";
import { arrived, begin, timeOf } from "./store.js";
import { cancel, markRead, thread } from "./thread.js";
import "./later-style.js";

/** How far the phone's clock may be ahead of the server's. */
const skew = 600_000;

/**
 * @typedef {import("./store.js").Message} Message
 * @typedef {import("../core/outbox.js").Entry} Entry
 * @typedef {import("./bubble.js").Deed} Deed
 * @typedef {{key: string, day?: string, message?: Message, entry?: Entry, note?: import("./notes.js").Note}} Item
 */

/** `/texts/with/{peer}`: what was said with one number, and the field to say more. */
export class Conversation extends Screen {
  /** @type {import("./store.js").Thread} */
  #thread = /** @type {any} */ (null);
  #stopThread = () => {};
  #place = new Place(this, "li.entry");
  /** Whether the newest is to be kept in view. */
  #sticks = true;
  #isPlaced = false;
  #news = 0;
  #isEndSeen = false;
  #isReading = false;
  #open = "";
  /** How often more of a long text was asked for. @type {Map<string, number>} */
  #whole = new Map();
  /** @type {Set<string>} */
  #retried = new Set();
  #watcher = new IntersectionObserver((entries) => this.#seen(entries), { rootMargin: "400px 0px 0px" });

  get peer() {
    return this.params.peer;
  }

  get heading() {
    return titleOf(this.peer);
  }

  get frame() {
    return wide.value ? "texts split full" : "texts full";
  }

  start() {
    begin();
    for (const signal of [wide, people, online, notes, outbox.entries]) this.watch(signal);
    this.until(arrived.subscribe((message) => message && this.#arrived(message)));
    const scrolled = () => this.#scrolled();
    const visible = () => this.#markRead();
    addEventListener("scroll", scrolled, { passive: true });
    document.addEventListener("visibilitychange", visible);
    this.until(online.subscribe(visible));
    this.until(() => {
      removeEventListener("scroll", scrolled);
      document.removeEventListener("visibilitychange", visible);
    });
    this.#enter();
  }

  stop() {
    this.#stopThread();
    this.#watcher.disconnect();
  }

  moved() {
    if (this.#thread.peer !== this.peer) this.#enter();
    this.update();
  }

  #enter() {
    this.#stopThread();
    this.#thread = thread(this.peer);
    this.#sticks = true;
    this.#isPlaced = false;
    this.#news = 0;
    this.#open = "";
    this.#stopThread = this.#thread.pages.changed.subscribe(() => this.update());
    // Not before the router has put the page where it was.
    requestAnimationFrame(() => {
      this.#isPlaced = true;
      if (scrollY > 0) this.#sticks = this.#isAtEnd();
      if (this.#sticks) this.#toEnd();
      this.#observe();
    });
  }

  // MARK: - Where the eye is

  #isAtEnd() {
    const { scrollHeight, clientHeight } = document.documentElement;
    return scrollHeight - clientHeight - scrollY < 60;
  }

  #toEnd() {
    scrollTo(0, document.documentElement.scrollHeight);
  }

  #scrolled() {
    if (!this.#isPlaced) return;
    this.#sticks = this.#isAtEnd();
    if (!this.#sticks || this.#news === 0) return;
    this.#news = 0;
    this.update();
  }

  #observe() {
    this.#watcher.disconnect();
    for (const mark of this.querySelectorAll(".older, .end")) this.#watcher.observe(mark);
  }

  /** @param {IntersectionObserverEntry[]} entries */
  #seen(entries) {
    for (const { target, isIntersecting } of entries) {
      if (target.matches(".end")) this.#isEndSeen = isIntersecting;
      else if (isIntersecting && this.#isPlaced) void this.#thread.pages.more();
    }
    this.#markRead();
  }

  /** Read is what has stood on a screen that somebody could look at. */
  async #markRead() {
    if (!this.#isEndSeen || this.#isReading || document.visibilityState !== "visible" || this.#thread.pages.isCut) return;
    if (!this.#thread.pages.items.some((message) => message.kind === "in" && !message.read)) return;
    this.#isReading = true;
    await markRead(this.#thread);
    this.#isReading = false;
  }

  /** @param {Message} message */
  #arrived(message) {
    if (message.from !== this.peer) return;
    announce(t("texts.says", { who: titleOf(this.peer), text: display(message.text ?? "") }));
    if (!this.#sticks) this.#news += 1;
  }

  // MARK: - What is done

  /**
   * @param {Item} item
   * @param {Deed} deed
   */
  async #act(item, deed) {
    const { message, entry, note } = item;
    const text = message?.text ?? entry?.body.text ?? note?.text ?? "";
    if (deed === "toggle") this.#open = this.#open === item.key ? "" : item.key;
    if (deed === "whole") this.#whole.set(item.key, (this.#whole.get(item.key) ?? 0) + 1);
    if (deed === "copy") await navigator.clipboard?.writeText(text).then(() => toast(t("texts.copied")), () => toast(t("texts.notCopied"), { mark: "info" }));
    if (deed === "retry" && message) {
      this.#retried.add(message.id);
      await outbox.add("message", this.peer, message.from ? { to: this.peer, text, from: message.from } : { to: this.peer, text });
      this.#sticks = true;
    }
    if (deed === "cancel" && message) await cancel(message).catch((error) => toast(t(error.code === "too-late" ? "texts.tooLate" : "texts.notCancelled"), { mark: "info" }));
    if (deed === "send" && entry) await outbox.retry(entry.seq);
    if (deed === "remove" && note) await dropNote(note);
    if ((deed === "remove" || deed === "change") && entry) {
      const isGone = await outbox.drop(entry.seq);
      if (!isGone) toast(t("texts.goneAlready"), { mark: "info" });
      else if (deed === "change") /** @type {any} */ (this.querySelector("texts-composer")).put(text);
      else toast(t("texts.removed"), { label: t("texts.undo"), press: () => void outbox.add("message", entry.to, entry.body) });
    }
    this.update();
  }

  // MARK: - Drawing

  /** @returns {Item[]} from the oldest to the newest, with the days between them */
  #items() {
    const { pages, keys } = this.#thread;
    /** @type {Item[]} */
    const items = [];
    let last = "";
    /** @param {number | string} at */
    const mark = (at) => {
      const name = day(at);
      if (name !== last) items.push({ key: `day ${new Date(at).toDateString()}`, day: name });
      last = name;
    };
    const mine = notes.value.filter((note) => note.peer === this.peer);
    /** @param {number} before */
    const putNotes = (before) => {
      while (mine.length > 0 && mine[0].at < before) {
        const note = /** @type {import("./notes.js").Note} */ (mine.shift());
        mark(note.at);
        items.push({ key: note.key, note });
      }
    };
    for (let index = pages.items.length - 1; index >= 0; index -= 1) {
      const message = pages.items[index];
      putNotes(Date.parse(timeOf(message)));
      learnPrice(/** @type {any} */ (message));
      mark(timeOf(message));
      items.push({ key: keys.get(message.id) ?? message.id, message });
    }
    putNotes(Infinity);
    const known = new Set(items.map(({ key }) => key));
    for (const entry of outbox.entries.value) {
      if (entry.kind !== "message" || entry.to !== this.peer || known.has(entry.key) || this.#isThere(entry)) continue;
      mark(entry.at);
      items.push({ key: entry.key, entry });
    }
    return items;
  }

  /**
   * Whether the server's own telling of a text was quicker than its answer: nothing is shown twice.
   * @param {Entry} entry
   */
  #isThere(entry) {
    const { pages, keys } = this.#thread;
    return entry.state === "sending" && pages.items.some((message) =>
      message.kind === "out" && !keys.has(message.id) && message.text === entry.body.text && Date.parse(message.createdAt) > entry.at - skew);
  }

  view() {
    if (this.#isPlaced && !this.#sticks) this.#place.take();
    const { peer } = this;
    const country = countryCodeOf(peer);
    const name = nameOf(peer);
    return html`${wide.value ? side(peer) : null}<header class="bar"><a class="tap back" href="/texts" aria-label=${t("app.back")}>${icon("back")}</a>
        <div class="what"><h1 class="cut" dir="auto">${titleOf(peer)}</h1>${country ? html`<small class="cut"><span aria-hidden="true">${flag(country)}</span> ${name ? format(peer) : countryName(country)}</small>` : null}</div>
        ${isNumber(peer) ? html`${name ? null : html`<a class="tap" href=${`/contacts?number=${encodeURIComponent(peer)}`} aria-label=${t("texts.addContact")}>${icon("person")}</a>`}
          <a class="tap" href=${`tel:${peer}`} aria-label=${t("texts.call")}>${icon("phone")}</a>` : null}</header>
      <main id="main" class="talk">${this.#body()}</main>
      ${isNumber(peer) ? html`<texts-composer .model=${this.#model()}></texts-composer>` : html`<footer class="dock quiet">${t("texts.noAnswer")}</footer>`}`;
  }

  #model() {
    const from = this.#thread.pages.items.find((message) => message.kind === "out")?.from ?? null;
    return { peer: this.peer, from, sent: () => { this.#sticks = true; this.update(); } };
  }

  #body() {
    const { pages } = this.#thread;
    const items = this.#items();
    const retry = () => void pages.refresh();
    if (items.length === 0) {
      const isAway = !online.value || (pages.error instanceof ApiError && pages.error.isNetwork);
      if (pages.error && isAway) return html`<section class="part blank"><h2>${t("texts.notHere")}</h2><p>${t("texts.notHereText")}</p></section>`;
      if (pages.error) return failure({ error: pages.error, action: { label: t("app.retry"), press: retry } });
      if (pages.next === undefined) return loading({ rows: 3, cancel: () => pages.stop() });
      return html`<section class="part blank"><h2>${t("texts.first")}</h2>${isNumber(this.peer) ? html`<p>${t("texts.firstHint")}</p>` : null}</section>`;
    }
    const isOld = pages.at > 0 && (pages.error !== null || !online.value);
    return html`${pages.next ? html`<div class="part older"><button type="button" class="btn" @click=${() => void pages.more()}>${t("texts.older")}</button></div>` : null}
      ${isOld ? html`<p class="day age">${t("texts.asOf", { when: time(pages.at) })}</p>` : null}
      <ol class="thread">${each(items, ({ key }) => key, (item) => this.#item(item))}</ol>
      ${pages.isCut ? html`<button type="button" class="btn" @click=${() => { this.#sticks = true; void pages.newest(); }}>${t("texts.newest")}</button>` : null}
      <div class="end"></div>
      ${this.#news > 0 ? html`<button type="button" class="btn slim main news" @click=${() => this.#toEnd()}>${icon("down", 20)} ${t("texts.news", { n: this.#news })}</button>` : null}`;
  }

  /** @param {Item} item */
  #item(item) {
    if (item.day) return html`<li class="day age">${item.day}</li>`;
    const how = {
      isOpen: this.#open === item.key, shown: this.#whole.get(item.key) ?? 0, isRetried: this.#retried.has(item.message?.id ?? ""),
      act: (/** @type {Deed} */ deed) => void this.#act(item, deed),
    };
    if (item.note) return noteBubble(item.note, how);
    return item.message ? bubble(item.message, how) : waitingBubble(/** @type {Entry} */ (item.entry), how);
  }

  drawn() {
    if (!this.#isPlaced) return;
    if (this.#sticks) this.#toEnd();
    else this.#place.put();
    this.#observe();
  }
}

customElements.define("texts-conversation", Conversation);
