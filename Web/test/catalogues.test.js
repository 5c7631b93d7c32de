import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";

const folder = new URL("../i18n/", import.meta.url);
const areas = [...new Set(readdirSync(folder).flatMap((name) => /^(\w+)\.en\.js$/.exec(name)?.[1] ?? []))];

/** @param {string} area @param {string} language */
const words = async (area, language) => (await import(new URL(`${area}.${language}.js`, folder).href)).default;

/** The names in braces of a sentence, or of all its forms. @param {unknown} phrase */
const values = (phrase) => [...new Set(JSON.stringify(phrase).match(/\{\w+\}/g) ?? [])].sort();

for (const area of areas) {
  for (const language of ["fi", "zh"]) {
    test(`${area}: every sentence is there in ${language}, with the same values`, async () => {
      const english = await words(area, "en");
      const other = await words(area, language);
      assert.deepEqual(Object.keys(other).sort(), Object.keys(english).sort());
      for (const [key, phrase] of Object.entries(english)) assert.deepEqual(values(other[key]), values(phrase), key);
    });
  }
}

test("what counts has the form for one where the language has it", async () => {
  for (const area of areas) {
    for (const language of ["en", "fi"]) {
      for (const [key, phrase] of Object.entries(await words(area, language))) {
        if (typeof phrase === "object" && "other" in phrase) assert.ok(phrase.one, `${area}.${language} ${key}`);
      }
    }
  }
});
