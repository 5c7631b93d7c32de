// What the person wrote and got: the server's pages, what waits on this phone, and what the events tell, as one.

import { api } from "../core/api.js";
import { db } from "../core/db.js";
import { events } from "../core/events.js";
import { outbox } from "../core/outbox.js";
import { unread } from "../core/session.js";
import { Signal } from "../core/signal.js";
import { Pages } from "./pages.js";
import { loadNotes } from "./notes.js";
import { loadPeople } from "./people.js";

/**
 * @typedef {{code: string, message: string | null} | null} Failure
 * @typedef {{kind: "in" | "out", id: string, text: string | null, state: string | null, error: Failure, at: string,
 *   notBefore: string | null}} Last
 * @typedef {{peer: string, at: string, unread: number, last: Last, match?: Last | null}} Conversation
 * @typedef {{kind: "in" | "out", id: string, text: string | null, [field: string]: any}} Message the API's message or
 *   inbox item
 * @typedef {Pages<Conversation>} Listing
 * @typedef {{peer: string, pages: Pages<Message>, keys: Map<string, string>}} Thread `keys`: what an own text was called
 *   while it waited, so that it stays the same bubble
 */

/** Told of each text that has just come in. */
export const arrived = new Signal(/** @type {Message | null} */ (null));

/**
 * States told by events, as of when: a page that was on its way meanwhile must not take them back.
 * @type {Map<string, {state: string, error: Failure, updatedAt: string, heard: number}>}
 */
const heard = new Map();
/** @type {Map<string, Thread>} */
const threads = new Map();
const mostThreads = 6;
const mostKept = 20;

/**
 * @param {Message} message
 * @returns {string}
 */
export const timeOf = (message) => (message.kind === "in" ? message.receivedAt : message.createdAt);
/** @param {Message} message */
const messageOrder = (message) => `${timeOf(message)} ${message.id}`;
/** @param {Conversation} conversation */
const conversationOrder = (conversation) => conversation.at;

// MARK: - Pages

/**
 * @param {string} query
 * @returns {Listing}
 */
const makeListing = (query) => new Pages({
  path: `/conversations?${query}`,
  key: (conversation) => conversation.peer,
  isSame: (one, other) => one.at === other.at && one.last.id === other.last.id,
  taken(items, since, answer) {
    if (typeof answer.unread === "number") unread.value = answer.unread;
    return items.map((conversation) => {
      const told = heard.get(conversation.last.id);
      return told && told.heard >= since ? { ...conversation, last: { ...conversation.last, state: told.state, error: told.error } } : conversation;
    });
  },
});

/** All conversations. */
export const conversations = makeListing("");
/**
 * The one other listing that is shown, by its query.
 * @type {[string, Listing] | null}
 */
let other = null;

/**
 * Those of one kind, or in which something is found.
 * @param {"" | "unread" | "unsent"} filter @param {string} words
 * @returns {Listing}
 */
export function listing(filter, words) {
  const query = `${filter ? `filter=${filter}&` : ""}${words ? `q=${encodeURIComponent(words)}&` : ""}`;
  if (!query) return conversations;
  if (other?.[0] !== query) {
    other?.[1].stop();
    other = [query, makeListing(query)];
    void other[1].refresh();
  }
  return other[1];
}

/**
 * @param {string} peer
 * @returns {Thread}
 */
export function thread(peer) {
  const known = threads.get(peer);
  if (known) {
    threads.delete(peer);
    threads.set(peer, known);
    return known;
  }
  const pages = /** @type {Pages<Message>} */ (new Pages({
    path: `/conversations/${encodeURIComponent(peer)}/messages?`,
    key: (message) => message.id,
    isSame: () => true,
    taken: (items, since) => items.map((message) => newer(message, since)),
  }));
  const made = { peer, pages, keys: new Map() };
  threads.set(peer, made);
  if (threads.size > mostThreads) threads.delete(/** @type {string} */ (threads.keys().next().value));
  void recall(pages, `thread ${peer}`).then(() => pages.refresh());
  pages.changed.subscribe(() => keepSoon(made));
  return made;
}

/**
 * @param {Message} message
 * @param {number} [since]
 * @returns {Message}
 */
function newer(message, since = 0) {
  const told = message.kind === "out" ? heard.get(message.id) : undefined;
  if (!told || told.heard < since || told.updatedAt < message.updatedAt) return message;
  return { ...message, state: told.state, error: told.error, updatedAt: told.updatedAt };
}

