// An answer of the server that is no success, as a sentence for a person.

import { ApiError } from "../core/api.js";
import { has, t } from "../core/i18n.js";

/**
 * What happened and what to do.
 * @param {unknown} error
 * @returns {string}
 */
export function sentence(error) {
  if (!(error instanceof ApiError)) return t("error.other");
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
  if (status === 429 && retryAfter) return t("error.wait", { when: waiting(retryAfter) });
  // Each code that people meet has a sentence under its own name.
  const key = `error.${code}`;
  return t(has(key) ? key : status >= 500 ? "error.unavailable" : "error.other");
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
