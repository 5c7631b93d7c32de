// The account's stream of events, held by one tab and told to all of them.

import { alone, hearTabs, tellTabs } from "./channel.js";

/** @typedef {{type: string, data: any}} Happening */

/** @type {Set<{pattern: string, listener: (happening: Happening) => void}>} */
const listeners = new Set();
/** The position from which the stream goes on, in whichever tab. */
let lastID = "";
let isWanted = false;
/** @type {AbortController | null} */
let connection = null;
let heardAt = 0;
let hiddenAt = 0;
/** @type {(() => void) | null} */
let hurry = null;

/** The server speaks at least every 15 s. */
const silence = 20_000;
const pauses = [500, 1000, 2000, 5000, 10_000, 30_000];

export const events = {
  /**
   * @param {string} pattern a type, or its beginning and a star: `message.*`; `resync` when events may have been missed
   * @param {(happening: Happening) => void} listener
   * @returns {() => void} ends it
   */
  on(pattern, listener) {
    const entry = { pattern, listener };
    listeners.add(entry);
    return () => listeners.delete(entry);
  },

  /** Follows the stream until `stop`. */
  start() {
    if (isWanted) return;
    isWanted = true;
    void alone("events", lead);
  },

  stop() {
    isWanted = false;
    lastID = "";
    connection?.abort();
    hurry?.();
  },
};

/** @param {Happening} happening */
function tell(happening) {
  for (const { pattern, listener } of [...listeners]) {
    const isMeant = pattern.endsWith("*") ? happening.type.startsWith(pattern.slice(0, -1)) : happening.type === pattern;
    if (isMeant) listener(happening);
  }
}

hearTabs("event", ({ id, happening }) => {
  lastID = id ?? lastID;
  tell(happening);
});

/** @param {Happening} happening @param {string} [id] */
function tellAll(happening, id) {
  if (id) lastID = id;
  tell(happening);
  tellTabs({ kind: "event", id: lastID, happening });
}

/** Reads the stream for all tabs, as long as this one lives. */
async function lead() {
  let failures = 0;
  while (isWanted) {
    const began = Date.now();
    try {
      await follow();
    } catch {
      // The line is gone; the next turn resumes where it broke off.
    }
    if (!isWanted) return;
    failures = Date.now() - began > 30_000 ? 0 : failures + 1;
    const pause = pauses[Math.min(failures, pauses.length) - 1] ?? pauses[0];
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, pause * (0.75 + Math.random() / 2));
      hurry = () => {
        clearTimeout(timer);
        failures = 0;
        resolve(undefined);
      };
    });
    hurry = null;
  }
}

async function follow() {
  const abort = new AbortController();
  connection = abort;
  const headers = new Headers({ accept: "text/event-stream" });
  if (lastID) headers.set("last-event-id", lastID);
  const isResumed = lastID !== "";
  heardAt = Date.now();
  const watch = setInterval(() => {
    if (Date.now() - heardAt > silence) abort.abort();
  }, 2000);
  try {
    const response = await fetch("/api/v1/events", { headers, signal: abort.signal, credentials: "same-origin", cache: "no-store" });
    if (response.status === 401) {
      isWanted = false;
      return;
    }
    if (!response.ok || !response.body) throw new Error(`the stream was refused: ${response.status}`);
    // What changed between the first page and now is not in the stream.
    if (!isResumed) tellAll({ type: "resync", data: {} });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      heardAt = Date.now();
      text += value;
      let end;
      while ((end = text.indexOf("\n\n")) >= 0) {
        understand(text.slice(0, end));
        text = text.slice(end + 2);
      }
      if (text.length > 1 << 20) throw new Error("an event without an end");
    }
  } finally {
    clearInterval(watch);
    connection = null;
  }
}

/**
 * One event of the stream (the HTML standard, "Server-sent events").
 * @param {string} block
 */
function understand(block) {
  let id = "";
  let name = "";
  let data = "";
  for (const line of block.split("\n")) {
    if (line.startsWith("id:")) id = line.slice(3).trim();
    else if (line.startsWith("event:")) name = line.slice(6).trim();
    else if (line.startsWith("data:")) data += line.slice(5).trim();
  }
  if (name === "open") {
    if (id) lastID = id;
    return;
  }
  if (name === "reset") return tellAll({ type: "resync", data: {} }, id);
  if (!data) return;
  try {
    const { type, data: content } = JSON.parse(data);
    tellAll({ type, data: content }, id);
  } catch {
    // Of a newer server: what it changed is read again.
    tellAll({ type: "resync", data: {} }, id);
  }
}

/** A page that slept may hold a dead line without knowing. */
function wake() {
  const slept = hiddenAt ? Date.now() - hiddenAt : 0;
  hiddenAt = 0;
  if (!isWanted) return;
  if (slept > 5000 || Date.now() - heardAt > silence) connection?.abort();
  hurry?.();
  if (slept > 5000) tell({ type: "resync", data: {} });
}

if (typeof document !== "undefined") {
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") hiddenAt = Date.now();
    else wake();
  });
  addEventListener("pageshow", (event) => {
    if (event.persisted) wake();
  });
  document.addEventListener("resume", wake);
  addEventListener("online", wake);
}
