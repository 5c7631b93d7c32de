import { language } from "./i18n.js";
import { html, render } from "./view.js";

/** @typedef {import("./view.js").Template} Template */

/**
 * A part of the page that is drawn by itself, a custom element in the light document: state in, events out.
 *
 * It says what it shows in `view()` and asks to be drawn again with `update()`.
 */
export class Part extends HTMLElement {
  /** @type {(() => void)[]} */
  #stops = [];
  #isAsked = false;

  connectedCallback() {
    this.watch(language);
    this.start();
    this.draw();
  }

  disconnectedCallback() {
    for (const stop of this.#stops.splice(0)) stop();
    this.stop();
  }

  /** Called before it is drawn for the first time. */
  start() {}

  /** Called when it goes. */
  stop() {}

  /** @returns {Template} */
  view() {
    return html``;
  }

  /** Called after each drawing. */
  drawn() {}

  /**
   * Draws it again whenever a signal changes, until it goes.
   * @param {import("./signal.js").Signal<any>} signal
   */
  watch(signal) {
    this.until(signal.subscribe(() => this.update()));
  }

  /**
   * Calls `stop` when it goes.
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
      if (this.isConnected) this.draw();
    });
  }

  /** Draws it now; `update()` is what to call. */
  draw() {
    render(this.view(), this);
    this.drawn();
  }
}
