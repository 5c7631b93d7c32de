import { language } from "../core/i18n.js";
import { Signal } from "../core/signal.js";
import { workerAddress } from "../core/trusted.js";

/** A worker with a newer app that waits for this one to make room. */
export const waitingWorker = new Signal(/** @type {ServiceWorker | null} */ (null));

/**
 * Looks after the newer versions of a registration.
 * @param {ServiceWorkerRegistration} registration
 */
export function followUpdates(registration) {
  const see = () => {
    // The first worker of all takes over silently: nothing older is shown.
    if (registration.waiting && navigator.serviceWorker.controller) waitingWorker.value = registration.waiting;
  };
  see();
  registration.addEventListener("updatefound", () => {
    registration.installing?.addEventListener("statechange", see);
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

/** How long the first screen has the line for itself. */
const patience = 2000;

/**
 * Installs the worker that opens the app without a network, when there is nothing else to do: on a slow line it would
 * compete with the first screen.
 */
export function startWorker() {
  const workers = navigator.serviceWorker;
  if (!workers) return;
  const install = () => void workers.register(workerAddress(), { updateViaCache: "none" }).then(followUpdates, () => {});
  setTimeout(() => ("requestIdleCallback" in globalThis ? requestIdleCallback(install) : install()), patience);
  // It keeps the page in one language.
  language.subscribe(() => workers.controller?.postMessage("language"));
}
