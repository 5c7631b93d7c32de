// How many texts nobody has read yet, kept right wherever the person is in the app.

import { api } from "../core/api.js";
import { events } from "../core/events.js";
import { session, unread } from "../core/session.js";

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** Many events at once are one question. */
function ask() {
  clearTimeout(timer);
  timer = setTimeout(async () => {
    if (!session.value.account) return;
    try {
      unread.value = (await api.get("/conversations?limit=1")).unread;
    } catch {
      // The next event asks again.
    }
  }, 300);
}

/** Follows the number from now on. */
export function followUnread() {
  events.on("inbox.*", ask);
  events.on("resync", ask);
}
