// An answer of the server that is no success, as a sentence for a person.

import { ApiError } from "../core/api.js";
import { t } from "../core/i18n.js";

/** The server's codes that have a sentence of their own, and its key. @type {Record<string, string>} */
const sentences = {
  network: "shell.error.network",
  "wrong-credentials": "shell.error.credentials",
  "not-signed-in": "shell.error.session",
  "too-many-attempts": "shell.error.attempts",
  "invalid-number": "shell.error.number",
  "invalid-field": "shell.error.field",
  "no-carrier": "shell.error.carrier",
  "spending-cap": "shell.error.spending",
  "empty-text": "shell.error.emptyText",
  "text-too-long": "shell.error.longText",
  "invalid-time": "shell.error.time",
  "invalid-sender": "shell.error.sender",
  "not-found": "shell.error.gone",
  "disk-full": "shell.error.disk",
  unavailable: "shell.error.unavailable",
};

/**
 * What happened and what to do.
 * @param {unknown} error
 * @returns {string}
 */
export function sentence(error) {
  if (!(error instanceof ApiError)) return t("shell.error.unknown");
  return describe(error.code, error.status, error.retryAfter);
}

/**
 * The same for an error that was written down before, like that of a refused text.
 * @param {string} code
 * @param {number} [status]
 * @param {number | null} [retryAfter] seconds
 * @returns {string}
 */
export function describe(code, status = 0, retryAfter = null) {
  if (status === 429) return retryAfter ? t("shell.error.wait", { when: waiting(retryAfter) }) : t("shell.error.attempts");
  const key = sentences[code] ?? (status >= 500 ? "shell.error.unavailable" : "shell.error.unknown");
  return t(key);
}

/**
 * A time to wait, in words: under two minutes in seconds, under two hours in minutes.
 * @param {number} seconds
 * @returns {string}
 */
export function waiting(seconds) {
  if (seconds < 120) return t("shell.seconds", { n: Math.max(1, Math.ceil(seconds)) });
  if (seconds < 7200) return t("shell.minutes", { n: Math.ceil(seconds / 60) });
  return t("shell.hours", { n: Math.ceil(seconds / 3600) });
}

/**
 * What tells the operator where to look; never anything a person wrote.
 * @param {unknown} error
 * @returns {string}
 */
export function traceOf(error) {
  if (error instanceof ApiError) {
    return [error.code, error.status || null, error.detail, error.id].filter(Boolean).join(" · ");
  }
  return error instanceof Error ? error.name : "";
}
