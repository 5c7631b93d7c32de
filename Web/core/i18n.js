import { Signal } from "./signal.js";

/** @typedef {string | {one?: string, other: string}} Phrase */
/** @typedef {Record<string, Phrase>} Catalogue */

/** The languages, each by its own name. */
export const languages = /** @type {const} */ ({ en: "English", fi: "Suomi", "zh-Hans": "简体中文" });

/** @type {Record<string, () => Promise<{default: Catalogue}>>} */
const catalogues = {
  en: () => import("../i18n/en.js"),
  fi: () => import("../i18n/fi.js"),
  "zh-Hans": () => import("../i18n/zh.js"),
};

/**
 * The words of a part of the app that is not needed at once, by language.
 * @typedef {Record<string, () => Promise<{default: Catalogue}>>} Words
 */

/**
 * The parts that were brought so far.
 * @type {Set<Words>}
 */
const parts = new Set();
/** @type {Catalogue} */
let phrases = {};
let spoken = "en";
/** @type {Intl.PluralRules} */
let plurals = new Intl.PluralRules("en");

/** The language of the screen, as a BCP 47 tag. */
export const language = new Signal("en");

/** What the person chose on this phone, or ""; a cookie, so that the server's page is in it, too. */
export const chosenLanguage = () => /(?:^|; )switchboard_language=([\w-]+)/.exec(document.cookie)?.[1] ?? "";

/**
 * The language to begin with.
 * @returns {string}
 */
export function firstLanguage() {
  if (chosenLanguage() === "pseudo") return "pseudo";
  const wishes = [chosenLanguage(), document.documentElement.lang, ...navigator.languages];
  for (const wish of wishes) {
    const found = Object.keys(languages).find((code) => code.split("-")[0] === wish.split("-")[0].toLowerCase());
    if (found) return found;
  }
  return "en";
}

/**
 * Brings a language's words and shows them everywhere.
 * @param {string} code one of `languages`; "pseudo" in tests
 * @param {{keep?: boolean}} [options] `keep` remembers it on this phone
 */
export async function setLanguage(code, options = {}) {
  const isPseudo = code === "pseudo";
  const read = await Promise.all([catalogues, ...parts].map((words) => wordsOf(words, code)));
  phrases = Object.assign({}, ...read);
  spoken = code;
  plurals = new Intl.PluralRules(isPseudo ? "en" : code);
  if (options.keep) document.cookie = `switchboard_language=${code}; path=/; max-age=31536000; samesite=lax${location.protocol === "https:" ? "; secure" : ""}`;
  document.documentElement.lang = isPseudo ? "en" : code;
  formats.clear();
  language.emit(isPseudo ? "en" : code);
}

/**
 * Brings the words of a part of the app, in the present language and in each that is chosen later.
 * @param {Words} words
 */
export async function bringWords(words) {
  if (parts.has(words)) return;
  const code = spoken;
  Object.assign(phrases, await wordsOf(words, code));
  parts.add(words);
  // Another language was chosen meanwhile.
  if (code !== spoken) Object.assign(phrases, await wordsOf(words, spoken));
}

/**
 * @param {Words} words
 * @param {string} code
 * @returns {Promise<Catalogue>}
 */
async function wordsOf(words, code) {
  const read = (await (words[code] ?? words.en)()).default;
  return code === "pseudo" ? Object.fromEntries(Object.entries(read).map(([key, phrase]) => [key, pseudo(phrase)])) : read;
}

/**
 * Longer and marked: what is not from the catalogue stands out.
 * @param {Phrase} phrase
 * @returns {Phrase}
 */
function pseudo(phrase) {
  const change = (/** @type {string} */ text) =>
    `[${text.replace(/\{\w+\}|[aeiou]/g, (found) => (found.length > 1 ? found : { a: "áá", e: "éé", i: "íí", o: "óó", u: "úú" }[found] ?? found))}]`;
  if (typeof phrase === "string") return change(phrase);
  return { one: phrase.one && change(phrase.one), other: change(phrase.other) };
}

