import { html } from "../core/view.js";

/** The app's icon: an S made of one cord between two jacks, and the lit end is where somebody answered. */
export const logo = html`<svg width="72" height="72" viewBox="0 0 64 64" aria-hidden="true"><rect width="64" height="64" rx="15" fill="#0B2545"/><path d="M44 20C36 12.5 19 13.5 19 23.5c0 12 26 5 26 17 0 10-17 11-25 3.5" fill="none" stroke="#FFF" stroke-width="6" stroke-linecap="round"/><circle cx="46.5" cy="20.5" r="7" fill="#0B2545" stroke="#FFF" stroke-width="4.5"/><circle cx="17.5" cy="43.5" r="7.5" fill="#FFC24B"/></svg>`;
