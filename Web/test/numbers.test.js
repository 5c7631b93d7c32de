import assert from "node:assert/strict";
import { test } from "node:test";
import { format, mask } from "../pure/format.js";
import { clean } from "../pure/numbers.js";

test("numbers are read as people write them", () => {
  // Written, dialled in, E.164 by libphonenumber 9.0.43 (python phonenumbers), but for the first, which is our own.
  /** @type {[string, string|null, string][]} */
  const vectors = [
    ["(04) 888-3333", "AE", "+97148883333"],
    ["040 123 4567", "FI", "+358401234567"], ["+358 (0)40 1234567", null, "+358401234567"], ["00358-40-1234567", "FI", "+358401234567"],
    ["358401234567", "FI", "+358401234567"], ["+3580401234567", null, "+358401234567"], ["+44 (0)20 7946 0958", null, "+442079460958"],
    ["07700 900123", "GB", "+447700900123"], ["011 44 20 7946 0958", "US", "+442079460958"], ["(415) 555-0123", "US", "+14155550123"],
    ["1-415-555-0123", "US", "+14155550123"], ["415.555.0123", "CA", "+14155550123"], ["0011 358 40 1234567", "AU", "+358401234567"],
    ["0039 06 1234 5678", null, "+390612345678"], ["06 1234 5678", "IT", "+390612345678"], ["393123456789", "IT", "+393123456789"],
    ["8 (912) 345-67-89", "RU", "+79123456789"], ["9123456789", "RU", "+79123456789"], ["8 029 123-45-67", "BY", "+375291234567"],
    ["06 20 123 4567", "HU", "+36201234567"], ["06 12 34 56 78", "FR", "+33612345678"], ["0151 23456789", "DE", "+4915123456789"],
    ["4915123456789", "DE", "+4915123456789"], ["070-123 45 67", "SE", "+46701234567"], ["5123 4567", "EE", "+37251234567"],
    ["138 1234 5678", "CN", "+8613812345678"], ["090-1234-5678", "JP", "+819012345678"], ["08123 456789", "IN", "+918123456789"],
    ["31612345678", "NL", "+31612345678"], ["0412 345 678", "AU", "+61412345678"], ["661 23 45 67", "MA", "+212661234567"],
    ["٠٤٠ ١٢٣ ٤٥٦٧", "FI", "+358401234567"], ["۰۹۱۲ ۳۴۵ ۶۷۸۹", "IR", "+989123456789"], ["＋３５８（４０）１２３４５６７", null, "+358401234567"],
    ["\u202A+358 40 1234567\u202C", null, "+358401234567"], ["+358–40–123‑4567", null, "+358401234567"], ["040/1234567", "FI", "+358401234567"],
    ["tel:+358401234567", null, "+358401234567"],
  ];
  for (const [written, region, e164] of vectors) {
    const cleaned = clean(written, region);
    assert.equal(cleaned.e164, e164, `${written} in ${region}`);
    assert.deepEqual([cleaned.ok, cleaned.reason], [true, null]);
  }
  assert.equal(clean("(04) 888-3333", "AE").national, "48883333");
});

test("the country comes along, the chosen one where no digits tell", () => {
  assert.equal(clean("040 123 4567", "FI").country, "FI");
  assert.equal(clean("0690 00 12 34", "MF").country, "MF");
  assert.equal(clean("+590690001234", "FI").country, "GP");
  assert.equal(clean("018 123456", "FI").country, "AX");
});

test("what no message can go to is refused, with the reason", () => {
  /** @type {[string, string|null, string][]} */
  const vectors = [
    ["", "FI", "empty"], [" - ", "FI", "empty"], ["+", "FI", "short"], ["112", "FI", "short"], ["+358 40", null, "short"],
    ["+358 40 123 4567 8901 2345", null, "long"], ["0401234567 ".repeat(5), "FI", "long"], ["+1 415 555 01234", null, "long"],
    ["1-800-FLOWERS", "US", "letters"], ["maija", "FI", "letters"], ["040 123 4567 ext. 12", "FI", "extension"],
    ["040 123 4567 x12", "FI", "extension"], ["+358401234567;ext=5", null, "extension"], ["0401234567#12", "FI", "extension"],
    ["040 123 4567 доб. 5", "FI", "extension"], ["040*1234567", "FI", "characters"], ["+358+401234567", null, "characters"],
    ["040 123 4567\0", "FI", "characters"], ["040 1234567", null, "country"], ["040 1234567", "ZZ", "country"], ["+999 1234567", null, "country"],
    ["+0401234567", "FI", "country"], ["9".repeat(100_000), "FI", "long"], ["011 15-2345-6789", "AR", "long"],
  ];
  for (const [written, region, reason] of vectors) {
    const cleaned = clean(written, region);
    assert.deepEqual([cleaned.ok, cleaned.reason, cleaned.e164], [false, reason, ""], `${written.slice(0, 50)} in ${region}`);
  }
});

test("numbers are shown in groups", () => {
  const shown = {
    "+358401234567": "+358 40 123 4567", "+358912345678": "+358 91 234 5678", "+447700900123": "+44 7700 900123", "+442079460958": "+44 20 7946 0958",
    "+14155550123": "+1 415 555 0123", "+8613812345678": "+86 138 1234 5678", "+8621123456": "+86 21 1234 56", "+4915123456789": "+49 151 2345 6789",
    "+46701234567": "+46 70 123 45 67", "+46812345678": "+46 8 123 456 78", "+37251234567": "+372 5123 4567", "+33612345678": "+33 6 12 34 56 78",
    "+79123456789": "+7 912 345 67 89", "+819012345678": "+81 90 1234 5678", "+918123456789": "+91 81234 56789", "+6591234567": "+65 9123 4567",
    "+39312345678": "+39 312 345 678", "+35818123456": "+358 18 123 456", "+376312345": "+376 312 345", "+2908999": "+290 8999", Switchboard: "Switchboard",
    "12345": "12345", "": "",
  };
  for (const [e164, groups] of Object.entries(shown)) assert.equal(format(e164), groups);
});

test("a masked number is the server's", () => {
  // Tests/PhoneNumbersTests.
  assert.equal(mask("+358401234567"), "+3584012••567");
  assert.equal(mask("+4740612345"), "+474•••••45");
});
