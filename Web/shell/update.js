// The worker that keeps the app on the phone, and what happens when there is a newer one.

import { language } from "../core/i18n.js";
import { session } from "../core/session.js";
import { Signal } from "../core/signal.js";
import { workerAddress } from "../core/trusted.js";

/** A worker with a newer app that waits for this one to make room. */
export const waitingWorker = new Signal(/** @type {ServiceWorker | null} */ (null));

/** What a first visit needs comes before the copies for the next one. */
const pause = 3000;
const betweenLooks = 3_600_000;
let isKept = false;

/** Keeps the app on the phone of whoever is signed in; a visitor's phone keeps nothing. */
export function keepApp() {
  const keep = () => {
    if (isKept || !session.value.account || !navigator.serviceWorker) return;
    isKept = true;
    setTimeout(() => void register().catch(() => {}), pause);
  };
  session.subscribe(keep);
  keep();
}

async function register() {
  if (!session.value.account) return;
  if (!navigator.onLine) {
    addEventListener("online", () => void register().catch(() => {}), { once: true });
    return;
  }
  const workers = navigator.serviceWorker;
  const registration = await workers.register(workerAddress(), { updateViaCache: "none" });
  // It keeps the page in one language.
  language.subscribe(() => workers.controller?.postMessage("language"));
  const see = () => {
    // The first worker of all takes over silently: nothing older is shown.
    if (registration.waiting && navigator.serviceWorker.controller) waitingWorker.value = registration.waiting;
  };
  see();
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", see));
  let lookedAt = Date.now();
  // An app on the home screen may not be opened anew for weeks.
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "visible" || Date.now() - lookedAt < betweenLooks) return;
    lookedAt = Date.now();
    registration.update().catch(() => {});
  });
}

/**
 * Looks for a newer version.
 * @returns {Promise<boolean>} whether one is there or on its way
 */
export async function lookForUpdate() {
  const registration = await navigator.serviceWorker?.getRegistration();
  if (!registration) return false;
  await registration.update();
  return Boolean(registration.waiting ?? registration.installing);
}

/** Lets the newer version take over, and opens the page anew when it has. */
export function takeUpdate() {
  const worker = waitingWorker.value;
  if (!worker) return location.reload();
  navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
  worker.postMessage("update");
}
