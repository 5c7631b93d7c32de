// Whether the app can go to the home screen, by what the browser has, not by its name.

import { Signal } from "../core/signal.js";

/**
 * The browser's own question, kept for our button.
 * @typedef {Event & {prompt(): Promise<void>, userChoice: Promise<{outcome: string}>}} Question
 */

/** @type {Signal<Question | null>} */
export const question = new Signal(/** @type {Question | null} */ (null));

addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  question.value = /** @type {Question} */ (event);
});
addEventListener("appinstalled", () => {
  question.value = null;
});

/** Whether it runs from the home screen now. */
export const isInstalled = () =>
  matchMedia("(display-mode: standalone), (display-mode: fullscreen)").matches ||
  /** @type {any} */ (navigator).standalone === true;

/** Whether only the Share menu can put it there: such a browser says that it is not standalone, and asks nothing. */
export const needsGuide = () => /** @type {any} */ (navigator).standalone === false;

/**
 * Asks the person with the browser's own question.
 * @returns {Promise<boolean>} whether they agreed
 */
export async function install() {
  const asked = question.value;
  if (!asked) return false;
  question.value = null;
  await asked.prompt();
  return (await asked.userChoice).outcome === "accepted";
}
