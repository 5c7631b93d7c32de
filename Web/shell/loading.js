import { lamp } from "../core/icons.js";
import { t } from "../core/i18n.js";
import { Part } from "../core/part.js";
import { html } from "../core/view.js";

/** @typedef {{rows?: number, faces?: boolean, cancel?: () => void}} How */

const untilBones = 200;
const untilWords = 8000;
// The lengths of the bones, so that they look like names and lines of different people.
const bones = ["xxxxxxxxxxxx", "xxxxxxxxxxxxxx", "xxxxxx", "xxxxxxxxxxxxx", "xxxxxxxxxx", "xxxxxxxxxxxxxxx"];
const lines = ["xxxxxxxxxxxxxxxxxxxxxxxx", "xxxxxxxxxxxxxxxxxx", "xxxxxxxxxxxxxxxxxxxxxx", "xxxxxxxxxxxxxx"];

/** Waiting for the server: what has no content yet has a shape, and what takes long says so. */
class Loading extends Part {
  /** @type {How} */
  model = {};
  #stage = 0;
  /** @type {ReturnType<typeof setTimeout>[]} */
  #timers = [];

  start() {
    this.#stage = 0;
    this.#timers = [setTimeout(() => this.#show(1), untilBones), setTimeout(() => this.#show(2), untilWords)];
  }

  stop() {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  /** @param {number} stage */
  #show(stage) {
    this.#stage = stage;
    this.update();
  }

  view() {
    if (this.#stage === 0) return html``;
    const { rows = 6, faces = false, cancel } = this.model;
    return html`
      ${this.#stage > 1 ? html`<div class="notice slow" role="status">${lamp("busy")}
        <span class="what">${t("shell.slow")}</span>
        ${cancel ? html`<button type="button" class="link" @click=${cancel}>${t("app.cancel")}</button>` : null}</div>` : null}
      <ul class=${faces ? "list faces" : "list"} aria-hidden="true">${Array.from({ length: rows }, (_, row) => html`<li><span class="row">
        ${faces ? html`<span class="face bone"></span>` : null}
        <span class="what"><span><span class="bone">${bones[row % bones.length]}</span></span>
          <small><span class="bone">${lines[row % lines.length]}</span></small></span></span></li>`)}</ul>`;
  }
}

customElements.define("app-loading", Loading);
