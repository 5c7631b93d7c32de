// What became of a text: a lamp, its tone and a word, and never more than is proved.

import { dateTime, t } from "../core/i18n.js";
import { lamp } from "../core/icons.js";
import { online } from "../core/session.js";
import { html } from "../core/view.js";
import { describe } from "../shell/errors.js";

/**
 * @typedef {{code: string, message: string | null} | null} Failure
 * @typedef {{state: string, error?: Failure, notBefore?: string | null, isLocal?: boolean, isCancelling?: boolean}} Standing `isLocal` while
 *   only this phone has it
 * @typedef {{lamp: string, tone: "" | "ok" | "warn" | "danger", word: string}} Mark
 */

/** @type {Record<string, [string, Mark["tone"]]>} */
const marks = {
  waiting: ["waiting", ""],
  turn: ["waiting", ""],
  sending: ["busy", ""],
  refused: ["failed", "danger"],
  scheduled: ["planned", ""],
  queued: ["waiting", ""],
  retrying: ["waiting", "warn"],
  leased: ["busy", ""],
  callingBack: ["busy", ""],
  submitted: ["sent", ""],
  held: ["unknown", "warn"],
  delivered: ["done", "ok"],
  rejected: ["failed", "danger"],
  undeliverable: ["failed", "danger"],
  expired: ["failed", "danger"],
  cancelled: ["stopped", ""],
  unknown: ["unknown", ""],
  handedOver: ["unknown", ""],
};

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
 * @param {Standing} of
 * @returns {Mark}
 */
export function markOf({ state, error, notBefore, isLocal, isCancelling }) {
  let name = state;
  if (state === "waiting" && online.value) name = "turn";
  if (state === "leased" && isCancelling) name = "callingBack";
  if (state === "queued" && error) name = "retrying";
  const [mark, tone] = marks[name] ?? marks.unknown;
  const word = state === "scheduled" && notBefore ? dateTime(notBefore) : t(`texts.state.${marks[name] ? name : "unknown"}`);
  return { lamp: mark, tone, word: isLocal && state === "refused" ? t("texts.state.rejected") : word };
}

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

/**
 * The lamp and the word.
 * @param {Standing} of
 * @param {string} [word]
 */
export function stateView(of, word) {
  const mark = markOf(of);
  return html`<span class="state ${mark.tone}">${lamp(mark.lamp)}${word ?? mark.word}</span>`;
}
