import { api } from "../core/api.js";
import { unread } from "../core/session.js";
import { newer, setRead, stateTold } from "./live.js";
import { Pages } from "./pages.js";
import { conversations, keepSoon, readAt, recall, threads, timeOf } from "./store.js";

/**
 * @typedef {import("./store.js").Thread} Thread
 * @typedef {import("./store.js").Message} Message
 */

const mostThreads = 6;

/**
 * What was said with one number.
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
 * Tells the server that all up to the newest has been seen.
 * @param {Thread} thread
 */
export async function markRead(thread) {
  const newest = thread.pages.items.find((message) => message.kind === "in");
  if (!newest || (newest.read && !thread.pages.items.some((message) => message.kind === "in" && !message.read))) return;
  const answer = await api.post(`/conversations/${encodeURIComponent(thread.peer)}/read`, { through: newest.id }).catch(() => null);
  if (!answer) return;
  readAt.set(thread.peer, performance.now());
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
  if (!answer) return;
  const pages = threads.get(answer.to)?.pages;
  if (pages) pages.items = pages.items.map((item) => (item.id === answer.id ? { ...item, ...answer } : item));
  stateTold({ id: answer.id, to: answer.to, state: answer.state, error: answer.error?.code, updatedAt: answer.updatedAt });
}
