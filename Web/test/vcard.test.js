import assert from "node:assert/strict";
import { test } from "node:test";
import { merge, mostBytes, mostCards, parse } from "../pure/vcard.js";

/** @type {(...lines: string[]) => string} */
const card = (...lines) => ["BEGIN:VCARD", ...lines, "END:VCARD", ""].join("\r\n");
/** @type {(file: string|Uint8Array) => unknown} */
const first = (file) => parse(file).contacts[0];
/** @type {(text: string) => Uint8Array} One octet a character. */
const latin = (text) => Uint8Array.from(text, (c) => c.charCodeAt(0));

test("version 2.1: quoted-printable over several lines, character sets, bare types", () => {
  const file = card(
    "VERSION:2.1", "N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Virtanen;M=C3=A4ij=", "=C3=A4;;;", "TEL;CELL;PREF:040 123 4567", "TEL;WORK;FAX:09-1234567",
  );
  assert.deepEqual(first(file), {
    name: "Mäijä Virtanen", numbers: [{ label: "mobile", number: "040 123 4567" }, { label: "fax", number: "09-1234567" }],
  });
  assert.deepEqual(first(latin(card("VERSION:2.1", "FN;CHARSET=ISO-8859-1:J\xF6rg", "TEL:1234567"))), { name: "Jörg", numbers: [{ label: "other", number: "1234567" }] });
  assert.equal(parse(latin(card("FN;CHARSET=windows-1251:\xCF\xF0\xE8"))).contacts[0].name, "При");
  assert.equal(parse(latin(card("FN:J\xF6rg"))).contacts[0].name, "Jörg", "without a word about it");
  assert.equal(parse(card("FN;CHARSET=no-such;ENCODING=QUOTED-PRINTABLE:J=C3=B6rg")).contacts[0].name, "Jörg");
});

test("version 3.0: folding, groups with Apple's labels, escapes", () => {
  const file = card(
    "VERSION:3.0", "PRODID:-//Apple Inc.//iPhone OS 18.0//EN", "FN:Anna-Liisa", "  Häkkinen\\, Dr.", "item1.TEL;type=pref:+358 40 1",
    " 234567", "item1.X-ABLabel:_$!<Mobile>!$_", "item2.TEL:+358501234567", "item2.X-ABLabel:Mökki\\, ranta", "TEL;TYPE=\"voice,home\":09 1", "PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQ",
    " BEGIN:VCARD",
  );
  assert.deepEqual(first(file), {
    name: "Anna-Liisa Häkkinen, Dr.",
    numbers: [
      { label: "mobile", number: "+358 40 1234567" }, { label: "Mökki, ranta", number: "+358501234567" }, { label: "home", number: "09 1" },
    ],
  });
});

test("a line folded inside a character is put together before it is read", () => {
  const text = latin("BEGIN:VCARD\r\nFN:M\xC3\r\n \xA4ki\r\nTEL:1\r\nEND:VCARD");
  assert.equal(parse(text).contacts[0].name, "Mäki");
});

test("version 4.0: tel: URIs without their extension", () => {
  const file = card(
    "VERSION:4.0", "FN:Semi\\; colon", "TEL;VALUE=uri;PREF=1;TYPE=\"cell\":tel:+1-555-555-5555;ext=5555", "TEL;VALUE=uri:tel:7042;phone-context=+358401",
  );
  assert.deepEqual(first(file), {
    name: "Semi; colon", numbers: [{ label: "mobile", number: "+1-555-555-5555" }, { label: "other", number: "+3584017042" }],
  });
});

test("a name comes from its parts, the nickname or the company where it is not written out", () => {
  const names = {
    "N:Virtanen;Maija;Anneli;Dr.;": "Dr. Maija Anneli Virtanen", "N:王;小明;;;": "王小明", "NICKNAME:Mummo": "Mummo", "ORG:Firma Oy;Sales": "Firma Oy", "FN:\r\nN:;Maija;;;": "Maija",
    "NOTE:x": "",
  };
  for (const [line, name] of Object.entries(names)) assert.equal(parse(card(line)).contacts[0].name, name, line);
});

test("many cards, line ends of every kind, a mark at the beginning, UTF-16, cards inside and unclosed", () => {
  const two = "\uFEFFBEGIN:VCARD\nFN:One\nTEL:1\nEND:VCARD\rBEGIN:vcard\rFN:Two\rEND:vcard\r";
  assert.deepEqual(parse(two).contacts.map(({ name }) => name), ["One", "Two"]);
  const wide = new Uint8Array(Uint16Array.from(two, (c) => c.charCodeAt(0)).buffer);
  assert.deepEqual(parse(wide).contacts.map(({ name }) => name), ["One", "Two"]);
  assert.deepEqual(parse(card("FN:Boss", "AGENT:", "BEGIN:VCARD", "FN:Agent", "TEL:1", "END:VCARD", "TEL:2")).contacts, [
    { name: "Boss", numbers: [{ label: "other", number: "2" }] },
  ]);
  assert.deepEqual(parse("BEGIN:VCARD\nFN:Lost\nBEGIN:VCARD\nFN:Next\nTEL:2").contacts.map(({ name }) => name), ["Lost", "Next"]);
});

