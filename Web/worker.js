// The app without a network: keeps the page and everything with a hashed name, and answers from there. What people
// write and read is not its business: nothing of the API is ever kept here.

/**
 * What this build is called, the addresses of all that it needs, and per language the tag of its page. Scripts/web fills
 * them in; from a folder of sources nothing is kept, so that what was just written is what runs.
 */
const build = typeof BUILD === "undefined" ? null : BUILD;

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const prefix = "app-";
const shell = "/shell";

/** A new build has a store of its own, and the old one stays whole until the new one takes over. */
const cacheName = prefix + build?.name;

/** The page without anybody's data, in the language that the server chooses by the cookie. */
async function keepShell() {
  const answer = await fetch(shell, { cache: "no-cache" });
  const tag = answer.headers.get("etag")?.replace(/^W\/|"/g, "") ?? "";
  // The page of another build would ask for files that are not kept here.
  if (!answer.ok || !build || !Object.values(build.shells).includes(tag)) throw new Error("the page is of another build");
  await (await caches.open(cacheName)).put(shell, answer);
}

async function install() {
  if (!build) return;
  // Hashed names come out of the browser's own cache where the page has fetched them already.
  const kept = await caches.open(cacheName);
  const known = await kept.keys();
  const have = new Set(known.map((request) => new URL(request.url).pathname));
  await kept.addAll(build.files.filter((address) => !have.has(address)));
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
  const place = request.mode === "navigate" ? shell : request;
  const found = await caches.match(place, { cacheName, ignoreVary: true });
  return found ?? fetch(request);
}

/** What the page's own paths are; everything else, such as documents of the server, is none of ours. */
const pages = /^\/(?:$|(?:sign-up|sign-in|terms|texts|contacts|me|outbox|operator)(?:\/|$))/;

worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => event.waitUntil(activate()));

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (!build || request.method !== "GET" || url.origin !== worker.location.origin) return;
  const isPage = request.mode === "navigate" && pages.test(url.pathname);
  if (isPage || build.files.includes(url.pathname)) event.respondWith(answer(request));
});

worker.addEventListener("message", (event) => {
  // A new build takes over only when the person has agreed: the page reloads then.
  if (event.data === "update") event.waitUntil(worker.skipWaiting());
  // The cookie has another language now; without a network the old page does as well.
  if (event.data === "language" && build) event.waitUntil(keepShell().catch(() => {}));
});
