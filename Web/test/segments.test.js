// The vectors are those of Tests/GSMTextTests, with their origins named there.
import assert from "node:assert/strict";
import { test } from "node:test";
import { measure, smart, without } from "../pure/segments.js";

/** @type {(text: string, count: number) => string} */
const times = (text, count) => text.repeat(count);

test("units, parts and what is left are as the server counts them", () => {
  /** @type {[string, number, number, number, number][]} */
  const vectors = [
    ["", 0, 1, 160, 160], ["hello", 5, 1, 160, 155], ["10 €", 5, 1, 160, 155], [times("a", 160), 160, 1, 160, 0],
    [times("a", 161), 161, 2, 153, 145], [times("a", 306), 306, 2, 153, 0], ["я", 1, 1, 70, 69], ["😀", 2, 1, 70, 68],
    [times("я", 71), 71, 2, 67, 63], [times("a", 152) + "€" + times("b", 99), 253, 2, 153, 52],
  ];
  for (const [text, units, parts, perPart, left] of vectors) {
    const { forcing, encoding, ...measured } = measure(text);
    assert.deepEqual(measured, { units, perPart, parts, left }, text);
  }
});

test("texts are cut where the server cuts them", () => {
  // Parts, and units in the last one.
  /** @type {[string, "gsm7"|"ucs2", number, number][]} */
  const vectors = [
    [times("a", 307), "gsm7", 3, 1], [times("a", 152) + times("€", 100), "gsm7", 3, 48], [times("€", 80), "gsm7", 1, 160],
    [times("€", 81), "gsm7", 2, 10], [times("[]", 41), "gsm7", 2, 12], [times("~", 153), "gsm7", 3, 2],
    [times("é", 160), "gsm7", 1, 160], [times("я", 70), "ucs2", 1, 70], [times("я", 135), "ucs2", 3, 1],
    [times("ç", 71), "ucs2", 2, 4], [times("я", 66) + "😀" + times("я", 40), "ucs2", 2, 42],
    [times("😀", 36), "ucs2", 2, 6], [times("😀", 100), "ucs2", 4, 2], ["a".repeat(66) + "😀😀😀", "ucs2", 2, 6],
    ["{" + times("2345678901", 15) + "234567890", "gsm7", 2, 8], ["😜" + times("2345678901", 6) + "234567890", "ucs2", 2, 4],
    [times("Привет мир!\n", 10), "ucs2", 2, 53],
    ["|}€€|]|€[~€^]€~{~^{|]]|[{|~€^|]^[[{€^]^{€}}^~~]€]~€[€€[]~~[}}]{^}{|}~~]]€^{^|€{^", "gsm7", 1, 160],
    ["|{[€|^€[{|€{[|^{~[}€|}|^|^[^]€{[]~}€]{{^|^][€]|€~€^[~}^]{]~{^^€^[~|^]|€~|^€{]{~|}", "gsm7", 2, 10],
    [times("я", 66) + "e\u0301" + times("я", 9), "ucs2", 2, 11], [times("я", 60) + "👨‍👩‍👧‍👦" + "я", "ucs2", 2, 12],
    [times("я", 65) + "👍🏽" + times("я", 5), "ucs2", 2, 9], [times("я", 65) + "🇫🇮🇦🇺", "ucs2", 2, 8],
    [times("я", 66) + "\r\nяяя", "ucs2", 2, 5], [times("я", 66) + "❤\uFE0F" + "яяя", "ucs2", 2, 5],
    [times("a", 152) + "\r\n" + times("a", 20), "gsm7", 2, 22], [times("a", 151) + "\r\n" + times("a", 20), "gsm7", 2, 20],
    [times("a", 152) + "\r\f" + times("a", 20), "gsm7", 2, 22], [times("\0", 71), "ucs2", 2, 4],
  ];
  for (const [text, encoding, parts, last] of vectors) {
    const measured = measure(text);
    assert.equal(measured.encoding, encoding, text);
    assert.deepEqual([measured.parts, measured.perPart - measured.left], [parts, last], text);
  }
});

test("one character longer than a part is cut between scalars", () => {
  const { parts, left } = measure("Hi e" + times("\u0323", 200) + "😀");
  assert.deepEqual([parts, 67 - left], [4, 5]);
});

