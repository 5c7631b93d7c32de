// What a screen shows while it waits, when it failed, and when there is nothing yet: one look for all rooms.

import { icon, lamp } from "../core/icons.js";
import { t } from "../core/i18n.js";
import { html } from "../core/view.js";
import { sentence, traceOf } from "./errors.js";
import "./loading.js";

/** @typedef {import("../core/view.js").Template} Template */
/** @typedef {{label: string, href?: string, press?: (event: Event) => void, icon?: string, isMain?: boolean}} Action */

/**
 * Nothing for 200 ms, then bones in the place of `rows` rows, and words with a way out after 8 s.
 * @param {{rows?: number, faces?: boolean, cancel?: () => void}} [how] `faces` for rows that begin with a face
 * @returns {Template}
 */
export const loading = (how = {}) => html`<app-loading .model=${how}></app-loading>`;

/**
 * What happened, what still works, and one thing to do; the technical id behind Details.
 * @param {{error?: unknown, title?: string, text?: string, action?: Action}} what without a text it is the error's own
 *   sentence
 * @returns {Template}
 */
export function failure({ error, title, text, action }) {
  const trace = error ? traceOf(error) : "";
  return html`<section class="box" role="alert">
    <div class="head tall"><span class="danger sign">${lamp("failed")}</span>
      <div class="what"><h2>${title ?? t("shell.failed")}</h2><p>${text ?? sentence(error)}</p></div></div>
    ${action ? html`<div class="btns">${button(action)}</div>` : null}
    ${trace ? html`<details><summary class="link">${t("app.details")}</summary><code>${trace}</code></details>` : null}
  </section>`;
}

/**
 * The contents of a `<main class="blank">`: a picture, one sentence, one action.
 * @param {{title?: string, text?: string, action?: Action, picture?: Template}} what
 * @returns {Template}
 */
export const empty = ({ title, text, action, picture = cord }) => html`${picture}
  ${title ? html`<h2>${title}</h2>` : null}
  ${text ? html`<p>${text}</p>` : null}
  ${action ? button({ isMain: true, ...action }) : null}`;

/**
 * @param {Action} action
 * @returns {Template}
 */
function button({ label, href, press, icon: name, isMain }) {
  const kind = isMain ? "btn main" : "btn";
  const mark = name ? icon(name, 20) : null;
  if (href) return html`<a class=${kind} href=${href}>${mark} ${label}</a>`;
  return html`<button type="button" class=${kind} @click=${press}>${mark} ${label}</button>`;
}

/** Three jacks, and a cord that waits for its second one. */
const cord = html`<svg width="200" height="112" viewBox="0 0 200 112" fill="none" stroke="currentColor" stroke-linecap="round" aria-hidden="true"><g stroke-width="4"><circle cx="52" cy="30" r="13"/><circle cx="100" cy="30" r="13"/><circle cx="148" cy="30" r="13"/></g><g class="hue"><circle cx="52" cy="30" r="6" fill="currentColor" stroke="none"/><path stroke="currentColor" stroke-width="5" d="M52 30c0 52 14 66 40 66s30-22 56-22"/><rect x="146" y="67" width="24" height="14" rx="5" fill="currentColor" stroke="none"/><path stroke="currentColor" stroke-width="5" d="M172 74h9"/></g></svg>`;
