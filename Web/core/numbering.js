// The plan of the world's telephone numbers. It comes a moment after the first screen; until then a number is shown as
// it is written everywhere, without its country.

import { Signal } from "./signal.js";

/** @typedef {typeof import("../pure/numbers.js") & typeof import("../pure/format.js") & typeof import("../pure/countries.js")} Plan */

/** Told when it is there. */
export const plan = new Signal(/** @type {Plan | null} */ (null));

/** @type {Promise<Plan> | null} */
let coming = null;

/** @returns {Promise<Plan>} fails where there is no network to bring it */
export function bringPlan() {
  const parts = () => Promise.all([import("../pure/numbers.js"), import("../pure/format.js"), import("../pure/countries.js")]);
  coming ??= parts().then(([numbers, format, countries]) => {
    plan.value = { ...countries, ...format, ...numbers };
    return plan.value;
  }).catch((error) => {
    coming = null;
    throw error;
  });
  return coming;
}

/**
 * In groups, for reading.
 * @param {string} e164
 */
export const format = (e164) => plan.value?.format(e164) ?? e164;

/** @param {string} e164 */
export const countryOf = (e164) => plan.value?.countryOf(e164);

/** @param {string | null | undefined} code ISO 3166 */
export const country = (code) => plan.value?.country(code);

/**
 * As people of that country write it.
 * @param {string} code ISO 3166
 */
export const flag = (code) => code.replace(/[A-Z]/g, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0x1f1a5));
