// Who is behind a number: the person's own contacts, kept on this phone.

import { hearTabs } from "../core/channel.js";
import { db } from "../core/db.js";
import { Signal } from "../core/signal.js";
import { html } from "../core/view.js";
import { countryOf, flag, format } from "../core/numbering.js";
import { display, initials } from "../pure/text.js";
import "./style.js";

/**
 * @typedef {import("../pure/vcard.js").Contact & {id?: number}} Contact numbers in E.164
 */

/** The contacts, by name. */
export const people = new Signal(/** @type {Contact[]} */ ([]));
hearTabs("contacts", () => void loadPeople());
/** @type {Map<string, string>} */
let names = new Map();

/** Reads the contacts again. Without a store there are none. */
export async function loadPeople() {
  const found = /** @type {Contact[]} */ (await db.all("contacts").catch(() => []));
  names = new Map(found.flatMap(({ name, numbers }) => numbers.map(({ number }) => [number, name])));
  people.value = found.sort((one, other) => one.name.localeCompare(other.name));
}

/**
 * @param {string} peer
 * @returns {string | null}
 */
export const nameOf = (peer) => names.get(peer) ?? null;

/**
 * The name, or the number as people write it.
 * @param {string} peer
 */
export const titleOf = (peer) => display(nameOf(peer) ?? format(peer));

/**
 * Whether a text can be sent there: the name of a company can not be answered.
 * @param {string} peer
 */
export const isNumber = (peer) => /^\+[1-9]\d{3,14}$/.test(peer);

/**
 * @param {string} peer
 * @returns {string} ISO 3166, or ""
 */
export const countryCodeOf = (peer) => (isNumber(peer) ? (countryOf(peer)?.code ?? "") : "");

const hues = ["teal", "violet", "green", "amber"];

/**
 * The round mark before a name: initials in a colour of its own, or the flag of a number nobody has named.
 * @param {string} peer
 * @param {string | null} [name]
 */
export function face(peer, name = nameOf(peer)) {
  const country = countryCodeOf(peer);
  if (!name && country) return html`<span class="face me" aria-hidden="true">${flag(country)}</span>`;
  let sum = 0;
  for (const character of peer) sum = (sum * 31 + character.charCodeAt(0)) % 9973;
  return html`<span class="face ${hues[sum % hues.length]}" aria-hidden="true">${initials(name ?? peer) || "?"}</span>`;
}
