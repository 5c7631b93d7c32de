import { icon, lamp } from "../core/icons.js";
import { t } from "../core/i18n.js";
import { outbox } from "../core/outbox.js";
import { Part } from "../core/part.js";
import { current } from "../core/router.js";
import { online, session, unread } from "../core/session.js";
import { html } from "../core/view.js";
import { logo } from "./logo.js";
import { rooms } from "./rooms.js";
import { toasted, toastView } from "./toast.js";
import { followUnread } from "./unread.js";
import { keepApp, takeUpdate, waitingWorker } from "./update.js";

/** @typedef {import("../core/view.js").Template} Template */

/** What stands round every screen: the way past it, the bar or rail, the notices on top, the word at the foot. */
class Frame extends Part {
  start() {
    for (const signal of [current, session, online, unread, outbox.entries, waitingWorker, toasted]) this.watch(signal);
  }

  view() {
    const { path } = current.value;
    const isSignedIn = session.value.account !== null;
    return html`<a class="hidden skip" href="#main" @click=${skip}>${t("app.skip")}</a>
      ${isSignedIn ? tabs(path) : null}
      <div class="notices" role="status">${isSignedIn ? sending(path) : offline()} ${newVersion()}</div>
      ${toastView(toasted.value)}`;
  }
}

/**
 * The screen's heading is where its reading begins.
 * @param {Event} event
 */
function skip(event) {
  event.preventDefault();
  const main = document.querySelector("main");
  if (!main) return;
  main.tabIndex = -1;
  main.focus();
  main.scrollIntoView();
}

/**
 * @param {string} path
 * @returns {Template}
 */
const tabs = (path) => html`<nav class="tabs" aria-label=${t("shell.rooms")}>
  <span class="logo">${logo}</span>
  ${rooms.map((room) => html`<a href=${room.path} aria-current=${room.owns.test(path) ? (room.path === path ? "page" : "true") : null}>
    ${icon(room.icon, 24)}<span>${t(room.label)}</span>
    ${room.counts && unread.value > 0 ? html`<span class="badge">${unread.value > 99 ? "99+" : unread.value}<span class="hidden"> ${t("shell.unread")}</span></span>` : null}</a>`)}
</nav>`;

/**
 * What is not on its way as it should be.
 * @param {string} path
 * @returns {Template | null}
 */
function sending(path) {
  const entries = outbox.entries.value;
  const refused = entries.filter((entry) => entry.state === "refused").length;
  const waiting = entries.length - refused;
  const show = path === "/outbox" || entries.length === 0 ? null : html`<a class="link" href="/outbox">${t("shell.show")}</a>`;
  if (!online.value) {
    const words = waiting > 0 ? html`<b>${t("app.offline")}</b> · ${t("shell.waiting", { n: waiting })}` : html`<b>${t("app.offline")}</b>`;
    return notice(icon("offline", 20), words, show);
  }
  if (refused > 0 && path !== "/outbox") {
    return notice(html`<span class="danger">${lamp("failed")}</span>`, html`<b>${t("shell.refused", { n: refused })}</b>`, show);
  }
  return null;
}

/** @returns {Template | null} */
const offline = () => (online.value ? null : notice(icon("offline", 20), html`<b>${t("app.offline")}</b>`, null));

/** @returns {Template | null} */
const newVersion = () => waitingWorker.value && notice(icon("again", 20), t("shell.newVersion"),
  html`<button type="button" class="link" @click=${takeUpdate}>${t("shell.reload")}</button>`);

/**
 * @param {Template} mark
 * @param {Template | string} words
 * @param {Template | null} action
 * @returns {Template}
 */
const notice = (mark, words, action) => html`<div class="notice">${mark}<span class="what"><span>${words}</span></span>${action}</div>`;

customElements.define("app-frame", Frame);

/** Puts the frame round the screen; the page's own link past it goes, as the frame has one in the person's language. */
export function startFrame() {
  document.querySelector("body > a[href='#main']")?.remove();
  document.body.prepend(document.createElement("app-frame"));
  followUnread();
  keepApp();
}
