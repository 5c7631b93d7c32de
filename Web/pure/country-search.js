import { countries } from "./countries.js";

/** @typedef {import("./countries.js").Country} Country */

/**
 * @param {string} text
 * @returns {string} Small letters without marks.
 */
const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();

/**
 * Countries whose name (or a word of it), code or dial code begins so, then those whose name has it anywhere.
 * @param {string} query "" for all.
 * @param {(code: string) => string} name In the reader's language.
 * @param {string} [language] That language, for the order.
 * @returns {Country[]} The best first, then in the order of their names.
 */
export function search(query, name, language) {
  const wanted = folded(query);
  const dial = /^(\+|00)?(\d+)$/.exec(wanted.replace(/[\s-]/g, ""))?.[2];
  const found = countries
    .map((country) => {
      const called = name(country.code);
      const words = folded(called);
      let rank = 3;
      if (wanted === country.code.toLowerCase() || (country.dial === dial && !country.leading.length)) rank = -1;
      else if (!wanted || country.dial === dial) rank = 0;
      else if (dial) rank = country.dial.startsWith(dial) || begins(country, dial) ? 1 : 3;
      else if (words.startsWith(wanted)) rank = 0;
      else if (words.split(/[\s-]+/).some((word) => word.startsWith(wanted))) rank = 1;
      else if (words.includes(wanted)) rank = 2;
      return { country, called, rank };
    })
    .filter((one) => one.rank < 3);
  return found
    .sort((a, b) => a.rank - b.rank || a.called.localeCompare(b.called, language))
    .map((one) => one.country);
}

/**
 * @param {Country} country
 * @param {string} dial
 */
const begins = (country, dial) => country.leading.some((leading) => leading && dial.startsWith(country.dial + leading));
