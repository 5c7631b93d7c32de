// A record's steps as sentences: what the exchange and the carriers did, by their codes.

import { language, t } from "../core/i18n.js";
import { display } from "../pure/text.js";

/**
 * @typedef {{at: string, event: string, attempt: number | null, carrier: string | null, carrierID: string | null,
 *   detail: string | null}} RawStep
 * @typedef {{at: string, lamp: string, tone: string, words: string, note: string}} Step
 */

/** @type {Record<string, [string, string]>} */
const lamps = {
  accepted: ["done", "ok"],
  scheduled: ["planned", ""],
  attempt: ["busy", ""],
  submitted: ["sent", ""],
  refused: ["failed", "danger"],
  throttled: ["paused", ""],
  unavailable: ["paused", "warn"],
  uncertain: ["unknown", "warn"],
  delivered: ["done", "ok"],
  rejected: ["failed", "danger"],
  undeliverable: ["failed", "danger"],
  expired: ["failed", "danger"],
  cancelled: ["stopped", ""],
  unknown: ["unknown", ""],
};
/** @type {Record<string, [string, string]>} */
const receiptLamps = {
  delivered: ["done", "ok"], buffered: ["waiting", ""], failed: ["failed", "danger"], expired: ["failed", "danger"],
  rejected: ["failed", "danger"], unknown: ["unknown", ""],
};
/**
 * The state that each kind of report ends in.
 * @type {Record<string, string>}
 */
const ends = { delivered: "delivered", failed: "undeliverable", rejected: "undeliverable", expired: "expired" };

/** @param {RawStep} step */
const reportOf = (step) => (step.event === "receipt" ? (step.detail ?? "").split(":")[0] : "");

/**
 * @param {{timeline: RawStep[]}} message
 * @returns {Step[]}
 */
export function stepsOf({ timeline }) {
  return timeline.flatMap((step, at) => {
    const next = timeline[at + 1];
    // An attempt that was answered is told by its answer; a report says the end already.
    if (step.event === "attempt" && !step.detail && next?.attempt === step.attempt) return [];
    const before = timeline[at - 1];
    if (before && at === timeline.length - 1 && ends[reportOf(before)] === step.event) return [];
    const report = reportOf(step);
    const [lamp, tone] = (report ? receiptLamps[report] : lamps[step.event]) ?? lamps.unknown;
    const carrier = display(step.carrier ?? t("texts.someCarrier"));
    const key = report ? `texts.step.receipt.${receiptLamps[report] ? report : "unknown"}` : `texts.step.${lamps[step.event] ? step.event : "unknown"}`;
    return [{ at: step.at, lamp, tone, words: t(key, { carrier }), note: noteOf(step) }];
  });
}

/**
 * The carriers' own sentences are English; who reads another language finds them behind Details.
 * @param {RawStep} step
 */
function noteOf({ event, attempt, detail }) {
  const said = language.value === "en" ? display((event === "receipt" ? detail?.split(": ").slice(1).join(": ") : detail) ?? "") : "";
  if (event === "attempt") return detail ? t("texts.step.instead", { why: display(detail) }) : "";
  if (!attempt) return event === "receipt" ? said : "";
  const number = attempt > 1 ? t("texts.step.attemptNumber", { n: attempt }) : "";
  return event === "submitted" ? number : [number, said].filter(Boolean).join(" · ");
}
