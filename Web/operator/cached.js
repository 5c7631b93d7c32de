import { api } from "../core/api.js";
import { db } from "../core/db.js";

/** How often an answer that may change by itself is asked for again. */
const pause = 15_000;

/**
 * What the server says at a path: from the phone's store at once, then fresh, and again while the page is looked at.
 * Only for what has no words of other people in it.
 * @template T
 */
export class Cached {
  /** @type {T | null} */
  value = null;
  /** When the server said so. */
  at = 0;
  /** @type {unknown} why the last try failed; null after a good one */
  error = null;
  #path;
  #isKept;
  #changed;
  /** @type {(value: T) => boolean} */
  #mayChange;
  #abort = new AbortController();
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;
  #isAsking = false;
  /** Something changed while the server was asked: the answer may be older than that. */
  #isAskedAgain = false;

  /**
   * @param {string} path
   * @param {() => void} changed
   * @param {{isKept?: boolean, mayChange?: (value: T) => boolean}} [options] `isKept` for reading without a network
   */
  constructor(path, changed, options = {}) {
    this.#path = path;
    this.#changed = changed;
    this.#isKept = options.isKept ?? true;
    this.#mayChange = options.mayChange ?? (() => true);
  }

  start() {
    if (this.#isKept) void this.#remembered();
    void this.load();
    this.#timer = setInterval(() => {
      if (!document.hidden && navigator.onLine && this.value !== null && this.#mayChange(this.value)) void this.load();
    }, pause);
  }

  stop() {
    clearInterval(this.#timer);
    this.#abort.abort();
  }

  /** Asks the server. */
  async load() {
    if (this.#isAsking) {
      this.#isAskedAgain = true;
      return;
    }
    this.#isAsking = true;
    this.#isAskedAgain = false;
    try {
      this.value = await api.get(this.#path, { signal: this.#abort.signal });
      this.at = Date.now();
      this.error = null;
      if (this.#isKept) db.put("cache", { value: this.value, at: this.at }, this.#path).catch(() => {});
    } catch (error) {
      if (this.#abort.signal.aborted) return;
      this.error = error;
    } finally {
      this.#isAsking = false;
    }
    this.#changed();
    if (this.#isAskedAgain) void this.load();
  }

  async #remembered() {
    const known = await db.get("cache", this.#path).catch(() => undefined);
    if (!known || this.value !== null) return;
    this.value = known.value;
    this.at = known.at;
    this.#changed();
  }
}
