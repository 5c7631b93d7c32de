import assert from "node:assert/strict";
import { test } from "node:test";
import { isSafeAddress } from "../core/template.js";

test("an address that is filled in stays in the app, or is a telephone's", () => {
  for (const address of ["/texts/with/%2B358401234567", "/", "#main", "?q=1", "tel:+358401234567", "sms:+358401234567?&body=a", "blob:http://127.0.0.1/1"]) {
    assert.ok(isSafeAddress(address), address);
  }
  for (const address of [
    "javascript:alert(1)", " javascript:alert(1)", "JAVASCRIPT:alert(1)", "data:text/html,x", "https://example.org/", "//example.org/",
    "/\\example.org/", "/\t/example.org/", "/\n/example.org/", "\\\\example.org", "vbscript:x", "",
  ]) assert.ok(!isSafeAddress(address), JSON.stringify(address));
});
