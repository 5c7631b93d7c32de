// The app without a network: keeps the page and everything with a hashed name, and answers from there. What people
// write and read is not its business: nothing of the API is ever kept here.

/**
 * The addresses of all files of this build, and per language the tag of its page. Scripts/web fills them in; from a
 * folder of sources nothing is kept, so that what was just written is what runs.
 */
const assets = typeof ASSETS === "undefined" ? null : ASSETS;
const shells = typeof SHELLS === "undefined" ? {} : SHELLS;

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const prefix = "app-";
const shell = "/shell";

/** Named for what is in it: a new build has a new one, and the old one stays whole until the new one takes over. */
const cacheName = prefix + digest(JSON.stringify([assets, shells]));

/**
 * FNV-1a; only to tell builds from one another.
 * @param {string} text
 */
function digest(text) {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(36);
}

/** The page without anybody's data, in the language that the server chooses by the cookie. */
async function keepShell() {
  const answer = await fetch(shell, { cache: "no-cache" });
  // The page of another build would ask for files that are not kept here.
  const tag = answer.headers.get("etag")?.replace(/^W\/|"/g, "") ?? "";
  if (!answer.ok || !Object.values(shells).includes(tag)) throw new Error("the page is of another build");
  await (await caches.open(cacheName)).put(shell, answer);
}

async function install() {
  if (!assets) return;
  // Hashed names come out of the browser's own cache where the page has fetched them already.
  const kept = await caches.open(cacheName);
  const known = await kept.keys();
  const have = new Set(known.map((request) => new URL(request.url).pathname));
  await kept.addAll(assets.filter((address) => !have.has(address)));
  await keepShell();
}

async function activate() {
  for (const name of await caches.keys()) {
    if (name.startsWith(prefix) && name !== cacheName) await caches.delete(name);
  }
  await worker.clients.claim();
}

/** @param {Request} request */
async function answer(request) {
  const kept = await caches.open(cacheName);
  const found = await kept.match(request.mode === "navigate" ? shell : request, { ignoreVary: true });
  return found ?? fetch(request);
}

/** What the page's own paths are; everything else, such as documents of the server, is none of ours. */
const pages = /^\/(?:$|(?:sign-up|sign-in|texts|contacts|me|outbox|operator)(?:\/|$))/;

worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => event.waitUntil(activate()));

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (!assets || request.method !== "GET" || url.origin !== worker.location.origin) return;
  const isPage = request.mode === "navigate" && pages.test(url.pathname);
  if (isPage || assets.includes(url.pathname)) event.respondWith(answer(request));
});

worker.addEventListener("message", (event) => {
  // A new build takes over only when the person has agreed: the page reloads then.
  if (event.data === "update") event.waitUntil(worker.skipWaiting());
  // The cookie has another language now; without a network the old page does as well.
  if (event.data === "language" && assets) event.waitUntil(keepShell().catch(() => {}));
});
