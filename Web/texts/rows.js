import { outbox } from "../core/outbox.js";
import { format } from "../core/numbering.js";
import { drafts } from "./drafts.js";
import { notes } from "./notes.js";
import { people } from "./people.js";
import { conversations } from "./store.js";

/**
 * @typedef {import("./store.js").Last} Last
 * @typedef {import("../core/outbox.js").Entry} Entry
 * @typedef {{peer: string, at: number, unread: number, last: Last | null, match: Last | null, waiting: Entry | null,
 *   draft: string}} Row
 * @typedef {"" | "unread" | "unsent"} Filter
 */

/**
 * Small letters without marks.
 * @param {string} text
 */
const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/**
 * The list as it is shown: the server's conversations, what waits on this phone, and what was begun.
 * @param {import("./store.js").Listing} listing @param {Filter} filter @param {string} words
 * @returns {Row[]} newest first
 */
export function rowsOf(listing, filter, words) {
  /** @type {Map<string, Entry>} */
  const waiting = new Map();
  for (const entry of outbox.entries.value) if (entry.kind === "message") waiting.set(entry.to, entry);
  const noted = new Map(notes.value.map((note) => [note.peer, note]));
  /** @type {Map<string, Row>} */
  const rows = new Map();
  /**
   * @param {string} peer
   * @param {import("./store.js").Conversation} [known]
   */
  const add = (peer, known) => {
    const entry = waiting.get(peer) ?? null;
    const draft = drafts.value.get(peer);
    const note = noted.get(peer);
    const told = known ? Date.parse(known.at) : 0;
    const at = Math.max(told, entry?.at ?? 0, note?.at ?? 0) || (draft?.at ?? 0);
    const last = note && note.at > told ? { ...note, id: note.key, state: "handedOver", error: null, at: "", notBefore: null } : (known?.last ?? null);
    rows.set(peer, {
      peer, at, unread: known?.unread ?? 0, last, match: known?.match ?? null, waiting: entry,
      draft: draft?.text ?? "",
    });
  };
  for (const known of listing.items) add(known.peer, known);
  const wanted = folded(words).trim();
  const known = new Map(conversations.items.map((conversation) => [conversation.peer, conversation]));
  /** @param {string} peer */
  const addOnce = (peer) => {
    if (!rows.has(peer)) add(peer, known.get(peer));
  };
  if (wanted) {
    for (const peer of named(wanted)) addOnce(peer);
    // Without the server, what this phone remembers is looked through.
    if (listing.error) {
      for (const { peer, last } of conversations.items) if (folded(`${format(peer)} ${peer} ${last.text ?? ""}`).includes(wanted)) addOnce(peer);
    }
  } else if (filter !== "unread") {
    for (const peer of waiting.keys()) addOnce(peer);
    if (!listing.isCut) for (const peer of drafts.value.keys()) addOnce(peer);
    if (!filter && !listing.isCut) for (const peer of noted.keys()) addOnce(peer);
  }
  if (filter === "unread" && listing.error) for (const { peer, unread } of conversations.items) if (unread > 0) addOnce(peer);
  return [...rows.values()].sort((one, other) => other.at - one.at);
}

/**
 * The numbers of contacts whose name or number has the words in it.
 * @param {string} wanted
 * @returns {string[]}
 */
function named(wanted) {
  const digits = wanted.replace(/[\s().-]/g, "");
  const isNumber = /^\+?\d{2,}$/.test(digits);
  return people.value.flatMap(({ name, numbers }) =>
    numbers.filter(({ number }) => folded(name).includes(wanted) || (isNumber && number.includes(digits))).map(({ number }) => number));
}
