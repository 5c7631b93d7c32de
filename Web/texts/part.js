import { language } from "../core/i18n.js";
import { Signal } from "../core/signal.js";
import { html, render } from "../core/view.js";

/** @typedef {import("../core/view.js").Template} Template */

/** Whether the window has room for the list beside the conversation. */
export const wide = new Signal(false);
const query = matchMedia("(min-width: 900px)");
wide.value = query.matches;
query.addEventListener("change", () => { wide.value = query.matches; });

/** A part of a screen that is drawn by itself. */
export class Part extends HTMLElement {
  /** @type {(() => void)[]} */
  #stops = [];
  #isAsked = false;

  connectedCallback() {
    this.watch(language);
    this.start();
    this.#draw();
  }

  disconnectedCallback() {
    for (const stop of this.#stops.splice(0)) stop();
    this.stop();
  }

  start() {}

  stop() {}

  /** @returns {Template} */
  view() {
    return html``;
  }

  drawn() {}

  /** @param {import("../core/signal.js").Signal<any>} signal */
  watch(signal) {
    this.until(signal.subscribe(() => this.update()));
  }

  /**
   * Calls `stop` when the part goes.
   * @param {() => void} stop
   */
  until(stop) {
    this.#stops.push(stop);
  }

  /** Asks for a new drawing, once for all that changes now. */
  update() {
    if (this.#isAsked) return;
    this.#isAsked = true;
    queueMicrotask(() => {
      this.#isAsked = false;
      if (this.isConnected) this.#draw();
    });
  }

  #draw() {
    render(this.view(), this);
    this.drawn();
  }
}
