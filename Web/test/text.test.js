import assert from "node:assert/strict";
import { test } from "node:test";
import { cut, display, initials, isolate } from "../pure/text.js";

test("controls are seen, and nothing turns the writing direction", () => {
  assert.equal(display("a\0b\x1B[31m\x7F"), "a␀b␛[31m␡");
  assert.equal(display("one\r\ntwo\rthree\tfour"), "one\ntwo\nthree\tfour");
  assert.equal(display("invoice\u202Efdp.exe"), "invoice\uFFFDfdp.exe");
  assert.equal(display("\u2066a\u2069\u202Ab\u202C"), "ab");
  assert.equal(display("\ud800x\u0085"), "\uFFFDx\n");
  assert.equal(isolate("שלום"), "\u2068שלום\u2069");
  assert.equal(isolate("a\u2069b"), "\u2068ab\u2069", "nothing ends our isolate early");
});

test("what people do write stays as it is", () => {
  for (const text of ["👨‍👩‍👧‍👦 ❤️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿", "नमस्ते", "สวัสดีครับ", "Tiếng Việt", "سلام\u200F!", "می‌خواهم", "ä\u0308"]) assert.equal(display(text), text);
});

test("a heap of marks and hidden tags go", () => {
  assert.equal(display("Z" + "\u0336".repeat(500) + "!"), "Z" + "\u0336".repeat(20) + "…!");
  assert.equal(display("hi\u{E0068}\u{E0069}"), "hi");
});

test("a list shows the beginning, cut between characters that a reader sees", () => {
  assert.equal(cut("short\n text "), "short text");
  assert.equal(cut("👨‍👩‍👧‍👦".repeat(5), 3), "👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦…");
  assert.equal(cut("abc def ghi", 4), "abc…");
  assert.ok(cut("e\u0301".repeat(1_000_000), 120).length < 300);
});

test("a face has one or two letters", () => {
  const faces = {
    "Maija Virtanen": "MV", "王小明": "王", "김철수": "김", "maija": "M", "Äiti": "Ä", "Anna-Liisa von Berg": "AB", "": "", "+358401234567": "",
    "Dr. (Eva) Häkkinen": "DH", "e\u0301mile zola": "E\u0301Z", "🐱 Cat": "🐱", "Bank 24": "B", "ελένη": "Ε",
  };
  for (const [name, letters] of Object.entries(faces)) assert.equal(initials(name), letters, name);
});