// MARK: - On this phone

/**
 * @param {Pages<any>} pages
 * @param {string} key
 */
async function recall(pages, key) {
  const kept = await db.get("cache", key).catch(() => undefined);
  if (kept) pages.adopt(kept);
}

/** @type {Set<Thread | null>} */
const unkept = new Set();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let keepTimer;

/** @param {Thread | null} which null for the list */
function keepSoon(which) {
  unkept.add(which);
  clearTimeout(keepTimer);
  keepTimer = setTimeout(() => void keep().catch(() => {}), 800);
}

async function keep() {
  const due = [...unkept];
  unkept.clear();
  for (const which of due) {
    const pages = /** @type {Pages<any>} */ (which ? which.pages : conversations);
    if (pages.at === 0 || pages.isCut) continue;
    const items = pages.items.slice(0, Pages.size);
    const next = items.length === pages.items.length ? pages.next : undefined;
    await db.put("cache", { items, next, at: pages.at }, which ? `thread ${which.peer}` : "texts");
    if (which) await touchKept(which.peer);
  }
}

/**
 * Only the latest threads stay on the phone.
 * @param {string} peer
 */
async function touchKept(peer) {
  const kept = [peer, ...((await db.get("cache", "threads")) ?? []).filter((/** @type {string} */ name) => name !== peer)];
  for (const gone of kept.splice(mostKept)) await db.delete("cache", `thread ${gone}`);
  await db.put("cache", kept, "threads");
}

// MARK: - Events

let isBegun = false;

/** Follows the server and the outbox from now on. */
export function begin() {
  if (isBegun) return;
  isBegun = true;
  void loadPeople();
  void loadNotes();
  void recall(conversations, "texts").then(() => conversations.refresh());
  conversations.changed.subscribe(() => keepSoon(null));
  events.on("message.*", ({ data }) => stateTold(data));
  events.on("inbox.received", ({ data }) => receivedTold(data.id));
  events.on("inbox.read", ({ data }) => readTold(data.ids ?? []));
  events.on("resync", readAgain);
  outbox.sent.subscribe((notice) => {
    if (notice?.entry.kind === "message") sentTold(notice.entry.key, notice.answer);
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") void keep().catch(() => {});
  });
}

