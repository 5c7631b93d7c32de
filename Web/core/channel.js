// What the tabs of one person tell each other.

/** @typedef {{kind: string, [name: string]: any}} Notice */

const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel("switchboard") : null;
/** @type {Map<string, Set<(notice: Notice) => void>>} */
const listeners = new Map();
channel?.addEventListener("message", (event) => {
  for (const listener of listeners.get(event.data?.kind) ?? []) listener(event.data);
});

/**
 * Tells the other tabs, not this one.
 * @param {Notice} notice
 */
export const tellTabs = (notice) => channel?.postMessage(notice);

/**
 * @param {string} kind
 * @param {(notice: any) => void} listener
 */
export function hearTabs(kind, listener) {
  const known = listeners.get(kind) ?? new Set();
  listeners.set(kind, known.add(listener));
}

/**
 * Runs `body` in one tab at a time; the others wait for their turn.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} body
 * @returns {Promise<T>}
 */
export function alone(name, body) {
  return navigator.locks ? navigator.locks.request(`switchboard-${name}`, body) : body();
}
