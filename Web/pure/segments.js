/**
 * What a text becomes as short messages: the same rules as the server's `GSMText` (3GPP TS 23.038, 23.040), so that the
 * counter needs no network. `Tests/GSMTextTests` and `Web/test/segments.test.js` share their vectors.
 */
import { graphemes } from "./graphemes.js";

/**
 * @typedef {object} Measure
 * @property {"gsm7"|"ucs2"} encoding
 * @property {number} units Septets (an escaped character counts two), or UTF-16 units.
 * @property {number} perPart Units that fit each part: the single limit while there is one part.
 * @property {number} parts At least 1.
 * @property {number} left Units still free in the last part.
 * @property {string[]} forcing The different characters that make it Unicode, as they come; at most 50.
 */

// The escape stands for itself in neither table.
const plain = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?" +
    "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);
const escaped = new Set("\f^{}\\[~]|€");

const mostForcing = 50;

/** @param {string} character */
const inGSM = (character) => plain.has(character) || escaped.has(character);

/**
 * Whether the whole text fits; a letter and its accent may be two characters where NFC makes one of the alphabet.
 * @param {string} text
 */
const fits = (text) => [...text].every(inGSM);

/**
 * Fills parts with pieces that stay whole.
 * @param {number[]} widths
 * @param {number} limit
 * @returns {{parts: number, last: number}}
 */
function fill(widths, limit) {
  let parts = 1;
  let last = 0;
  for (const width of widths) {
    if (last + width > limit) {
      parts += 1;
      last = 0;
    }
    last += width;
  }
  return { parts, last };
}

/**
 * @param {string} text
 * @returns {Measure}
 */
export function measure(text) {
  const composed = fits(text) ? text : text.normalize();
  const gsm = fits(composed);
  /** @type {number[]} */
  let widths;
  /** @type {string[]} */
  const forcing = [];
  if (gsm) {
    widths = (composed.match(/\r\n|[^]/g) ?? []).map((c) => (c.length > 1 || escaped.has(c) ? 2 : 1));
  } else {
    const pieces = graphemes(text);
    const found = new Set();
    for (const piece of pieces) {
      if (forcing.length === mostForcing) break;
      const key = piece.normalize();
      if (found.has(key) || fits(key)) continue;
      found.add(key);
      forcing.push([...piece].slice(0, 32).join(""));
    }
    widths = pieces.flatMap((p) => (p.length > 67 ? Array.from(p, (scalar) => scalar.length) : p.length));
  }
  const units = widths.reduce((sum, width) => sum + width, 0);
  const single = gsm ? 160 : 70;
  const perPart = units > single ? (gsm ? 153 : 67) : single;
  const { parts, last } = units > single ? fill(widths, perPart) : { parts: 1, last: units };
  return { encoding: gsm ? "gsm7" : "ucs2", units, perPart, parts, left: perPart - last, forcing };
}

// Families that look alike: the plain one first, then those it stands for.
const families =
  "\"«»“”„‟″‶〝〞〟❝❞ʺˮ˝ '‘’‚‛′‵‹›´`❛❜ʹʻʼʽˈˊˋ -‐‑‒–—―−⁃•‣⸺⸻˗ .。․ ,、 :ː꞉ ;⁏ !ǃ *∗⁎ +˖ =꞊ (❨⟮ )❩⟯ {❴ }❵ /÷⁄∕⧸ \\∖⧵⧹ " +
  "|¦∣ ~˜∼˷ ^ˆ _‗ x× Δ∆ Σ∑ Π∏ AΑ BΒ EΕ ZΖ HΗ IΙ KΚ MΜ NΝ OΟ PΡ TΤ YΥ XΧ";

/** @type {Map<string, string>} */
const lookalikes = new Map(
  families.split(" ").flatMap(([to, ...from]) => from.map((one) => /** @type {[string, string]} */ ([one, to]))),
);
const spaces = /^[\t\xA0\u1680\u2000-\u200A\u202F\u205F\u3000]$/;
const lines = /^[\v\x85\u2028\u2029]$/;
// Controls and what shows nothing.
const nothing =
  /^[\0-\x08\x0E-\x1F\x7F-\x84\x86-\x9F\xAD\u034F\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFE00-\uFE0F\uFEFF]$/;
// Small, vertical, half-width and full-width forms, and characters that stand for several: their compatibility form
// says which.
const compatible = /^[\uFE13-\uFE16\uFE50-\uFE6B\uFF01-\uFF5E｡､￡￥￤…‥‼⁇⁈⁉ﬀ-ﬄ]$/;

/**
 * What stands in for a character outside the alphabet, perhaps nothing; undefined when nothing looks like it.
 * @param {string} character
 * @returns {string|undefined}
 */
function lookalike(character) {
  const one = compatible.test(character) ? character.normalize("NFKC") : character;
  if (fits(one)) return one;
  if (nothing.test(one)) return "";
  if (spaces.test(one)) return " ";
  if (lines.test(one)) return "\n";
  return one === "⋯" ? "..." : lookalikes.get(one);
}

/**
 * The text with its lookalikes put back to plain characters, as the server's `smart` does: only where all of it then
 * fits the alphabet, and where it takes no more parts than before.
 * @param {string} text
 * @returns {string}
 */
export function smart(text) {
  const before = measure(text);
  if (before.encoding === "gsm7") return text;
  const after = Array.from(text, (c) => (inGSM(c) ? c : (lookalike(c) ?? c))).join("").normalize();
  return fits(after) && measure(after).parts <= before.parts ? after : text;
}

/**
 * The text without what forces Unicode: lookalikes become plain, letters that the alphabet lacks lose their marks, and
 * the rest is dropped.
 * @param {string} text
 * @returns {string}
 */
export function without(text) {
  /** @type {(character: string) => string} */
  const plainer = (c) => {
    if (inGSM(c)) return c;
    const found = lookalike(c);
    if (found !== undefined) return found;
    const [base] = c.normalize("NFD");
    return base === c ? "" : plainer(base);
  };
  return Array.from(text.normalize(), plainer).join("");
}
