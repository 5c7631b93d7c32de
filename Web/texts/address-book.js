// Contacts: this phone's own list, the phone's picker where it has one, and files of cards elsewhere.

import { tellTabs } from "../core/channel.js";
import { db } from "../core/db.js";
import { list, t } from "../core/i18n.js";
import { session } from "../core/session.js";
import { isolate } from "../pure/text.js";
import { merge, mostBytes, parse } from "../pure/vcard.js";
import { loadPeople, people } from "./people.js";

/** @typedef {import("./people.js").Contact} Contact */

/** Whether the phone lets a page ask for contacts. */
export const hasPicker = "contacts" in navigator && "ContactsManager" in window;

/** Where numbers without a country code belong. */
const region = () => session.value.account?.region || session.value.region;

async function reread() {
  await loadPeople();
  tellTabs({ kind: "contacts" });
}

/** @param {Contact} contact */
export async function saveContact(contact) {
  const id = await db.put("contacts", contact);
  await reread();
  return Number(id);
}

/** @param {Contact} contact */
export async function deleteContact(contact) {
  if (contact.id !== undefined) await db.delete("contacts", contact.id);
  await reread();
}

/**
 * Joins new ones with those that are there: the same number is the same person.
 * @param {import("../pure/vcard.js").Contact[]} found
 * @returns {Promise<string[]>} what came of it, in sentences
 */
async function take(found) {
  const before = new Map(people.value.map((contact) => [contact.name + contact.numbers.map(({ number }) => number).join(), contact]));
  const { contacts, added, changed, known, withoutNumber, refused } = merge(people.value, found, region());
  const writes = [];
  for (const contact of /** @type {Contact[]} */ (contacts)) {
    if (!before.has(contact.name + contact.numbers.map(({ number }) => number).join())) writes.push(db.put("contacts", contact));
  }
  await Promise.all(writes);
  await reread();
  const lines = [t("texts.added", { n: added })];
  if (changed > 0) lines.push(t("texts.changed", { n: changed }));
  if (known > 0) lines.push(t("texts.known", { n: known }));
  if (withoutNumber.length > 0) lines.push(t("texts.withoutNumber", { n: withoutNumber.length, who: some(withoutNumber) }));
  if (refused.length > 0) lines.push(t("texts.refusedNumbers", { n: refused.length, who: some(refused.map(({ name, number }) => name || number)) }));
  return lines;
}

/**
 * The first few of many names.
 * @param {string[]} names
 */
function some(names) {
  const shown = names.slice(0, 4).map((name) => isolate(name || "?"));
  return names.length > shown.length ? `${shown.join(", ")} …` : list(shown);
}

/**
 * From files of cards.
 * @param {Iterable<File>} files
 * @returns {Promise<string[]>} what came of it
 */
export async function importFiles(files) {
  /** @type {string[]} */
  const lines = [];
  /** @type {import("../pure/vcard.js").Contact[]} */
  const found = [];
  for (const file of files) {
    if (file.size > mostBytes) {
      lines.push(t("texts.fileTooLarge", { file: isolate(file.name) }));
      continue;
    }
    const { contacts, cut } = parse(await file.arrayBuffer());
    found.push(...contacts);
    if (contacts.length === 0) lines.push(t("texts.noCards", { file: isolate(file.name) }));
    else if (cut) lines.push(t("texts.fileCut", { file: isolate(file.name), n: contacts.length }));
  }
  return found.length > 0 ? [...(await take(found)), ...lines] : lines;
}

/**
 * From the phone's picker.
 * @returns {Promise<string[]>} what came of it; nothing where the person chose none
 */
export async function importPicked() {
  /** @type {{name?: string[], tel?: string[]}[]} */
  const chosen = await /** @type {any} */ (navigator).contacts.select(["name", "tel"], { multiple: true });
  if (chosen.length === 0) return [];
  return take(chosen.map(({ name = [], tel = [] }) => ({ name: name[0] ?? "", numbers: tel.map((number) => ({ label: "", number })) })));
}

/**
 * The field's words for a number: home, work.
 * @param {string} label
 */
export function labelOf(label) {
  const known = ["mobile", "home", "work", "main", "fax", "pager", "other"];
  return known.includes(label) ? t(`texts.label.${label}`) : label;
}
