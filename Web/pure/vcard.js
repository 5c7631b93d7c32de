/**
 * Contacts from files: vCard 2.1 (versit), 3.0 (RFC 2426) and 4.0 (RFC 6350), as address books really write them.
 * Nothing here throws, whatever the file is; what can not be read is left out.
 */
import { clean } from "./numbers.js";

/**
 * @typedef {object} Numbered
 * @property {string} label "mobile", "home", "work", "main", "fax", "pager", "other", or the owner's own word.
 * @property {string} number As written; after `merge` in E.164.
 *
 * @typedef {object} Contact
 * @property {string} name May be empty.
 * @property {Numbered[]} numbers
 */

export const mostCards = 5000;
export const mostBytes = 5 << 20;
const mostNumbers = 50;
const longestName = 200;

const labels = [
  ["cell", "mobile"],
  ["iphone", "mobile"],
  ["mobile", "mobile"],
  ["fax", "fax"],
  ["pager", "pager"],
  ["main", "main"],
  ["home", "home"],
  ["work", "work"],
];

/**
 * The contacts of a file, those without a number among them.
 * @param {string|ArrayBuffer|Uint8Array} file
 * @returns {{contacts: Contact[], cut: boolean}} `cut`: there was more than is read.
 */
export function parse(file) {
  const all = bytesOf(file);
  const lines = unfolded(binary(all.subarray(0, mostBytes)));
  /** @type {Contact[]} */
  const contacts = [];
  /** @type {Property[]|null} */
  let card = null;
  let inner = 0;
  let last = "";
  for (const line of lines) {
    const property = propertyOf(line);
    if (!property) continue;
    const isCard = property.value.trim().toUpperCase() === "VCARD";
    if (property.name === "BEGIN" && isCard) {
      // An AGENT of version 2.1 is a card inside; otherwise the card before was never closed.
      if (card && last === "AGENT") inner += 1;
      else {
        if (card) contacts.push(contactOf(card));
        card = [];
        inner = 0;
      }
    } else if (property.name === "END" && isCard) {
      if (inner) inner -= 1;
      else if (card) {
        contacts.push(contactOf(card));
        card = null;
      }
    } else if (card && !inner && read.has(property.name)) card.push(property);
    last = property.name;
    if (contacts.length === mostCards) return { contacts, cut: true };
  }
  if (card) contacts.push(contactOf(card));
  return { contacts, cut: all.length > mostBytes };
}

const read = new Set(["FN", "N", "NICKNAME", "ORG", "TEL", "X-ABLABEL"]);

/**
 * @typedef {object} Property
 * @property {string} group
 * @property {string} name
 * @property {string[]} types
 * @property {string} value Still escaped.
 */

/** @param {string|ArrayBuffer|Uint8Array} file */
function bytesOf(file) {
  if (typeof file === "string") return new TextEncoder().encode(file);
  const bytes = file instanceof Uint8Array ? file : new Uint8Array(file);
  const mark = (bytes[0] << 8) | bytes[1];
  if (mark !== 0xfffe && mark !== 0xfeff) return bytes;
  const text = new TextDecoder(mark === 0xfffe ? "utf-16le" : "utf-16be").decode(bytes.subarray(0, 2 * mostBytes));
  return new TextEncoder().encode(text);
}

/**
 * One character an octet: lines are put together before they are read, for some writers fold inside a character.
 * @param {Uint8Array} bytes
 */
function binary(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return text.replace(/^\xEF\xBB\xBF/, "");
}

/** @param {string} text */
function* unfolded(text) {
  const lines = text.replace(/\r\n?/g, "\n").replace(/\n[ \t]/g, "").split("\n");
  for (let at = 0; at < lines.length; at += 1) {
    let line = lines[at];
    if (/^[^:]*QUOTED-PRINTABLE/i.test(line.slice(0, 300))) {
      const pieces = [];
      while (line.endsWith("=") && at + 1 < lines.length) {
        pieces.push(line.slice(0, -1));
        line = lines[(at += 1)];
      }
      line = pieces.join("") + line;
    }
    yield line;
  }
}

