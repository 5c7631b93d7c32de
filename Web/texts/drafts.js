import { db } from "../core/db.js";
import { Signal } from "../core/signal.js";

/** @typedef {{text: string, at: number}} Draft */

/** What was begun, by number; `new` is the new text's form. */
export const drafts = new Signal(/** @type {Map<string, Draft>} */ (new Map()));

/**
 * What the form for a new text held.
 * @type {string}
 */
const formKey = "new";

/** Reads what was begun before. */
export async function loadDrafts() {
  const [keys, all] = await Promise.all([db.keys("drafts"), db.all("drafts")]).catch(() => [[], []]);
  drafts.value = new Map(keys.map((key, at) => /** @type {[string, Draft]} */ ([String(key), all[at]])).filter(([key]) => key !== formKey));
}
