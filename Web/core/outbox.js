// What a person has written and the server does not have yet: kept in order on the phone, and sent once.

import { ApiError, api, reached } from "./api.js";
import { alone, hearTabs, tellTabs } from "./channel.js";
import { db } from "./db.js";
import { Signal } from "./signal.js";

/**
 * @typedef {"waiting" | "sending" | "refused"} EntryState
 * @typedef {{seq: number, key: string, kind: string, to: string, body: any, at: number, state: EntryState,
 *   isTried: boolean, error: {code: string, message: string, detail: string | null} | null}} Entry
 */

/**
 * Where each kind of writing goes.
 * @type {Record<string, string>}
 */
const paths = { message: "/messages" };
const pause = 10_000;

let isAsked = false;
let isFlushing = false;
let notBefore = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** What waits, in the order in which it will go. */
const entries = new Signal(/** @type {Entry[]} */ ([]));
/** Told of each entry that the server has taken, with its answer. */
const sent = new Signal(/** @type {{entry: Entry, answer: any} | null} */ (null));
/** Told when the session is needed to go on. */
const blocked = new Signal(false);

async function load() {
  entries.value = await db.all("outbox");
}

/** @param {Entry} entry */
async function keep(entry) {
  await db.put("outbox", entry);
  await changed();
}

async function changed() {
  await load();
  tellTabs({ kind: "outbox" });
}

hearTabs("outbox", () => void load().catch(() => {}));
hearTabs("sent", ({ notice }) => sent.emit(notice));

/** @param {number} seq @returns {Promise<Entry | undefined>} */
const entry = (seq) => db.get("outbox", seq);

/**
 * Changes what waits while nobody sends it.
 * @template T
 * @param {() => Promise<T>} body
 * @returns {Promise<T>}
 */
const locked = (body) => alone("outbox", body);

/**
 * Sends the first that waits.
 * @returns {Promise<boolean>} whether the next may go
 */
async function sendNext() {
  if (!navigator.onLine || Date.now() < notBefore) return false;
  const next = (await db.all("outbox")).find((/** @type {Entry} */ entry) => entry.state !== "refused");
  return next ? sendOne(next) : false;
}

/** @param {Entry} entry @returns {Promise<boolean>} whether the next may go */
async function sendOne(entry) {
  // Before the server is spoken to: after a crash it is known that it may have the text already.
  await keep({ ...entry, state: "sending", isTried: true });
  try {
    const answer = await api.post(paths[entry.kind], entry.body, { key: entry.key, patient: false });
    await db.delete("outbox", entry.seq);
    const notice = { entry, answer };
    tellTabs({ kind: "sent", notice });
    sent.emit(notice);
    await changed();
    blocked.value = false;
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, message, detail } = error;
    if (error.status === 401) {
      await keep({ ...entry, state: "waiting", isTried: true });
      blocked.value = true;
      return false;
    }
    if (error.isPassing) {
      await keep({ ...entry, state: "waiting", isTried: true, error: error.isNetwork ? null : { code, message, detail } });
      notBefore = Date.now() + Math.min(error.retryAfter ?? 2, 60) * 1000;
      return false;
    }
    await keep({ ...entry, state: "refused", isTried: true, error: { code, message, detail } });
    return true;
  }
}

/** Sends what waits, from the first to the last, until the line fails; one tab at a time, so that nothing goes twice. */
async function flush() {
  isAsked = true;
  if (isFlushing) return;
  isFlushing = true;
  try {
    while (isAsked) {
      isAsked = false;
      while (await locked(sendNext));
    }
  } catch (error) {
    // The phone's store gave way, as when the page goes: what waits is on it still, and is sent by the next turn.
    if (!(error instanceof DOMException)) throw error;
  } finally {
    isFlushing = false;
    schedule();
  }
}

function schedule() {
  clearTimeout(timer);
  if (!entries.value.some((entry) => entry.state !== "refused")) return;
  timer = setTimeout(() => void flush(), Math.max(pause / 5, Math.min(pause, notBefore - Date.now())));
}

export const outbox = {
  entries,
  sent,
  blocked,

  /** Reads what waits and sends it whenever the network may be there. */
  async start() {
    // Without a store nothing waits.
    await load().catch(() => {});
    const now = () => {
      notBefore = 0;
      void flush();
    };
    addEventListener("online", now);
    addEventListener("pageshow", now);
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") now();
    });
    reached.subscribe((isReached) => {
      if (isReached) now();
    });
    void navigator.storage?.persist?.();
    void flush();
  },

  /**
   * Keeps something to be sent; on disk when this returns.
   * @param {string} kind `message`
   * @param {string} to the number; those to one number go in order
   * @param {any} body
   * @returns {Promise<number>} its sequence number
   */
  async add(kind, to, body) {
    const seq = await db.put("outbox", {
      key: crypto.randomUUID?.() ?? [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join(""),
      kind, to, body, at: Date.now(), state: "waiting", isTried: false, error: null,
    });
    await changed();
    notBefore = 0;
    void flush();
    return Number(seq);
  },

  /**
   * Puts another body in its place. One that may have reached the server keeps its key: the server then says so
   * instead of sending a second text.
   * @param {number} seq @param {any} body @param {string} [to]
   * @returns {Promise<boolean>} false when it has gone
   */
  change: (seq, body, to) => locked(async () => {
    const before = await entry(seq);
    if (!before) return false;
    // Refused for good: the server keeps nothing of it, and its key is free to mean something new.
    const key = before.state === "refused" ? crypto.randomUUID() : before.key;
    await keep({ ...before, key, body, to: to ?? before.to, state: "waiting", error: null });
    return true;
  }).finally(() => void flush()),

  /** @param {number} seq @returns {Promise<boolean>} false when it has gone */
  drop: (seq) => locked(async () => {
    const before = await entry(seq);
    if (!before) return false;
    await db.delete("outbox", seq);
    await changed();
    return true;
  }),

  /**
   * Tries a refused one again, as it is.
   * @param {number} seq
   */
  retry: (seq) => locked(async () => {
    const before = await entry(seq);
    if (before) await keep({ ...before, state: "waiting", error: null });
  }).finally(() => void flush()),

  flush,
};