/**
 * @param {string} line
 * @returns {Property|null}
 */
function propertyOf(line) {
  const head = /^\s*(?:([\w-]+)\.)?([\w-]+)((?:;(?:"[^"]*"|[^":;])*)*):/.exec(line.slice(0, 2000));
  if (!head) return null;
  const [whole, group = "", name, written] = head;
  const parameters = (written.match(/;(?:"[^"]*"|[^";])*/g) ?? []).map((one) => one.slice(1).replace(/"/g, ""));
  /** @type {string[]} */
  const types = [];
  let charset = "";
  let quoted = false;
  for (const parameter of parameters) {
    const [key, value = key] = parameter.toUpperCase().split("=", 2);
    if (key === "CHARSET") charset = value;
    else if (value === "QUOTED-PRINTABLE") quoted = true;
    else if (key === "TYPE" || key === value) types.push(...value.toLowerCase().split(","));
  }
  const upper = name.toUpperCase();
  if (upper === "AGENT" || !read.has(upper)) return { group, name: upper, types, value: line.slice(whole.length, 2000) };
  let value = line.slice(whole.length, whole.length + 10_000);
  if (quoted) value = value.replace(/=([\dA-F]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
  return { group: group.toLowerCase(), name: upper, types, value: decoded(value, charset) };
}

/**
 * @param {string} value One character an octet.
 * @param {string} charset
 */
function decoded(value, charset) {
  const bytes = Uint8Array.from(value, (character) => character.charCodeAt(0));
  for (const [name, fatal] of /** @type {[string, boolean][]} */ ([[charset || "utf-8", true], ["utf-8", true]])) {
    try {
      return new TextDecoder(name, { fatal }).decode(bytes);
    } catch {
      // No such charset, or not written in it: the next one.
    }
  }
  return new TextDecoder("windows-1252").decode(bytes);
}

/**
 * Splits at a separator that is not escaped, and takes the escapes away.
 * @param {string} value
 * @param {string} separator
 */
const split = (value, separator) =>
  (value.match(separator === ";" ? /(?:\\[^]|[^\\;])+|(?<=;|^)(?=;|$)/g : /[^]+/g) ?? []).map((one) =>
    one.replace(/\\([^])/g, (_, c) => (c === "n" || c === "N" ? " " : c)).replace(/\s+/g, " ").trim(),
  );

/**
 * @param {Property[]} properties
 * @returns {Contact}
 */
function contactOf(properties) {
  /** @param {string} name */
  const first = (name) => properties.find((one) => one.name === name && one.value.trim())?.value ?? "";
  /** @type {Numbered[]} */
  const numbers = [];
  for (const { group, types, value } of properties.filter((one) => one.name === "TEL").slice(0, mostNumbers)) {
    const number = dialled(split(value, "")[0] ?? "");
    if (!number) continue;
    const own = group && properties.find((one) => one.name === "X-ABLABEL" && one.group === group)?.value;
    numbers.push({ label: labelOf(types, split(own || "", "")[0] ?? ""), number });
  }
  const name =
    split(first("FN"), "")[0] || structured(first("N")) || split(first("NICKNAME"), "")[0] || split(first("ORG"), ";")[0];
  return { name: Array.from(name ?? "").slice(0, longestName).join(""), numbers };
}

/**
 * Family; given; additional; prefix; suffix. Where names are written without spaces, the family comes first.
 * @param {string} value
 */
function structured(value) {
  const [family = "", given = "", additional = "", prefix = "", suffix = ""] = split(value, ";");
  if (/^[\p{sc=Han}\p{sc=Hangul}]+$/u.test(family + given)) return family + given;
  return [prefix, given, additional, family, suffix].filter(Boolean).join(" ");
}

/**
 * A `tel:` URI (RFC 3966) without its extension; any other value as it is.
 * @param {string} value
 */
function dialled(value) {
  const uri = /^tel:([^;]*)(.*)/i.exec(value);
  if (!uri) return value.slice(0, 80);
  const context = /;phone-context=(\+\d+)/i.exec(uri[2]);
  const number = uri[1].replace(/%20/g, " ");
  return (context && !number.startsWith("+") ? context[1] + number : number).slice(0, 80);
}

/**
 * @param {string[]} types
 * @param {string} own Apple writes its own ones as _$!<Mobile>!$_.
 */
function labelOf(types, own) {
  const word = /^_\$!<(.*)>!\$_$/.exec(own)?.[1] ?? own;
  const written = [word.toLowerCase(), ...types];
  const known = labels.find(([type]) => written.some((one) => one === type || one.endsWith(type)));
  return known ? known[1] : word.trim().slice(0, 40) || "other";
}

/**
 * @typedef {object} Merged
 * @property {Contact[]} contacts All of them, numbers in E.164.
 * @property {number} added
 * @property {number} changed Contacts that were there and got a number or a name.
 * @property {number} known Contacts that brought nothing new.
 * @property {string[]} withoutNumber Names of those left out because they have no number.
 * @property {{name: string, number: string}[]} refused Numbers that no message can go to.
 */

/**
 * Puts imported contacts to those that are there. One who shares a number and the name (or has no name) is the same;
 * one whose every number is known under one other name is taken for that one, under the name it has here.
 * @param {Contact[]} existing
 * @param {Contact[]} imported
 * @param {string|null} [region] ISO 3166-1: where numbers without a country code belong.
 * @returns {Merged}
 */
export function merge(existing, imported, region) {
  /** @type {Merged} */
  const merged = { contacts: [], added: 0, changed: 0, known: 0, withoutNumber: [], refused: [] };
  /** @type {Map<string, Contact[]>} */
  const byNumber = new Map();
  /** @type {(contact: Contact, numbers: Numbered[]) => void} */
  const give = (contact, numbers) => {
    for (const one of numbers) {
      contact.numbers.push(one);
      byNumber.set(one.number, [...(byNumber.get(one.number) ?? []), contact]);
    }
  };
  for (const contact of existing) {
    const kept = { ...contact, numbers: [] };
    merged.contacts.push(kept);
    give(kept, contact.numbers);
  }
  for (const contact of imported) {
    /** @type {Map<string, Numbered>} */
    const numbers = new Map();
    for (const { label, number } of contact.numbers) {
      const { ok, e164 } = clean(number, region);
      if (!ok) merged.refused.push({ name: contact.name, number });
      else if (!numbers.has(e164)) numbers.set(e164, { label, number: e164 });
    }
    if (!numbers.size) {
      merged.withoutNumber.push(contact.name);
      continue;
    }
    const sharing = [...new Set([...numbers.keys()].flatMap((number) => byNumber.get(number) ?? []))];
    const same =
      sharing.find((one) => folded(one.name) === folded(contact.name) || !one.name || !contact.name) ??
      sharing.find((one) => [...numbers.keys()].every((number) => has(one, number)));
    if (!same) {
      const added = { name: contact.name, numbers: [] };
      merged.contacts.push(added);
      give(added, [...numbers.values()]);
      merged.added += 1;
      continue;
    }
    const fresh = [...numbers.values()].filter((one) => !has(same, one.number));
    const named = !same.name && contact.name;
    if (named) same.name = contact.name;
    give(same, fresh);
    if (fresh.length || named) merged.changed += 1;
    else merged.known += 1;
  }
  return merged;
}

/** @type {(contact: Contact, number: string) => boolean} */
const has = (contact, number) => contact.numbers.some((one) => one.number === number);

/** @param {string} name */
const folded = (name) => name.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
