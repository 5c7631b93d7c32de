import assert from "node:assert/strict";
import { test } from "node:test";
import { readAgent } from "../account/agent.js";

// As the browsers send them.
const agents = [
  ["Safari", "iPhone", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1"],
  ["Safari", "iPhone", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148"],
  ["Chrome", "iPhone", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/141.0.7390.41 Mobile/15E148 Safari/604.1"],
  ["Safari", "Mac", "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15"],
  ["Edge", "Windows", "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0"],
  ["Firefox", "Linux", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"],
  ["Chrome", "Android", "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36"],
  ["curl", null, "curl/8.5.0"],
  [null, null, ""],
  [null, null, null],
];

test("a browser is called what people call it", () => {
  for (const [browser, system, agent] of agents) assert.deepEqual(readAgent(agent), { browser, system }, agent ?? "nothing");
});

test("a user agent of any length is read in no time", () => {
  assert.deepEqual(readAgent(`${"AppleWebKit/".repeat(100_000)}`), { browser: null, system: null });
});
