// What the events and the outbox tell, put in its place.

import { api } from "../core/api.js";
import { unread } from "../core/session.js";
import { arrived, conversations, heard, listings, readAgain, readAt, threads, timeOf } from "./store.js";

/**
 * @typedef {import("./store.js").Thread} Thread
 * @typedef {import("./store.js").Message} Message
 */

/** @param {Message} message */
const messageOrder = (message) => `${timeOf(message)} ${message.id}`;
/** @param {import("./store.js").Conversation} conversation */
const conversationOrder = (conversation) => conversation.at;

/**
 * @param {Message} message
 * @param {number} [since]
 * @returns {Message}
 */
export function newer(message, since = 0) {
  const told = message.kind === "out" ? heard.get(message.id) : undefined;
  if (!told || told.heard < since || told.updatedAt < message.updatedAt) return message;
  return { ...message, state: told.state, error: told.error, updatedAt: told.updatedAt };
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let listTimer;
/**
 * A listing that is not all of them may have gained or lost one.
 * @param {boolean} [all]
 */
function listsSoon(all = false) {
  const [, other] = listings();
  if (!all && !other) return;
  clearTimeout(listTimer);
  listTimer = setTimeout(() => {
    if (all) void conversations.refresh();
    void listings()[1]?.refresh();
  }, 300);
}

/** @param {{id: string, state: string, to: string, error?: string, updatedAt: string}} told */
export function stateTold({ id, state, to, error, updatedAt }) {
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
  for (const listing of listings()) {
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
export function sentTold(key, answer) {
  if (!answer?.id) return;
  threads.get(answer.to)?.keys.set(answer.id, key);
  put({ ...answer, kind: "out" });
}

/** @type {Set<string>} */
const incoming = new Set();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let incomingTimer;

/** @param {string} id */
export function receivedTold(id) {
  incoming.add(id);
  clearTimeout(incomingTimer);
  incomingTimer = setTimeout(async () => {
    const ids = [...incoming];
    incoming.clear();
    const since = performance.now();
    const answer = ids.length > 20 ? null : await api.get(`/inbox?limit=${ids.length + 2}`).catch(() => null);
    const found = (answer?.items ?? []).filter((/** @type {Message} */ item) => ids.includes(item.id));
    if (found.length < ids.length) return readAgain();
    for (const item of found.reverse()) {
      if ((readAt.get(item.from) ?? 0) > since) item.read = true;
      const isNew = put({ ...item, kind: "in" });
      if (isNew && !item.read) unread.value += 1;
      arrived.emit({ ...item, kind: "in" });
    }
  }, 40);
}

/** @param {string[]} ids */
export function readTold(ids) {
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

/**
 * @param {Thread} thread
 * @param {(message: Message) => boolean} which
 */
export function setRead({ peer, pages }, which) {
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
