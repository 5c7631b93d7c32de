import { api } from "./api.js";
import { hearTabs, tellTabs } from "./channel.js";
import { db } from "./db.js";
import { events } from "./events.js";
import { Signal } from "./signal.js";

/**
 * @typedef {import("../.dist/api.js").Account} Account
 * @typedef {{version: string, signUp: "open" | "closed", household: boolean, gateway: boolean, region: string,
 *   countries: string[] | null, terms: string, account: Account | null, unread: number}} Start
 */

/** @type {Start} */
const nothing = {
  version: "", signUp: "closed", household: false, gateway: true, region: "FI", countries: null, terms: "", account: null, unread: 0,
};

/** Who is signed in, and what the server said when the app was opened. */
export const session = new Signal(nothing);
/** Whether the phone believes to have a network. */
export const online = new Signal(navigator.onLine);
/** Unread messages, for the badges. */
export const unread = new Signal(0);

addEventListener("online", () => { online.value = true; });
addEventListener("offline", () => { online.value = false; });
hearTabs("signed-out", () => location.replace("/sign-in"));
hearTabs("session", ({ start }) => { session.value = start; });

unread.subscribe((count) => {
  // Only in apps on the home screen; elsewhere it fails or does not exist.
  const phone = /** @type {any} */ (navigator);
  const badge = count > 0 ? phone.setAppBadge?.(count) : phone.clearAppBadge?.();
  badge?.catch(() => {});
});

/** @param {Start} start */
function take(start) {
  unread.value = start.unread ?? 0;
  session.value = start;
  // A visitor's phone keeps nothing.
  return start.account ? db.put("settings", start, "start").catch(() => {}) : undefined;
}

/**
 * What another person left on this phone goes before anything of this one comes. What is one's own stays, also over the
 * end of a session.
 * @param {Account} account
 */
async function own(account) {
  try {
    const owner = await db.get("settings", "owner");
    if (owner && owner !== account.id) await db.clear();
    if (owner !== account.id) await db.put("settings", account.id, "owner");
  } catch {
    // Without a store nothing of anybody is there.
  }
}

/** What came with the page; without it, what the phone remembers, and then what the server says. */
export async function openSession() {
  const first = document.getElementById("first")?.textContent;
  const given = first ? JSON.parse(first) : {};
  if (given.version) {
    if (given.account) await own(given.account);
    await take(given);
    return;
  }
  const known = await db.get("settings", "start").catch(() => undefined);
  if (known) {
    unread.value = known.unread ?? 0;
    session.value = known;
    void renew();
    return;
  }
  await renew();
}

/** Asks the server who is signed in. Without a network what was known stays. */
export async function renew() {
  try {
    const start = await api.get("/start");
    if (session.value.account && !start.account) await expire();
    if (start.account) await own(start.account);
    await take(start);
  } catch {
    // The answer to the next request will tell.
  }
}

/**
 * After a sign-in or sign-up.
 * @param {{account: Account}} answer
 */
export async function signIn(answer) {
  await own(answer.account);
  await take({ ...session.value, account: answer.account });
  tellTabs({ kind: "session", start: session.value });
  await renew();
}

/**
 * A change of one's own account.
 * @param {Account} account
 */
export const changeAccount = (account) => take({ ...session.value, account });

/** Ends the session here and on the server, and leaves nothing on this phone. */
export async function signOut() {
  await api.delete("/sessions/current").catch((error) => {
    // An ended session is what is wanted; without a network the server would keep it.
    if (error.status !== 401) throw error;
  });
  await forget();
  location.replace("/sign-in");
}

/** Told when the server has ended the session: it ran out, or was ended from elsewhere. */
export const expired = new Signal(0);

/** What the server had told goes; what the person wrote stays for when they sign in again. */
export async function expire() {
  if (!session.value.account) return;
  events.stop();
  session.value = { ...session.value, account: null };
  unread.value = 0;
  tellTabs({ kind: "signed-out" });
  expired.emit(expired.value + 1);
  await db.delete("settings", "start").catch(() => {});
  for (const key of await db.keys("cache").catch(() => [])) await db.delete("cache", key).catch(() => {});
}

/** Removes everything of this person from the phone. */
export async function forget() {
  events.stop();
  session.value = { ...session.value, account: null };
  unread.value = 0;
  await db.clear().catch(() => {});
  for (const name of (await globalThis.caches?.keys().catch(() => [])) ?? []) await caches.delete(name);
  for (const worker of (await navigator.serviceWorker?.getRegistrations().catch(() => [])) ?? []) await worker.unregister();
  localStorage.clear();
  sessionStorage.clear();
  tellTabs({ kind: "signed-out" });
}
