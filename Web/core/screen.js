import { language } from "./i18n.js";
import { plan } from "./numbering.js";
import { html, render } from "./view.js";

/** @typedef {import("./view.js").Template} Template */
/** @typedef {Record<string, string>} Parameters */

/**
 * One screen of the app, a custom element in the light document: state in, events out.
 *
 * A screen says what it shows in `view()` and asks to be drawn again with `update()`; the router sets `params` and
 * `query` before it is shown, and calls `moved()` when only these have changed.
 */
export class Screen extends HTMLElement {
  /** @type {Parameters} the parts of the path */
  params = {};
  /** @type {Parameters} */
  query = {};
  /** @type {(() => void)[]} */
  #stops = [];
  #isAsked = false;

  /** What stands in the window's title; a text in the person's language. */
  get heading() {
    return "";
  }

  /** The page's class: the room's hue, and how it uses a wide window (`wide`, `split`, `plain`, `full`). */
  get frame() {
    return "";
  }

  connectedCallback() {
    this.watch(language);
    this.watch(plan);
    this.start();
    this.#draw();
  }

  disconnectedCallback() {
    for (const stop of this.#stops.splice(0)) stop();
    this.stop();
  }

  /** Called before it is drawn for the first time. */
  start() {}

  /** Called when it goes. */
  stop() {}

  /** Called when the router has changed `params` or `query` of the shown screen. */
  moved() {
    this.update();
  }

  /** @returns {Template} */
  view() {
    return html``;
  }

  /** Called after each drawing. */
  drawn() {}

  /**
   * Draws again a signal's listener until the screen goes.
   * @param {import("./signal.js").Signal<any>} signal
   */
  watch(signal) {
    this.until(signal.subscribe(() => this.update()));
  }

  /**
   * Calls `stop` when the screen goes.
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
    if (this.frame !== document.body.className) document.body.className = this.frame;
    const title = this.heading ? `${this.heading} · Switchboard` : "Switchboard";
    if (document.title !== title) document.title = title;
    this.drawn();
  }
}