/**
 * A sentence of the catalogue with its values.
 * @param {string} key
 * @param {Record<string, string | number>} [values] `n` chooses between one and many
 */
export function t(key, values = {}) {
  const phrase = phrases[key];
  if (phrase === undefined) return key;
  const text = typeof phrase === "string" ? phrase : (plurals.select(Number(values.n)) === "one" && phrase.one) || phrase.other;
  return text.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name];
    return value === undefined ? whole : typeof value === "number" ? number(value) : value;
  });
}

/**
 * Whether the catalogue has a sentence.
 * @param {string} key
 */
export const has = (key) => phrases[key] !== undefined;

// MARK: - Figures and times

/** @type {Map<string, any>} */
const formats = new Map();

/**
 * @template T
 * @param {string} name
 * @param {() => T} make
 * @returns {T}
 */
function format(name, make) {
  if (!formats.has(name)) formats.set(name, make());
  return formats.get(name);
}

/** @typedef {string | number | Date} Time */
/** @param {Time} at */
const date = (at) => (at instanceof Date ? at : new Date(at));

/** @param {number} value */
export const number = (value) => format("number", () => new Intl.NumberFormat(language.value)).format(value);

/**
 * 07:44
 * @param {Time} at
 */
export const time = (at) =>
  format("time", () => new Intl.DateTimeFormat(language.value, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" })).format(date(at));

/**
 * Today, yesterday, a weekday within a week, else the date.
 * @param {Time} at
 */
export function day(at) {
  const days = Math.round((midnight(new Date()) - midnight(date(at))) / 86_400_000);
  if (Math.abs(days) <= 1) {
    const word = format("days", () => new Intl.RelativeTimeFormat(language.value, { numeric: "auto" })).format(-days, "day");
    return word.charAt(0).toLocaleUpperCase(language.value) + word.slice(1);
  }
  if (days > 1 && days < 7) return format("weekday", () => new Intl.DateTimeFormat(language.value, { weekday: "long" })).format(date(at));
  const isThisYear = date(at).getFullYear() === new Date().getFullYear();
  return isThisYear
    ? format("date", () => new Intl.DateTimeFormat(language.value, { day: "numeric", month: "short" })).format(date(at))
    : format("year", () => new Intl.DateTimeFormat(language.value, { day: "numeric", month: "short", year: "numeric" })).format(date(at));
}

/**
 * The time of today, else the day in few letters: for lists.
 * @param {Time} at
 */
export function when(at) {
  const days = Math.round((midnight(new Date()) - midnight(date(at))) / 86_400_000);
  if (days === 0) return time(at);
  if (days > 0 && days < 7) return format("short", () => new Intl.DateTimeFormat(language.value, { weekday: "short" })).format(date(at));
  return day(at);
}

/** @param {Date} at */
const midnight = (at) => new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime();

/**
 * Day and time.
 * @param {Time} at
 */
export const dateTime = (at) => `${day(at)} ${time(at)}`;

/**
 * With seconds: for records only.
 * @param {Time} at
 */
export const precise = (at) =>
  format("precise", () => new Intl.DateTimeFormat(language.value, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" })).format(date(at));

/** @param {{amount: string, currency: string} | null | undefined} price */
export function money(price) {
  if (!price) return "";
  const shown = format(price.currency, () =>
    new Intl.NumberFormat(language.value, { style: "currency", currency: price.currency, currencyDisplay: "narrowSymbol", maximumFractionDigits: 4 }));
  return shown.format(Number(price.amount));
}

/** @param {string} code ISO 3166 */
export function countryName(code) {
  try {
    return format("countries", () => new Intl.DisplayNames([language.value], { type: "region" })).of(code) ?? code;
  } catch {
    return code;
  }
}

/**
 * "A, B and C"
 * @param {string[]} items
 */
export const list = (items) => format("list", () => new Intl.ListFormat(language.value, { type: "conjunction" })).format(items);
