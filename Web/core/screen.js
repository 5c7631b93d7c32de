import { plan } from "./numbering.js";
import { Part } from "./part.js";

/** @typedef {Record<string, string>} Parameters */

/**
 * One screen of the app. The router sets `params` and `query` before it is shown, and calls `moved()` when only these
 * have changed.
 */
export class Screen extends Part {
  /** @type {Parameters} the parts of the path */
  params = {};
  /** @type {Parameters} */
  query = {};

  /** What stands in the window's title; a text in the person's language. */
  get heading() {
    return "";
  }

  /** The page's class: the room's hue, and how it uses a wide window (`wide`, `split`, `plain`, `full`). */
  get frame() {
    return "";
  }

  connectedCallback() {
    this.watch(plan);
    super.connectedCallback();
  }

  /** Called when the router has changed `params` or `query` of the shown screen. */
  moved() {
    this.update();
  }

  draw() {
    if (this.frame !== document.body.className) document.body.className = this.frame;
    const title = this.heading ? `${this.heading} · Switchboard` : "Switchboard";
    if (document.title !== title) document.title = title;
    super.draw();
  }
}
