// What the person wrote and got: the server's pages, what waits on this phone, and what the events tell, as one.

import { db } from "../core/db.js";
import { events } from "../core/events.js";
import { outbox } from "../core/outbox.js";
import { session, unread } from "../core/session.js";
import { Signal } from "../core/signal.js";
import { drafts, loadDrafts } from "./drafts.js";
import { loadNotes, notes } from "./notes.js";
import { Pages } from "./pages.js";
import { loadPeople, people } from "./people.js";

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
export const heard = new Map();
/**
 * When each was last seen as read: an answer that was on its way meanwhile must not make it unread again.
 * @type {Map<string, number>}
 */
export const readAt = new Map();
/**
 * The conversations that are in memory.
 * @type {Map<string, Thread>}
 */
export const threads = new Map();
const mostKept = 20;

/**
 * @param {Message} message
 * @returns {string}
 */
export const timeOf = (message) => (message.kind === "in" ? message.receivedAt : message.createdAt);
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
    if (Math.max(0, ...readAt.values()) < since) unread.value = answer.unread;
    return items.map((conversation) => {
      const told = heard.get(conversation.last.id);
      if ((readAt.get(conversation.peer) ?? 0) > since) conversation.unread = 0;
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
  const query = `${filter ? `filter=${filter}&` : ""}${words ? `q=${encodeURIComponent(words.replace(/\p{Cs}/gu, ""))}&` : ""}`;
  if (!query) return conversations;
  if (other?.[0] !== query) {
    other?.[1].stop();
    other = [query, makeListing(query)];
    void other[1].refresh();
  }
  return other[1];
}

/** The listings that are shown or may be again. */
export const listings = () => (other ? [conversations, other[1]] : [conversations]);

// MARK: - On this phone

/**
 * @param {Pages<any>} pages
 * @param {string} key
 */
export async function recall(pages, key) {
  const kept = await db.get("cache", key).catch(() => undefined);
  if (kept) pages.adopt(kept);
}

/** @type {Set<Thread | null>} */
const unkept = new Set();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let keepTimer;

/** @param {Thread | null} which null for the list */
export function keepSoon(which) {
  unkept.add(which);
  keepTimer ??= setTimeout(() => void keep().catch(() => {}), 250);
}

export async function keep() {
  clearTimeout(keepTimer);
  keepTimer = undefined;
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

// MARK: - From now on

let isBegun = false;

/** Follows the server and the outbox from now on. */
export function begin() {
  if (isBegun) return;
  isBegun = true;
  let owner = session.value.account?.id;
  open();
  session.subscribe(({ account }) => {
    if (account?.id === owner) return;
    owner = account?.id;
    forget();
    if (account) open();
  });
  conversations.changed.subscribe(() => keepSoon(null));
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") void keep().catch(() => {});
  });
  // What an event changes comes a moment after what it changes; what is told meanwhile is not lost.
  /** @type {(() => void)[]} */
  const early = [];
  /** @type {typeof import("./live.js") | null} */
  let live = null;
  /** @param {(module: typeof import("./live.js")) => void} act */
  const tell = (act) => {
    if (live) act(live);
    else early.push(() => live && act(live));
  };
  events.on("message.*", ({ data }) => tell((module) => module.stateTold(data)));
  events.on("inbox.received", ({ data }) => tell((module) => module.receivedTold(data.id)));
  events.on("inbox.read", ({ data }) => tell((module) => module.readTold(data.ids ?? [])));
  events.on("resync", () => readAgain());
  outbox.sent.subscribe((notice) => {
    if (notice?.entry.kind === "message") tell((module) => module.sentTold(notice.entry.key, notice.answer));
  });
  const bring = async () => {
    live = await import("./live.js");
    for (const act of early.splice(0)) act();
  };
  // Without a network it may not be on the phone yet; until it is, the events wait.
  const again = () => void bring().catch(() => setTimeout(again, 5000));
  again();
}

/** What this phone remembers, and then what the server says. */
function open() {
  void loadPeople();
  void loadNotes();
  void loadDrafts();
  void recall(conversations, "texts").then(() => conversations.refresh());
}

/** Nothing of one person is left for the next. */
function forget() {
  clearTimeout(keepTimer);
  keepTimer = undefined;
  unkept.clear();
  heard.clear();
  readAt.clear();
  for (const pages of [...listings(), ...[...threads.values()].map(({ pages }) => pages)]) pages.clear();
  threads.clear();
  other = null;
  people.value = [];
  notes.value = [];
  drafts.value = new Map();
}

/** Reads again what is shown. */
export function readAgain() {
  for (const pages of listings()) void pages.refresh();
  for (const { pages } of threads.values()) void pages.refresh();
}
