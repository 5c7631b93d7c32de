// Why a text did not go, in plain words, and what can still be done.

import { t } from "../core/i18n.js";
import { describe } from "../shell/errors.js";

/** @typedef {import("./states.js").Standing} Standing */

/** Codes of the exchange itself that have a sentence; a carrier's own codes are told by the state. */
const reasons = new Set(["expired", "refused", "no-carrier", "sealed", "no-answer", "interrupted", "unreachable", "settings"]);

/** States in which nothing more comes by itself. */
const failures = new Set(["refused", "rejected", "undeliverable", "expired"]);

/** @param {string} state */
export const isFailed = (state) => failures.has(state);

/**
 * Still to be called back.
 * @param {string} state
 */
export const canCancel = (state) => state === "scheduled" || state === "queued" || state === "leased" || state === "held";

/**
 * Why, in plain words; "" where the state says it all.
 * @param {Standing} of
 */
export function reasonOf({ state, error, isLocal }) {
  if (!error) return "";
  if (isLocal) return describe(error.code);
  if (reasons.has(error.code)) return t(`texts.reason.${error.code}`);
  return failures.has(state) ? t(`texts.reason.${state}`) : "";
}