test("nothing that is no address book throws", () => {
  const files = [
    "", "hello", "BEGIN:VCARD", "END:VCARD", "BEGIN:VCARD\nTEL", card("TEL;;;=:"), card('TEL;TYPE="open:1'), card("FN;ENCODING=QUOTED-PRINTABLE:=ZZ=", "="), "\0\u{10FFFF}".repeat(1000),
    card("N:;;;;"), card("ORG:"), card("FN:\\"), "\uFFFE",
  ];
  for (const file of files) assert.ok(Array.isArray(parse(file).contacts));
  const noise = Uint8Array.from({ length: 100_000 }, (_, at) => (at * at * 31 + at) % 256);
  assert.deepEqual(parse(noise).contacts, []);
  assert.deepEqual(parse(new ArrayBuffer(0)).contacts, []);
});

test("a file is read up to its bounds, and says so", () => {
  const many = parse(card("FN:x").repeat(mostCards + 5));
  assert.deepEqual([many.contacts.length, many.cut], [mostCards, true]);
  const large = parse(card("FN:x", `NOTE:${"a".repeat(mostBytes)}`));
  assert.deepEqual([large.contacts.length, large.cut], [1, true]);
  const person = parse(card(`FN:${"x".repeat(5000)}`, ...Array.from({ length: 500 }, (_, at) => `TEL:${at}`))).contacts[0];
  assert.deepEqual([person.name.length, person.numbers.length], [200, 50]);
  for (const hostile of [card(`FN${";A".repeat(100_000)}:x`), card(`FN:${"\\".repeat(1_000_000)}`), "BEGIN:VCARD\n".repeat(100_000), card(`N:${";".repeat(100_000)}`)]) parse(hostile);
});

/** @type {(name: string, ...numbers: string[]) => import("../pure/vcard.js").Contact} */
const contact = (name, ...numbers) => ({ name, numbers: numbers.map((number) => ({ label: "mobile", number })) });

test("the same file twice brings nothing new", () => {
  const imported = [contact("Maija", "040 123 4567", "+358 40 1234567"), contact("Matti", "050 123 4567")];
  const once = merge([], imported, "FI");
  assert.deepEqual(once.contacts, [contact("Maija", "+358401234567"), contact("Matti", "+358501234567")]);
  const twice = merge(once.contacts, imported, "FI");
  assert.deepEqual([twice.contacts, twice.added, twice.changed, twice.known], [once.contacts, 0, 0, 2]);
});

test("numbers join the one who has the name and a number; two who share a number stay two", () => {
  const home = merge([contact("Maija", "+358401234567", "+3589123456")], [contact("maija ", "0401234567", "0501234567"), contact("Matti", "09 123456", "0451234567")], "FI");
  assert.deepEqual(home.contacts, [
    contact("Maija", "+358401234567", "+3589123456", "+358501234567"), contact("Matti", "+3589123456", "+358451234567"),
  ]);
  assert.deepEqual([home.added, home.changed], [1, 1]);
});

test("a name that was changed here stays, and one that was missing is taken", () => {
  const merged = merge([contact("Mummo", "+358401234567"), contact("", "+358501234567")], [contact("Maija", "0401234567"), contact("Matti", "0501234567")], "FI");
  assert.deepEqual(merged.contacts.map(({ name }) => name), ["Mummo", "Matti"]);
  assert.deepEqual([merged.known, merged.changed], [1, 1]);
});

test("those without a number, and numbers that no message can go to, are told", () => {
  const merged = merge([], [contact("Nobody"), contact("Rescue", "112"), contact("Maija", "0401234567", "x")], "FI");
  assert.deepEqual(merged.withoutNumber, ["Nobody", "Rescue"]);
  assert.deepEqual(merged.refused, [{ name: "Rescue", number: "112" }, { name: "Maija", number: "x" }]);
  assert.equal(merged.contacts.length, 1);
});

test("what is there is not touched", () => {
  const existing = [Object.freeze({ ...contact("Maija", "+358401234567"), id: "a", numbers: Object.freeze([{ label: "home", number: "+358401234567" }]) })];
  const merged = merge(/** @type {any} */ (existing), [contact("Maija", "0401234567", "0501234567")], "FI");
  assert.equal(/** @type {any} */ (merged.contacts[0]).id, "a");
  assert.equal(merged.contacts[0].numbers.length, 2);
});
