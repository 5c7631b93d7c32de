// How much of a text there is, and what it costs: counted here at once, priced by the server where it is known.

import { api } from "../core/api.js";
import { money, t } from "../core/i18n.js";
import { html } from "../core/view.js";
import { display } from "../pure/text.js";

/**
 * @typedef {import("../pure/segments.js").Measure} Measure
 * @typedef {{amount: string, currency: string}} Price
 */

/** As the server: longer texts are refused. */
export const mostParts = 10;

/**
 * What a part costs, by number; null where the exchange has no price.
 * @type {Map<string, {part: number, currency: string} | null>}
 */
const prices = new Map();

/**
 * Numbers that nobody can have, as the server says: it knows more of them than the phone does.
 * @type {Set<string>}
 */
const impossible = new Set();

/** @param {string} peer */
export const isImpossible = (peer) => impossible.has(peer);

/**
 * An accepted text tells the price of the next one.
 * @param {{to?: string, price?: Price | null, parts?: number}} message
 */
export function learnPrice({ to, price, parts }) {
  if (to && price && parts && !prices.get(to)) prices.set(to, { part: Number(price.amount) / parts, currency: price.currency });
}

/**
 * Asks what a text to this number costs, and whether one can go there, once.
 * @param {string} peer
 * @returns {Promise<boolean>} whether something was learnt
 */
export async function askPrice(peer) {
  if (prices.has(peer)) return false;
  const answer = await api.post("/messages/preview", { text: "1", to: peer }).catch(() => null);
  if (!answer) return false;
  if (answer.error) impossible.add(peer);
  prices.set(peer, answer.price ? { part: Number(answer.price.amount) / answer.parts, currency: answer.price.currency } : null);
  return true;
}

/**
 * @param {string} peer
 * @param {number} parts
 * @returns {Price | null}
 */
export function priceOf(peer, parts) {
  const known = prices.get(peer);
  // Millionths, so that no rounding of fractions shows.
  return known ? { amount: String(Math.round(known.part * parts * 1e6) / 1e6), currency: known.currency } : null;
}

/**
 * "91 of 134 · 2 parts"
 * @param {Measure} measure
 */
export function counted(measure) {
  const most = measure.units + measure.left;
  return t("texts.counter", { used: measure.units, most, parts: t("texts.parts", { n: measure.parts }) });
}

/**
 * The same with its price, in one line.
 * @param {Measure} measure
 * @param {Price | null} price
 */
export const countLine = (measure, price) => html`${counted(measure)}${price ? ` · ${money(price)}` : ""}`;

/**
 * Which characters make it Unicode.
 * @param {Measure} measure
 */
export const forcing = (measure) => measure.forcing.slice(0, 6).map((character) => display(character)).join(" ") + (measure.forcing.length > 6 ? " …" : "");