test("what forces Unicode is named once, in its order", () => {
  /** @type {[string, string[]][]} */
  const vectors = [
    ["Hi “you” – “me”", ["“", "”", "–"]], ["plain", []], ["né ç á é", ["ç", "á"]],
    ["👨‍👩‍👧‍👦 and 🇫🇮 🇫🇮", ["👨‍👩‍👧‍👦", "🇫🇮"]], ["a\0b", ["\0"]], ["`x`", ["`"]], ["cafe\u0301 ж", ["ж"]], ["cafe\u0301", []],
  ];
  for (const [text, forcing] of vectors) assert.deepEqual(measure(text).forcing, forcing, text);
  assert.equal(measure(Array.from({ length: 900 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join("")).forcing.length, 50);
  assert.deepEqual(measure("e" + times("\u0323", 10_000)).forcing.map((one) => [...one].length), [32]);
});

test("lookalikes become plain as on the server", () => {
  /** @type {[string, string][]} */
  const vectors = [
    ["“Hi”, it’s me – really…", '"Hi", it\'s me - really...'], ["«Oui»", '"Oui"'], ["a—b―c−d", "a-b-c-d"],
    ["1\xA0000\u202F€", "1 000 €"], ["ze\u200Bro\uFEFF", "zero"], ["Ｈｅｌｌｏ！　１２３", "Hello! 123"],
    ["ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"], ["ΚΑΛΗΜΕΡΑ", "KAΛHMEPA"], ["3 × 4 ÷ 2", "3 x 4 / 2"],
    ["ﬁne oﬀer", "fine offer"], ["a\tb", "a b"], ["soft\xADhyphen", "softhyphen"], ["x\u2028y", "x\ny"],
    ["`code`", "'code'"], ["• one", "- one"], ["a\0b", "ab"], ["∆∑∏", "ΔΣΠ"], ["cafe\u0301 “x”", 'café "x"'],
    ["［］｛｝＼～＾｜｀", "[]{}\\~^|'"], ["￡１￥", "£1¥"],
  ];
  for (const [text, plain] of vectors) assert.equal(smart(text), plain, text);
  // Where something remains, all of it stays.
  for (const text of [
    "“Привет”", "“Hi” 😀", "naïve – résumé", "1½ – 2", "ç’est", "‘日’", "❤\uFE0F…", "1\uFE0F\u20E3", "Ο\u0301k", "", "plain", "10 € [x]",
  ]) {
    assert.equal(smart(text), text);
  }
  assert.equal(smart(times("…", 53)), times("...", 53));
  assert.equal(smart(times("…", 60)), times("…", 60), "180 septets, but 70 units are one part");
});

test("the characters of Twilio's list are replaced as there", () => {
  /** @type {[string, number[]][]} */
  const list = [
    ['"', [0xab, 0xbb, 0x201c, 0x201d, 0x2ba, 0x2ee, 0x201f, 0x275d, 0x275e, 0x301d, 0x301e, 0xff02, 0x201e]],
    ["'", [0x2018, 0x2019, 0x2bb, 0x2c8, 0x2bc, 0x2bd, 0x2b9, 0x201b, 0xff07, 0xb4, 0x2ca, 0x60, 0x2cb, 0x275b, 0x275c]],
    ["/", [0xf7, 0x29f8, 0x2044, 0x2215, 0xff0f]], ["\\", [0x29f9, 0x29f5, 0xfe68, 0xff3c]], ["|", [0x2223, 0xff5c]],
    ["-", [0x2015, 0xfe63, 0xff0d, 0x2010, 0x2043, 0x2013, 0x2014, 0x2022]], ["@", [0xfe6b, 0xff20]], ["$", [0xfe69, 0xff04]],
    ["!", [0x1c3, 0xfe15, 0xfe57, 0xff01]], ["#", [0xfe5f, 0xff03]], ["%", [0xfe6a, 0xff05]], ["&", [0xfe60, 0xff06]],
    [",", [0xfe50, 0xfe51, 0xff0c, 0xff64, 0x3001]], ["(", [0xfe59, 0xff08]], [")", [0xfe5a, 0xff09]],
    ["*", [0x204e, 0x2217, 0xfe61, 0xff0a]], ["+", [0x2d6, 0xfe62, 0xff0b]], [".", [0x3002, 0xfe52, 0xff0e, 0xff61]],
    [":", [0x2d0, 0xa789, 0xfe13, 0xff1a]], [";", [0x204f, 0xfe14, 0xfe54, 0xff1b]], ["<", [0xfe64, 0xff1c]],
    ["=", [0xa78a, 0xfe66, 0xff1d]], [">", [0xfe65, 0xff1e]], ["?", [0xfe16, 0xfe56, 0xff1f]], ["0", [0xff10]], ["9", [0xff19]],
    ["A", [0xff21]], ["Z", [0xff3a]], ["z", [0xff5a]], ["^", [0x2c6, 0xff3e]], ["{", [0xfe5b, 0xff5b]], ["}", [0xfe5c, 0xff5d]],
    ["[", [0xff3b]], ["]", [0xff3d]], ["~", [0x2dc, 0x2f7, 0x223c, 0xff5e]], ["!!", [0x203c]], ["...", [0x2026]],
    [" ", [0xa0, 0x2000, 0x2002, 0x2003, 0x2004, 0x2009, 0x200a, 0x202f, 0x205f, 0x3000, 0x09]],
    ["", [0x00, 0x03, 0x10, 0x2060, 0x200b, 0xfeff]],
  ];
  for (const [plain, values] of list) {
    for (const value of values) assert.equal(smart(`a${String.fromCodePoint(value)}b`), `a${plain}b`, value.toString(16));
  }
});

test("a text without what forces Unicode always fits, and letters lose only their marks", () => {
  assert.equal(without("naïve – “résumé” ő"), 'naive - "résumé" o');
  assert.equal(without("Hi 😀 ❤\uFE0F"), "Hi  ");
  assert.equal(without("Ο\u0301k 1\uFE0F\u20E3"), "Ok 1");
  assert.equal(without("Привет"), "");
  for (const text of ["👨‍👩‍👧‍👦 and 🇫🇮", "ｱé\ud800x", "Ǻ ǘ ﷺ \u{1D518}", "\u1E9B\u0323"]) assert.equal(measure(without(text)).encoding, "gsm7", text);
});

test("texts made to do harm come to an end", () => {
  for (const text of [times("я", 100_000), "e" + times("\u0301", 100_000), times("👩\u200D", 20_000), times("\ud83d", 50_000)]) {
    assert.ok(measure(text).parts > 100);
    smart(text);
    without(text);
  }
});