/** Reads again what is shown. */
export function readAgain() {
  void conversations.refresh();
  void other?.[1].refresh();
  for (const { pages } of threads.values()) void pages.refresh();
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let listTimer;
/**
 * A listing that is not all of them may have gained or lost one.
 * @param {boolean} [all]
 */
function listsSoon(all = false) {
  if (!all && !other) return;
  clearTimeout(listTimer);
  listTimer = setTimeout(() => {
    if (all) void conversations.refresh();
    void other?.[1].refresh();
  }, 300);
}

/** @param {{id: string, state: string, to: string, error?: string, updatedAt: string}} told */
function stateTold({ id, state, to, error, updatedAt }) {
  const before = heard.get(id);
  if (before && before.updatedAt > updatedAt) return;
  heard.delete(id);
  heard.set(id, { state, error: error ? { code: error, message: null } : null, updatedAt, heard: performance.now() });
  if (heard.size > 1000) heard.delete(/** @type {string} */ (heard.keys().next().value));
  let isKnown = false;
  const pages = threads.get(to)?.pages;
  if (pages?.items.some((message) => message.id === id)) {
    pages.items = pages.items.map((message) => (message.id === id ? newer(message) : message));
    pages.touch();
    isKnown = true;
  }
  for (const listing of other ? [conversations, other[1]] : [conversations]) {
    const found = listing.items.findIndex((conversation) => conversation.last.id === id);
    if (found < 0) continue;
    const conversation = listing.items[found];
    const told = { ...conversation, last: { ...conversation.last, state, error: heard.get(id)?.error ?? null } };
    listing.items = listing.items.map((item, at) => (at === found ? told : item));
    listing.touch();
    isKnown = true;
  }
  if (!isKnown) unknownTold(id, to);
  listsSoon();
}

/** @type {Map<string, string>} */
const strangers = new Map();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let strangerTimer;

/**
 * One that another tab, another phone or a program wrote; or ours, whose answer is on its way.
 * @param {string} id
 * @param {string} to
 */
function unknownTold(id, to) {
  strangers.set(id, to);
  clearTimeout(strangerTimer);
  strangerTimer = setTimeout(async () => {
    const due = [...strangers].filter(([id, to]) => !threads.get(to)?.pages.items.some((message) => message.id === id));
    strangers.clear();
    if (due.length > 4) return readAgain();
    for (const [id] of due) {
      if (conversations.items.some((conversation) => conversation.last.id === id)) continue;
      const message = await api.get(`/messages/${id}`).catch(() => null);
      if (message) put({ ...message, kind: "out" });
    }
  }, 400);
}

/**
 * @param {string} key
 * @param {any} answer
 */
function sentTold(key, answer) {
  if (!answer?.id) return;
  threads.get(answer.to)?.keys.set(answer.id, key);
  put({ ...answer, kind: "out" });
}

/** @type {Set<string>} */
const incoming = new Set();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let incomingTimer;

/** @param {string} id */
function receivedTold(id) {
  incoming.add(id);
  clearTimeout(incomingTimer);
  incomingTimer = setTimeout(async () => {
    const ids = [...incoming];
    incoming.clear();
    const answer = ids.length > 20 ? null : await api.get(`/inbox?limit=${ids.length + 2}`).catch(() => null);
    const found = (answer?.items ?? []).filter((/** @type {Message} */ item) => ids.includes(item.id));
    if (found.length < ids.length) return readAgain();
    for (const item of found.reverse()) {
      const isNew = put({ ...item, kind: "in" });
      if (isNew && !item.read) unread.value += 1;
      arrived.emit({ ...item, kind: "in" });
    }
  }, 40);
}

/** @param {string[]} ids */
function readTold(ids) {
  let isAll = true;
  for (const id of ids) {
    const found = [...threads.values()].find(({ pages }) => pages.items.some((message) => message.id === id));
    const message = found?.pages.items.find((message) => message.id === id);
    if (!message) isAll = false;
    else if (!message.read && found) setRead(found, (item) => item.id === id);
  }
  listsSoon(!isAll);
}

/**
 * @param {Message} message
 * @returns {boolean} whether it changed the list
 */
function put(message) {
  const peer = message.kind === "in" ? message.from : message.to;
  const told = newer(message);
  threads.get(peer)?.pages.put(told, messageOrder);
  listsSoon();
  const before = conversations.items.find((conversation) => conversation.peer === peer);
  const at = timeOf(message);
  if (before && (before.at > at || before.last.id === message.id)) return false;
  const isUnread = message.kind === "in" && !message.read;
  conversations.put({
    peer, at, unread: (before?.unread ?? 0) + (isUnread ? 1 : 0),
    last: {
      kind: message.kind, id: message.id, text: message.text?.slice(0, 200) ?? null, state: told.state ?? null,
      error: told.error ?? null, at, notBefore: message.notBefore ?? null,
    },
  }, conversationOrder);
  return true;
}

// MARK: - What a person does

/**
 * @param {Thread} thread
 * @param {(message: Message) => boolean} which
 */
function setRead({ peer, pages }, which) {
  let n = 0;
  pages.items = pages.items.map((message) => {
    if (message.kind !== "in" || message.read || !which(message)) return message;
    n += 1;
    return { ...message, read: true };
  });
  if (n === 0) return;
  pages.touch();
  conversations.items = conversations.items.map((conversation) =>
    (conversation.peer === peer ? { ...conversation, unread: Math.max(0, conversation.unread - n) } : conversation));
  conversations.touch();
}

/**
 * Tells the server that all up to the newest has been seen.
 * @param {Thread} thread
 */
export async function markRead(thread) {
  const newest = thread.pages.items.find((message) => message.kind === "in");
  if (!newest || (newest.read && !thread.pages.items.some((message) => message.kind === "in" && !message.read))) return;
  const answer = await api.post(`/conversations/${encodeURIComponent(thread.peer)}/read`, { through: newest.id }).catch(() => null);
  if (!answer) return;
  setRead(thread, (message) => message.id <= newest.id);
  conversations.items = conversations.items.map((conversation) =>
    (conversation.peer === thread.peer && conversation.last.at <= timeOf(newest) ? { ...conversation, unread: 0 } : conversation));
  conversations.touch();
  unread.value = answer.unread;
}

/**
 * Calls a text back before a carrier has it.
 * @param {Message} message
 */
export async function cancel(message) {
  const answer = await api.delete(`/messages/${message.id}`);
  if (answer) stateTold({ id: answer.id, to: answer.to, state: answer.state, error: answer.error?.code, updatedAt: answer.updatedAt });
}
