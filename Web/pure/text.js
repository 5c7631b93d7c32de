/** Other people's text, made safe to look at. The text itself is never changed: only what is shown of it. */
import { graphemes } from "./graphemes.js";

/**
 * What to show of a text: controls as symbols, no marks that turn the writing direction of what stands around, no heap
 * of accents. Show it in an element with `dir="auto"`.
 * @param {string} text
 * @returns {string}
 */
export function display(text) {
  return (
    text
      // Half a surrogate pair.
      .replace(/\p{Cs}/gu, "\uFFFD")
      .replace(/\r\n?|[\x85\u2028\u2029]/g, "\n")
      // Symbols for control characters stand in their order from U+2400.
      .replace(/[\0-\x08\x0B-\x1F]/g, (c) => String.fromCharCode(0x2400 + c.charCodeAt(0)))
      .replace(/\x7F/g, "\u2421")
      .replace(/[\x80-\x9F\uFFF9-\uFFFB]/g, "\uFFFD")
      // Overrides turn letters round: that is a lie, and seen. Embeddings and isolates go.
      .replace(/[\u202D\u202E]/g, "\uFFFD")
      .replace(/[\u202A-\u202C\u2066-\u2069]/g, "")
      // Invisible tags, but for those that make the flag of a part of a country.
      .replace(/(\u{1F3F4}[\u{E0020}-\u{E007F}]{1,20})|[\u{E0000}-\u{E007F}]+/gu, "$1")
      .replace(/(\p{M}{20})\p{M}+/gu, "$1…")
  );
}

/**
 * A name or a text for the middle of a sentence of ours: its direction ends with it.
 * @param {string} text
 * @returns {string}
 */
export const isolate = (text) => `\u2068${display(text)}\u2069`;

/**
 * The beginning of a text for a list: one line, at most so many characters as a reader counts them.
 * @param {string} text
 * @param {number} [most]
 * @returns {string}
 */
export function cut(text, most = 120) {
  // A character that a person reads has seldom more than a dozen units.
  const begin = display(text.slice(0, most * 12)).replace(/\s+/g, " ").trim();
  const seen = graphemes(begin);
  if (seen.length <= most && text.length <= most * 12) return begin;
  return `${seen.slice(0, most).join("").trimEnd()}…`;
}

/**
 * One or two letters for a face: "MV" for Maija Virtanen, the first character of a Chinese name; "" for a number.
 * @param {string} name
 * @returns {string}
 */
export function initials(name) {
  const words = display(name.slice(0, 200)).match(/[\p{L}\p{Extended_Pictographic}][^\s]*/gu) ?? [];
  const [first, last] = [words[0], words.length > 1 ? words[words.length - 1] : undefined];
  if (!first) return "";
  const one = graphemes(first)[0];
  if (/[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}\p{Extended_Pictographic}]/u.test(one)) return one;
  return (one + (last ? (graphemes(last).find((c) => /\p{L}/u.test(c)) ?? "") : "")).toLocaleUpperCase();
}
