// A message's life in plain words. What a carrier wrote itself stands beside ours, as foreign text.

import { t } from "../core/i18n.js";
import { display } from "../pure/text.js";

/**
 * @typedef {{at: string, event: string, attempt: number | null, carrier: string | null, carrierID: string | null, detail: string | null}} Step
 * @typedef {{lamp: string, tone: string, what: string, note: string, said: string}} Told `said` is what the carrier wrote
 */

/**
 * The lamp and its tone for each event, and for each state of a message.
 * @type {Record<string, [string, string]>}
 */
const marks = {
  accepted: ["done", "ok"],
  scheduled: ["planned", ""],
  queued: ["waiting", ""],
  leased: ["busy", ""],
  held: ["unknown", "warn"],
  attempt: ["sent", ""],
  submitted: ["sent", ""],
  refused: ["failed", "danger"],
  throttled: ["minor", "warn"],
  unavailable: ["failed", "danger"],
  uncertain: ["unknown", "warn"],
  receipt: ["sent", ""],
  delivered: ["done", "ok"],
  rejected: ["failed", "danger"],
  undeliverable: ["failed", "danger"],
  expired: ["failed", "danger"],
  cancelled: ["stopped", ""],
  unknown: ["unknown", "warn"],
};

const reasons = new Set(["down", "silent", "throttled", "misconfigured"]);
const reports = new Set(["delivered", "buffered", "failed", "expired", "rejected", "unknown"]);

/** @param {string} name @returns {[string, string]} */
export const markOf = (name) => marks[name] ?? marks.unknown;

/** @param {string} state */
export const stateWord = (state) => (marks[state] ? t(`operator.state.${state}`) : state);

/**
 * States after which nothing more comes by itself.
 * @param {string} state
 */
export const isFinal = (state) => ["delivered", "rejected", "undeliverable", "expired", "cancelled"].includes(state);

/**
 * @param {Step} step
 * @returns {Told}
 */
export function told({ event, attempt, carrier, carrierID, detail }) {
  const [lamp, tone] = markOf(event);
  const name = display(carrier ?? "?");
  const said = display(detail ?? "");
  switch (event) {
    case "attempt": {
      // "NAME is REASON": why this carrier had to stand in for a better one.
      const [, first, reason] = /^(.*) is (\w+)$/.exec(detail ?? "") ?? [];
      const note = reason && reasons.has(reason) ? t(`operator.instead.${reason}`, { name: display(first) }) : "";
      return { lamp, tone, what: t("operator.step.attempt", { name, n: attempt ?? 1 }), note, said: note ? "" : said };
    }
    case "receipt": {
      const [status, ...rest] = (detail ?? "").split(": ");
      const word = reports.has(status) ? t(`operator.report.${status}`) : display(status);
      const [mark, colour] = status === "delivered" ? markOf("delivered") : ["failed", "rejected", "expired"].includes(status) ? markOf("rejected") : [lamp, tone];
      return { lamp: mark, tone: colour, what: t("operator.step.receipt", { name, status: word }), note: "", said: display(rest.join(": ")) };
    }
    case "submitted": {
      const note = carrierID ? t("operator.step.id", { id: display(carrierID) }) : "";
      return { lamp, tone, what: t("operator.step.submitted", { name }), note, said };
    }
    default: {
      const what = marks[event] ? t(`operator.step.${event}`, { name }) : event;
      const note = event === "uncertain" ? t("operator.step.uncertainNote") : "";
      return { lamp, tone, what, note, said };
    }
  }
}
