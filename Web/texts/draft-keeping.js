import { db } from "../core/db.js";
import { drafts } from "./drafts.js";

/** @type {Map<string, string>} */
const unkept = new Map();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/**
 * Keeps what is typed, a moment later.
 * @param {string} peer
 * @param {string} text
 */
export function keepDraft(peer, text) {
  unkept.set(peer, text);
  clearTimeout(timer);
  timer = setTimeout(writeDrafts, 400);
}

/** Writes at once what is still to be kept: the page may go. */
export function writeDrafts() {
  clearTimeout(timer);
  if (unkept.size === 0) return;
  const all = new Map(drafts.value);
  for (const [peer, text] of unkept) {
    if (text.trim()) {
      const draft = { text, at: Date.now() };
      all.set(peer, draft);
      void db.put("drafts", draft, peer).catch(() => {});
    } else {
      all.delete(peer);
      void db.delete("drafts", peer).catch(() => {});
    }
  }
  unkept.clear();
  drafts.value = all;
}

/**
 * @param {string} peer
 * @returns {string}
 */
export const draftOf = (peer) => unkept.get(peer) ?? drafts.value.get(peer)?.text ?? "";

addEventListener("pagehide", writeDrafts);
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "hidden") writeDrafts();
});
