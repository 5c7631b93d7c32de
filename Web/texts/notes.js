// Where no carrier sends for the exchange, the phone's own app does: what was handed to it, and the answers that the
// person put back here, stay on this phone.

import { db } from "../core/db.js";
import { Signal } from "../core/signal.js";

/** @typedef {{key: string, peer: string, kind: "in" | "out", text: string, at: number}} Note */

const most = 500;

/** From the oldest to the newest. */
export const notes = new Signal(/** @type {Note[]} */ ([]));

/** Reads what was kept before. */
export async function loadNotes() {
  notes.value = (await db.get("cache", "notes").catch(() => null)) ?? [];
}

/**
 * @param {"in" | "out"} kind
 * @param {string} peer
 * @param {string} text
 */
export async function keepNote(kind, peer, text) {
  const at = Date.now();
  notes.value = [...notes.value, { key: `note ${at} ${notes.value.length}`, peer, kind, text, at }].slice(-most);
  await db.put("cache", notes.value, "notes").catch(() => {});
}

/**
 * @param {Note} note
 */
export async function dropNote(note) {
  notes.value = notes.value.filter(({ key }) => key !== note.key);
  await db.put("cache", notes.value, "notes").catch(() => {});
}
