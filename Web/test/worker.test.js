// The service worker on a stage: its own source, run with a store, a network and a browser that are played.
import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "node:test";
import vm from "node:vm";

const source = fs.readFileSync(new URL("../worker.js", import.meta.url), "utf8");
const origin = "https://switchboard.example";
const build = { name: "A", files: ["/assets/main-A.js", "/assets/en-A.js"], shells: { en: "tag-en", fi: "tag-fi" } };

/** The Cache API over maps; `fetch` is the played network. */
class Store {
  /** @type {Map<string, Map<string, any>>} */
  caches = new Map();
  constructor(fetch) {
    this.fetch = fetch;
  }

  async keys() {
    return [...this.caches.keys()];
  }

  async delete(name) {
    return this.caches.delete(name);
  }

  async match(request, { cacheName }) {
    return this.caches.get(cacheName)?.get(new URL(request.url ?? request, origin).pathname);
  }

  async open(name) {
    if (!this.caches.has(name)) this.caches.set(name, new Map());
    const kept = this.caches.get(name);
    const path = (request) => new URL(request.url ?? request, origin).pathname;
    return {
      keys: async () => [...kept.keys()].map((key) => ({ url: origin + key })),
      put: async (request, answer) => void kept.set(path(request), answer),
      addAll: async (addresses) => {
        const answers = await Promise.all(addresses.map((address) => this.fetch(address)));
        if (answers.some((answer) => !answer.ok)) throw new TypeError("a file is not there");
        addresses.forEach((address, at) => kept.set(address, answers[at]));
      },
    };
  }
}

/** @param {object | null} [played] what is put into the worker */
function stage(played = build, { store, shell = "tag-en", missing = [] } = {}) {
  const asked = [];
  const fetch = async (request) => {
    const path = new URL(request.url ?? request, origin).pathname;
    asked.push(path);
    const ok = !missing.includes(path);
    return { ok, path, headers: { get: () => (path === "/shell" ? `W/"${network.shell}"` : null) } };
  };
  const network = { shell };
  const listeners = {};
  const state = { hasSkipped: false, hasClaimed: false };
  const kept = store ?? new Store(fetch);
  kept.fetch = fetch;
  const context = {
    URL, fetch, caches: kept, location: new URL(`${origin}/worker.js`), ...(played ? { BUILD: played } : {}),
    clients: { claim: async () => { state.hasClaimed = true; } },
    skipWaiting: async () => { state.hasSkipped = true; },
    addEventListener: (kind, listener) => { listeners[kind] = listener; },
  };
  context.self = context;
  vm.runInNewContext(source, context);
  const dispatch = async (kind, event = {}) => {
    const waits = [];
    listeners[kind]({ ...event, waitUntil: (promise) => waits.push(promise) });
    await Promise.all(waits);
  };
  /** What is answered; undefined where the browser goes to the network by itself. */
  const request = async (path, { mode = "cors", method = "GET", host = origin } = {}) => {
    let answer;
    listeners.fetch({ request: { url: host + path, mode, method }, respondWith: (promise) => { answer = promise; } });
    return answer;
  };
  return { dispatch, request, asked, state, network, store: kept };
}

test("it keeps the page and every file, and opens every screen from there", async () => {
  const { dispatch, request, asked } = stage();
  await dispatch("install");
  assert.deepEqual([...asked].sort(), ["/assets/en-A.js", "/assets/main-A.js", "/shell"]);
  asked.length = 0;
  for (const path of ["/", "/texts", "/texts/with/%2B358401234567", "/me/sessions", "/operator/carriers"]) {
    assert.equal((await request(path, { mode: "navigate" })).path, "/shell", path);
  }
  assert.equal((await request("/assets/main-A.js")).path, "/assets/main-A.js");
  assert.deepEqual(asked, []);
});

test("it leaves alone what is not the app's: the API, documents, other servers, writes", async () => {
  const { dispatch, request } = stage();
  await dispatch("install");
  for (const path of ["/api/v1/start", "/api/v1/events", "/worker.js", "/shell", "/assets/other-B.js"]) {
    assert.equal(await request(path), undefined, path);
  }
  assert.equal(await request("/docs/errors", { mode: "navigate" }), undefined);
  assert.equal(await request("/api/v1/account/export", { mode: "navigate" }), undefined);
  assert.equal(await request("/textsandmore", { mode: "navigate" }), undefined);
  assert.equal(await request("/texts", { mode: "navigate", method: "POST" }), undefined);
  assert.equal(await request("/assets/main-A.js", { host: "https://elsewhere.example" }), undefined);
});

test("it is not installed with the page of another build, nor with a file missing", async () => {
  await assert.rejects(stage(build, { shell: "tag-of-another-build" }).dispatch("install"), /another build/);
  await assert.rejects(stage(build, { missing: ["/assets/en-A.js"] }).dispatch("install"), /not there/);
  await assert.rejects(stage(build, { missing: ["/shell"] }).dispatch("install"));
});

test("when everything was removed at sign-out it asks the network, and makes no store again", async () => {
  const { dispatch, request, store, asked } = stage();
  await dispatch("install");
  store.caches.clear();
  asked.length = 0;
  assert.equal((await request("/sign-in", { mode: "navigate" })).path, "/sign-in");
  assert.deepEqual([asked, await store.keys()], [["/sign-in"], []]);
});

test("a new build has a store of its own until it takes over, and then the old one goes", async () => {
  const old = stage();
  await old.dispatch("install");
  const other = { name: "B", files: ["/assets/main-B.js"], shells: { en: "tag-2", fi: "tag-3" } };
  const fresh = stage(other, { store: old.store, shell: "tag-2" });
  await (await old.store.open("of-another-app")).put("/x", {});
  await fresh.dispatch("install");
  assert.equal((await old.store.keys()).length, 3);
  assert.equal((await old.request("/assets/main-A.js")).path, "/assets/main-A.js");
  assert.equal(fresh.state.hasSkipped, false);
  await fresh.dispatch("activate");
  assert.equal((await old.store.keys()).length, 2);
  assert.ok((await old.store.keys()).includes("of-another-app"));
  assert.equal(fresh.state.hasClaimed, true);
});

test("a new build takes over when the page says so", async () => {
  const { dispatch, state } = stage();
  await dispatch("message", { data: "hello" });
  assert.equal(state.hasSkipped, false);
  await dispatch("message", { data: "update" });
  assert.equal(state.hasSkipped, true);
});

test("another language brings another page; without a network the old one stays", async () => {
  const { dispatch, request, network, asked } = stage();
  await dispatch("install");
  network.shell = "tag-fi";
  asked.length = 0;
  await dispatch("message", { data: "language" });
  assert.deepEqual(asked, ["/shell"]);
  const page = await request("/texts", { mode: "navigate" });
  assert.equal(page.headers.get("etag"), 'W/"tag-fi"');
  network.shell = "tag-of-another-build";
  await dispatch("message", { data: "language" });
  assert.equal(await request("/texts", { mode: "navigate" }), page);
});

test("from a folder of sources it keeps nothing", async () => {
  const { dispatch, request, asked } = stage(null);
  await dispatch("install");
  assert.deepEqual(asked, []);
  assert.equal(await request("/texts", { mode: "navigate" }), undefined);
});
