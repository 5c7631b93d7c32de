import assert from "node:assert/strict";
import { test } from "node:test";
import fs from "node:fs";
import en from "../i18n/operator.en.js";
import fi from "../i18n/operator.fi.js";
import zh from "../i18n/operator.zh.js";

/** @param {import("../core/i18n.js").Phrase} phrase */
const places = (phrase) => [...new Set(JSON.stringify(phrase).match(/\{\w+\}/g) ?? [])].sort();

test("the operator's words are there in every language, with the same places for values", () => {
  for (const other of [fi, zh]) {
    assert.deepEqual(Object.keys(other), Object.keys(en));
    for (const [key, phrase] of Object.entries(en)) assert.deepEqual(places(other[key]), places(phrase), key);
  }
});

test("every word that the operator's screens ask for is in the catalogue", () => {
  const folder = new URL("../operator/", import.meta.url);
  const source = fs.readdirSync(folder).map((name) => fs.readFileSync(new URL(name, folder), "utf8")).join("\n");
  for (const [, key] of source.matchAll(/\bt\("(operator\.[\w.]+)"/g)) assert.ok(key in en, key);
  // Those put together from a word of the server.
  for (const [, stem] of source.matchAll(/\bt\(`(operator\.[\w.]+\.)\$/g)) assert.ok(Object.keys(en).some((key) => key.startsWith(stem)), stem);
});
