import { api } from "../core/api.js";
import { Signal } from "../core/signal.js";

/** @typedef {"idle" | "reading" | "more"} Phase */

/**
 * Pages of what the server has, newest first, in a window that does not grow without end.
 * @template T
 */
export class Pages {
  /** @type {T[]} */
  items = [];
  /**
   * The cursor of the next older page; null at the end, undefined before the first answer.
   * @type {string | null | undefined}
   */
  next = undefined;
  /** When the newest page was read, in ms; 0 never. */
  at = 0;
  /** @type {Phase} */
  phase = "idle";
  /** @type {unknown} */
  error = null;
  /** Whether newer ones were left out again because so many older ones were asked for. */
  isCut = false;
  /** Told of every change. */
  changed = new Signal(0);

  static size = 30;
  static most = 600;

  #path;
  #key;
  #isSame;
  #taken;
  #isAsked = false;
  /**
   * When each came that no page brought.
   * @type {Map<string, number>}
   */
  #arrived = new Map();
  /** @type {AbortController | null} */
  #abort = null;

  /**
   * @param {{path: string, key: (item: T) => string, isSame: (one: T, other: T) => boolean,
   *   taken?: (items: T[], since: number, answer: any) => T[]}} how `path` with its question mark; `taken` looks at each
   *   page before it is shown
   */
  constructor({ path, key, isSame, taken = (items) => items }) {
    this.#path = path;
    this.#key = key;
    this.#isSame = isSame;
    this.#taken = taken;
  }

  touch() {
    this.changed.emit(this.changed.value + 1);
  }

  /**
   * What the phone remembers, until the server answers.
   * @param {{items: T[], next: string | null | undefined, at: number}} kept
   */
  adopt({ items, next, at }) {
    if (this.next !== undefined || this.items.length > 0) return;
    Object.assign(this, { items, next, at });
    this.touch();
  }

  /** Reads the newest page. */
  async refresh() {
    if (this.phase !== "idle") {
      this.#isAsked = true;
      return;
    }
    const since = performance.now();
    const answer = await this.#read("reading", "");
    if (answer && !this.isCut) this.#merge(answer.items, answer.next, since);
    if (answer) this.at = Date.now();
    this.touch();
    if (this.#isAsked) {
      this.#isAsked = false;
      void this.refresh();
    }
  }

  /** Reads the next older page. */
  async more() {
    if (this.phase !== "idle" || !this.next) return;
    const answer = await this.#read("more", this.next);
    if (answer) {
      const known = new Set(this.items.map(this.#key));
      this.items = [...this.items, ...answer.items.filter((/** @type {T} */ item) => !known.has(this.#key(item)))];
      this.next = answer.next;
      const over = this.items.length - Pages.most;
      if (over > 0) {
        this.items = this.items.slice(over);
        this.isCut = true;
      }
    }
    this.touch();
  }

  /** Back to the newest page. */
  newest() {
    Object.assign(this, { items: [], next: undefined, isCut: false });
    return this.refresh();
  }

  /** Forgets everything. */
  clear() {
    this.stop();
    Object.assign(this, { items: [], next: undefined, at: 0, error: null, isCut: false });
    this.touch();
  }

  /** Ends what is under way. */
  stop() {
    this.#abort?.abort();
  }

  /**
   * @param {Phase} phase
   * @param {string} cursor
   * @returns {Promise<any>} null where it failed
   */
  async #read(phase, cursor) {
    this.phase = phase;
    this.error = null;
    this.touch();
    const abort = (this.#abort = new AbortController());
    const since = performance.now();
    try {
      const answer = await api.get(`${this.#path}limit=${Pages.size}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`, { signal: abort.signal });
      return { ...answer, items: this.#taken(answer.items, since, answer) };
    } catch (error) {
      if (!abort.signal.aborted) this.error = error;
      return null;
    } finally {
      this.phase = "idle";
    }
  }

  /**
   * Puts one in its place that an event or this phone told of.
   * @param {T} item
   * @param {(item: T) => string} order what sorts them: a larger one is newer
   */
  put(item, order) {
    const key = this.#key(item);
    const rest = this.items.filter((other) => this.#key(other) !== key);
    const place = rest.findIndex((other) => order(other) < order(item));
    // Beyond the oldest that was read it may stand anywhere: its page will bring it.
    if (place < 0 && this.next) return;
    rest.splice(place < 0 ? rest.length : place, 0, item);
    this.items = rest;
    this.#arrived.set(key, performance.now());
    this.touch();
  }

  /**
   * Where the new page meets what is there, the older ones stay; else something between would be missing.
   * @param {T[]} items @param {string | null} next @param {number} since when the page was asked for
   */
  #merge(items, next, since) {
    const known = new Map(this.items.map((item) => [this.#key(item), item]));
    const fresh = new Set(items.map(this.#key));
    const meets = items.some((item) => {
      const before = known.get(this.#key(item));
      return before !== undefined && this.#isSame(before, item);
    });
    const last = items.length > 0 ? this.#key(items[items.length - 1]) : "";
    const place = this.items.findIndex((item) => this.#key(item) === last);
    const left = this.items.filter((item) => !fresh.has(this.#key(item)));
    const older = meets && this.next !== undefined ? this.items.slice(place + 1).filter((item) => left.includes(item)) : [];
    // The page may have been made before these came.
    const newer = left.filter((item) => !older.includes(item) && (this.#arrived.get(this.#key(item)) ?? 0) >= since);
    this.#arrived.clear();
    this.items = [...newer, ...items, ...older];
    if (older.length === 0) this.next = next;
  }
}
