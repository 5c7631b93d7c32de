import assert from "node:assert/strict";
import { test } from "node:test";
import { countries, country, countryOf, flag } from "../pure/countries.js";
import { search } from "../pure/country-search.js";

/** @type {(language: string) => (code: string) => string} */
const names = (language) => (code) => new Intl.DisplayNames(language, { type: "region" }).of(code) ?? code;
/** @type {(query: string, language?: string) => string[]} */
const found = (query, language = "en") => search(query, names(language), language).map(({ code }) => code);

test("every region of ISO 3166 is there once, and three more that have dial codes", () => {
  assert.equal(countries.length, 252);
  assert.equal(new Set(countries.map(({ code }) => code)).size, 252);
  for (const { code, dial } of countries) {
    assert.match(dial, /^[1-9]\d{0,2}$/, code);
    assert.notEqual(names("en")(code), code, "a name is known");
  }
});

test("regions that share a dial code each have it", () => {
  const shared = { 1: 26, 7: 2, 39: 2, 44: 4, 47: 3, 61: 3, 64: 2, 212: 2, 262: 3, 290: 2, 358: 2, 500: 2, 590: 3, 599: 2, 672: 3 };
  for (const [dial, count] of Object.entries(shared)) {
    assert.equal(countries.filter((one) => one.dial === dial).length, count, dial);
  }
});

test("a number tells its country by the longest prefix", () => {
  // Example numbers of libphonenumber 9.0.43 and its region for each.
  const numbers = {
    "+358412345678": "FI", "+35818123456": "AX", "+12015550123": "US", "+15062345678": "CA", "+12423591234": "BS", "+18092345678": "DO",
    "+18492345678": "DO", "+18762101234": "JM", "+16582345678": "JM", "+17872345678": "PR", "+16713001234": "GU", "+74951234567": "RU",
    "+77710009998": "KZ", "+447400123456": "GB", "+447781123456": "GG", "+447797712345": "JE", "+447700312345": "JE", "+447700900123": "GB", "+441624756789": "IM", "+4740612345": "NO",
    "+4779123456": "SJ", "+393123456789": "IT", "+390669812345": "VA", "+61412345678": "AU", "+61891641234": "CX", "+61891621234": "CC",
    "+590690001234": "GP", "+5993181234": "BQ", "+59995181234": "CW", "+262692123456": "RE", "+262639012345": "YT", "+212528812345": "EH",
    "+672381234": "NF", "+2908999": "TA", "+38343201234": "XK", "+8613123456789": "CN", "+85251234567": "HK",
  };
  for (const [number, code] of Object.entries(numbers)) assert.equal(countryOf(number)?.code, code, number);
  assert.equal(countryOf("358")?.code, "FI", "the beginning of a number tells as much as it can");
  for (const none of ["", "+", "+999123", "+0401234567", "hello"]) assert.equal(countryOf(none), undefined, none);
});

test("the trunk prefix is known where it is dropped", () => {
  const trunks = { FI: "0", IT: "", US: "1", RU: "8", HU: "06", EE: "", GB: "0", ES: "" };
  for (const [code, trunk] of Object.entries(trunks)) assert.equal(country(code)?.trunk, trunk, code);
});

test("countries are found by name, word, code and dial code", () => {
  assert.deepEqual(found("Finl"), ["FI"]);
  assert.deepEqual(found("suo", "fi")[0], "FI");
  assert.deepEqual(found("芬兰", "zh"), ["FI"]);
  assert.equal(found("aland")[0], "AX", "marks need not be written");
  assert.deepEqual(found("kingdom"), ["GB"]);
  assert.equal(found("fi")[0], "FI", "the code goes before names");
  assert.deepEqual(found("+358"), ["FI", "AX"]);
  assert.equal(found("44")[0], "GB");
  assert.deepEqual(found("+1 876").includes("JM"), true);
  assert.equal(found("").length, 252);
  assert.deepEqual(found("zzzz"), []);
  assert.deepEqual(found("+"), []);
  const all = found("", "sv");
  assert.ok(all.indexOf("AX") > all.indexOf("ZW"), "Swedish puts Å behind Z");
});

test("a flag is two letters of an emoji", () => assert.equal(flag("FI"), "🇫🇮"));
