/** Telephone numbers as people write them. A quick check beside the field: the server has the last word. */
import { country as countryBy, countryOf } from "./countries.js";

/**
 * @typedef {"empty"|"characters"|"letters"|"extension"|"country"|"short"|"long"} Reason
 * - `characters`: a sign that no number has, or two numbers; `country`: no country code, or one that nobody has.
 *
 * @typedef {object} Cleaned
 * @property {boolean} ok
 * @property {string} e164 "+358401234567"; "" unless `ok`.
 * @property {string} national The digits after the country code; "" unless `ok`.
 * @property {string|null} country ISO 3166-1.
 * @property {Reason|null} reason Null when `ok`.
 */

/** As the server: more than any number needs, with all its separators. */
const longest = 40;

// The digits that numbers of people have after the dial code: fewest, most, dial codes. Fixed and mobile ranges of
// libphonenumber 9.0.43 (Apache-2.0).
const lengths = [
  [4, 11, "352"],
  [4, 13, "43"],
  [5, 9, "27"],
  [5, 10, "358,82"],
  [5, 15, "49"],
  [6, 9, "421,40,359"],
  [6, 10, "880,63"],
  [6, 11, "39"],
  [7, 8, "372"],
  [7, 9, "46,48,354,254"],
  [7, 10, "353"],
  [7, 11, "86"],
  [7, 12, "62,381"],
  [8, 8, "47,45,371,370,65,852,386,357,356,993"],
  [8, 9, "32,36,66,886,971,51,385"],
  [8, 10, "60,64,20,57"],
  [8, 12, "972"],
  [9, 9, "33,34,351,41,420,380,61,212,966,56,995,375"],
  [9, 10, "44,81,92,84"],
  [9, 11, "31"],
  [10, 10, "1,30,90,7,91,234,52"],
  [10, 11, "55,54"],
];

/** @type {Map<string, [number, number]>} */
const lengthsByDial = new Map(
  lengths.flatMap(([fewest, most, dials]) =>
    String(dials).split(",").map((dial) => /** @type {[string, [number, number]]} */ ([dial, [+fewest, +most]])),
  ),
);

/** @param {string} dial */
const lengthsOf = (dial) => lengthsByDial.get(dial) ?? [Math.max(1, 7 - dial.length), 15 - dial.length];

/** @param {string} character */
const digit = (character) => {
  const code = character.charCodeAt(0);
  const zero = [0x660, 0x6f0, 0xff10].find((zero) => code >= zero && code < zero + 10);
  return zero ? String(code - zero) : character;
};

/**
 * @param {Reason} reason
 * @returns {Cleaned}
 */
const refused = (reason) => ({ ok: false, e164: "", national: "", country: null, reason });

/**
 * Reads a number as it is written, pasted, or dialled inside `region`.
 * @param {string} text
 * @param {string|null} [region] ISO 3166-1: where a number without a country code belongs.
 * @returns {Cleaned}
 */
export function clean(text, region) {
  const written = text
    .slice(0, longest * 4)
    .replace(/[\u0660-\u0669\u06F0-\u06F9\uFF10-\uFF19]/g, digit)
    .replace(/＋/g, "+")
    .replace(/^\s*tel:/i, "")
    // Spaces, marks without width, dashes, dots, slashes, brackets.
    .replace(/[\s\xAD\u200B-\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF\-./()[\]－．／（）［］\u2010-\u2015\u2212]/g, "");
  if (!written) return refused("empty");
  if (/\d\s*(?:;?ext?\.?=?|[x×#,;]|p(?:uh)?\.?|ankn|доб\.?|转|分机)\d{1,7}#?$/iu.test(written)) return refused("extension");
  if (/\p{L}/u.test(written)) return refused("letters");
  if (!/^\+?\d*$/.test(written)) return refused("characters");
  if (text.length > longest) return refused("long");
  if (written.length < 2) return refused("short");

  const home = countryBy(region);
  const digits = international(written, home?.dial);
  if (digits) return checked(digits, home);
  if (!home) return refused("country");
  const national = withoutTrunk(written, home.dial, home.trunk);
  // The country code without its plus sign: where the number is too long for one inside the country, or has not the
  // zero that all of those begin with there.
  const [fewest, most] = lengthsByDial.get(home.dial) ?? [4, 10];
  const rest = written.length - home.dial.length;
  const isLong = national.length > most || (home.trunk === "0" && rest >= 8);
  if (written.startsWith(home.dial) && isLong && rest >= fewest && rest <= most) return checked(written, home);
  return checked(home.dial + national, home);
}

/**
 * The digits behind the plus sign, or behind what is dialled in its place; null for a number inside the country.
 * @param {string} written
 * @param {string} [dial] Of the country in which it is dialled.
 */
function international(written, dial) {
  const prefix = dial === "1" ? /^(\+|011|00)/ : dial === "61" ? /^(\+|0011|00)/ : /^(\+|00)/;
  return prefix.test(written) ? written.replace(prefix, "") : null;
}

/**
 * Zero is no first digit where it is the trunk prefix; other prefixes are digits of numbers, too, and go only where the
 * number would be too long.
 * @param {string} national
 * @param {string} dial
 * @param {string} trunk
 */
function withoutTrunk(national, dial, trunk) {
  if (!trunk || !national.startsWith(trunk)) return national;
  const most = lengthsOf(dial)[1];
  if (!trunk.startsWith("0") && national.length <= most) return national;
  const rest = national.slice(trunk.length);
  // Belarus dials 8 and then 0.
  return trunk === "8" && rest.length > most && rest.startsWith("0") ? rest.slice(1) : rest;
}

/**
 * @param {string} digits With the dial code.
 * @param {import("./countries.js").Country} [home]
 * @returns {Cleaned}
 */
function checked(digits, home) {
  if (digits.startsWith("0")) return refused("country");
  if (digits.length < 4) return refused("short");
  const first = countryOf(digits);
  if (!first) return refused("country");
  const { dial, trunk } = first;
  const national = withoutTrunk(digits.slice(dial.length), dial, trunk);
  const [fewest, most] = lengthsOf(dial);
  if (national.length < fewest || dial.length + national.length < 7) return refused("short");
  if (national.length > most || dial.length + national.length > 15) return refused("long");
  const found = countryOf(dial + national) ?? first;
  // Where no digits tell, the country that was chosen.
  const shared = home?.dial === dial && (!home.leading.length || home.leading[0] === "") && !found.leading.length;
  return { ok: true, e164: `+${dial}${national}`, national, country: (shared ? home : found).code, reason: null };
}
