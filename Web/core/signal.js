/**
 * A value that tells when it changes.
 * @template T
 */
export class Signal {
  #value;
  /** @type {Set<(value: T) => void>} */
  #listeners = new Set();

  /** @param {T} value */
  constructor(value) {
    this.#value = value;
  }

  /** @returns {T} */
  get value() {
    return this.#value;
  }

  set value(value) {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    this.emit(value);
  }

  /**
   * Tells all listeners, whether the value changed or not.
   * @param {T} value
   */
  emit(value) {
    this.#value = value;
    for (const listener of [...this.#listeners]) listener(value);
  }

  /**
   * @param {(value: T) => void} listener
   * @returns {() => void} ends it
   */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/**
 * @template T
 * @param {T} value
 * @returns {Signal<T>}
 */
export const signal = (value) => new Signal(value);
