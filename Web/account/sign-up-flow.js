// What a visitor has given so far: number, code, password. Nothing typed is lost by going back, by a refusal or by a
// reload, except the secrets, which never leave the memory of the page.

import { ApiError, api } from "../core/api.js";
import { language } from "../core/i18n.js";
import { session } from "../core/session.js";
import { Signal } from "../core/signal.js";
import { plan } from "../core/numbering.js";

/**
 * @typedef {{id: string, phone: string, sentAt: number, expiresAt: string, resendAt: string}} Asked a code that was sent
 * @typedef {{country: string, number: string, asked: Asked | null, code: string, isRight: boolean, password: string,
 *   accepts: boolean}} Flow `isRight` when the server has found the code right
 */

const key = "sign-up";

/** @returns {Flow} */
function remembered() {
  const empty = { country: "", number: "", asked: null, code: "", isRight: false, password: "", accepts: false };
  try {
    return { ...empty, ...JSON.parse(sessionStorage.getItem(key) ?? "{}") };
  } catch {
    return empty;
  }
}

export const flow = new Signal(remembered());

/** @param {Partial<Flow>} what */
export function change(what) {
  flow.value = { ...flow.value, ...what };
  const { country, number, asked } = flow.value;
  try {
    sessionStorage.setItem(key, JSON.stringify({ country, number, asked }));
  } catch {
    // It then lasts as long as the page.
  }
}

/** Where numbers without a country code belong. */
export const country = () => flow.value.country || session.value.region;

/** @type {import("../pure/numbers.js").Cleaned} */
const unread = { ok: false, e164: "", national: "", country: null, reason: "empty" };

/** The number as it is typed, cleaned; before the plan of numbers is there, none. */
export const typed = () => plan.value?.clean(flow.value.number, country()) ?? unread;

/** Seconds until the code may be sent again. */
export function secondsToResend() {
  const { asked } = flow.value;
  return asked ? Math.max(0, Math.ceil((Date.parse(asked.resendAt) - Date.now()) / 1000)) : 0;
}

/** Whether the code can still be right. */
export const isExpired = () => flow.value.asked !== null && Date.parse(flow.value.asked.expiresAt) <= Date.now();

/**
 * Has a code sent to the number.
 * @param {string} [website] what a robot filled in
 */
export async function askCode(website = "") {
  const phone = flow.value.asked && !flow.value.number ? flow.value.asked.phone : typed().e164;
  const body = { phone, locale: language.value, ...(website ? { website } : {}) };
  try {
    const { id, expiresAt, resendAt } = await api.post("/sign-ups", body, { patient: false });
    const isNew = id !== flow.value.asked?.id;
    change({ asked: { id, phone, sentAt: Date.now(), expiresAt, resendAt }, ...(isNew ? { code: "", isRight: false } : {}) });
  } catch (error) {
    // A code is on its way already: the person came back and pressed again.
    const isSame = flow.value.asked?.phone === phone && !isExpired();
    if (error instanceof ApiError && error.status === 429 && isSame && secondsToResend() > 0) return;
    throw error;
  }
}

/** Asks the server whether the code is right; it stays valid. */
export async function checkCode() {
  const { asked, code } = flow.value;
  if (!asked) return;
  await api.post(`/sign-ups/${asked.id}/check`, { code }, { patient: false });
  change({ isRight: true });
}

/**
 * Ends it: the account, with the session's cookie.
 * @returns {Promise<{account: any, created: boolean}>}
 */
export async function finish() {
  const { asked, code, password } = flow.value;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const body = { code, password, acceptTerms: true, locale: language.value, zone };
  const answer = await api.post(`/sign-ups/${asked?.id ?? ""}/verify`, body, { patient: false });
  change({ number: "", asked: null, code: "", isRight: false, password: "", accepts: false });
  return answer;
}
