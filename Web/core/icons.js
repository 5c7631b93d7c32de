import { html, svg } from "./view.js";

/** @typedef {import("./view.js").Template} Template */

/**
 * Drawn with a line, 24 by 24.
 * @type {Record<string, Template>}
 */
const icons = {
  texts: svg`<path d="M5 5h14a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-7l-4.5 3.5V17H5a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2Z"/><path d="M7.5 9.5h9M7.5 12.8h5.5"/>`,
  back: svg`<path d="m14.5 5-7 7 7 7"/>`,
  go: svg`<path d="m9.5 6 6 6-6 6"/>`,
  down: svg`<path d="m6 9.5 6 6 6-6"/>`,
  search: svg`<circle cx="10.5" cy="10.5" r="6"/><path d="m15 15 5 5"/>`,
  write: svg`<path d="M12 5H6.5A2.5 2.5 0 0 0 4 7.5v10A2.5 2.5 0 0 0 6.5 20h10a2.5 2.5 0 0 0 2.5-2.5V12"/><path d="M9 15l.6-3L18 3.6a1.7 1.7 0 0 1 2.4 2.4L12 14.4 9 15Z"/>`,
  again: svg`<path d="M19.5 12a7.5 7.5 0 1 1-2.2-5.3L19.5 9"/><path d="M19.5 4v5h-5"/>`,
  person: svg`<circle cx="12" cy="8" r="3.8"/><path d="M4.5 20c.8-4 3.8-6 7.5-6s6.7 2 7.5 6"/>`,
  people: svg`<circle cx="9" cy="8.5" r="3.3"/><path d="M2.5 19.5c.6-3.6 3.2-5.5 6.5-5.5s5.9 1.9 6.5 5.5"/><path d="M15.5 5.6a3.3 3.3 0 0 1 0 5.8M18 14.6c2 .7 3.2 2.4 3.6 4.9"/>`,
  offline: svg`<path d="M3 9.5c5.4-4.7 12.6-4.7 18 0M6.5 13.3c3.3-2.8 7.7-2.8 11 0M9.8 17c1.4-1 3-1 4.4 0"/><path d="m4 4 16 16"/>`,
};

/**
 * Icons of one part of the app, brought with it.
 * @param {Record<string, Template>} more
 */
export const addIcons = (more) => void Object.assign(icons, more);

/**
 * The lamps: what a thing is now, 16 by 16.
 * @type {Record<string, Template>}
 */
const lamps = {
  waiting: svg`<circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" stroke-width="2" stroke-dasharray="2.1 2.6"/>`,
  sent: svg`<circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" stroke-width="2"/><path d="M8 4a4 4 0 0 0 0 8Z" fill="currentColor"/>`,
  done: svg`<circle cx="8" cy="8" r="7" fill="currentColor"/><path class="hole" d="m4.8 8.3 2.3 2.3 4.2-4.7" fill="none" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"/>`,
  failed: svg`<path d="M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1Z" fill="currentColor"/><path class="hole" d="M8 4.3v4.2M8 11.4v.01" fill="none" stroke-width="2" stroke-linecap="round"/>`,
  minor: svg`<path d="M8 2.4 14.6 14H1.4Z" fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round"/><path d="M8 7v2.8M8 12v.01" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"/>`,
  stopped: svg`<circle cx="8" cy="8" r="7" fill="currentColor"/><path class="hole" d="M4.5 8h7" fill="none" stroke-width="2.2" stroke-linecap="round"/>`,
  planned: svg`<rect x="2" y="3" width="12" height="11" rx="2" fill="none" stroke="currentColor" stroke-width="2"/><path d="M2.5 7h11M5.5 1v3M10.5 1v3" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round"/>`,
  unknown: svg`<circle cx="8" cy="8" r="6.2" fill="none" stroke="currentColor" stroke-width="1.7"/><path d="M6.2 6.4a1.8 1.8 0 1 1 2.6 1.8c-.6.3-.8.6-.8 1.2M8 11.6v.01" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round"/>`,
  busy: svg`<circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" stroke-opacity=".25" stroke-width="2"/><path d="M8 2a6 6 0 0 1 6 6" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"/>`,
  draft: svg`<path d="m2.5 13.5.7-3L10.7 3a1.6 1.6 0 0 1 2.3 2.3l-7.5 7.5-3 .7Z" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linejoin="round"/>`,
  paused: svg`<circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" stroke-width="2"/><path d="M6.5 5.8v4.4M9.5 5.8v4.4" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"/>`,
  off: svg`<circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" stroke-width="2"/>`,
};

/**
 * An icon in the colour of its text. It says nothing to those who hear the screen: a word stands beside it.
 * @param {string} name
 * @param {number} [size]
 */
export const icon = (name, size = 24) =>
  html`<svg class="icon" width="${size}" height="${size}" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${icons[name]}</svg>`;

/**
 * A lamp; the state's word stands beside it.
 * @param {string} name
 */
export const lamp = (name) =>
  html`<svg class="${name === "busy" ? "spin" : ""}" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">${lamps[name]}</svg>`;
