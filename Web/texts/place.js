/** Keeps what a person looks at where it is, while things come in above it. */
export class Place {
  #host;
  #selector;
  #isTopFree;
  /** @type {{element: Element, top: number} | null} */
  #held = null;

  /**
   * @param {Element} host
   * @param {string} selector what may be held on to
   * @param {boolean} [isTopFree] at the very top of a list nothing is held: what is new is seen there
   */
  constructor(host, selector, isTopFree = false) {
    this.#host = host;
    this.#selector = selector;
    this.#isTopFree = isTopFree;
  }

  /** What scrolls: the column beside a conversation, or the page. */
  get scroller() {
    return this.#host.closest(".side") ?? document.scrollingElement ?? document.documentElement;
  }

  /** Before the drawing. */
  take() {
    this.#held = null;
    if (this.#isTopFree && this.scroller.scrollTop < 8) return;
    for (const element of this.#host.querySelectorAll(this.#selector)) {
      const { top, bottom } = element.getBoundingClientRect();
      if (bottom <= 60) continue;
      this.#held = { element, top };
      return;
    }
  }

  /** After it. */
  put() {
    const held = this.#held;
    if (!held?.element.isConnected) return;
    const moved = held.element.getBoundingClientRect().top - held.top;
    if (Math.abs(moved) >= 1) this.scroller.scrollTop += moved;
  }
}
