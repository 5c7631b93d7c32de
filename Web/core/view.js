// Drawing templates, and drawing them again: only what changed is touched.

import { compile, isSafeAddress } from "./template.js";

export { each, html, svg } from "./template.js";

/** @typedef {import("./template.js").Template} Template */
/** @typedef {import("./template.js").KeyedList} KeyedList */
/** @typedef {import("./template.js").Hole} Hole */

/** @type {WeakMap<Element, ChildPart>} */
const roots = new WeakMap();

/**
 * Draws a template into an element, or draws it again.
 * @param {Template} template
 * @param {Element} element
 */
export function render(template, element) {
  let root = roots.get(element);
  if (!root) {
    const end = document.createComment("");
    element.replaceChildren(end);
    root = new ChildPart(end);
    roots.set(element, root);
  }
  root.set(template);
}

// MARK: - Parts

class AttributePart {
  /** @type {unknown[]} */
  #last;
  #element;
  #hole;

  /** @param {Element} element @param {Hole} hole */
  constructor(element, hole) {
    this.#element = element;
    this.#hole = hole;
    this.#last = [];
  }

  /** @param {unknown[]} values */
  set(values) {
    const { index, name, strings } = this.#hole;
    const mine = values.slice(index, index + strings.length - 1);
    if (this.#last.length && mine.every((value, at) => Object.is(value, this.#last[at]))) return;
    this.#last = mine;
    if (mine.length === 1 && strings[0] === "" && strings[1] === "" && (mine[0] === null || mine[0] === undefined || mine[0] === false)) {
      this.#element.removeAttribute(name);
      return;
    }
    const text = strings.reduce((all, piece, at) => all + String(mine[at - 1] ?? "") + piece);
    if ((name === "href" || name === "src") && !isSafeAddress(text)) {
      this.#element.removeAttribute(name);
      return;
    }
    this.#element.setAttribute(name, text);
  }
}

class PropertyPart {
  #element;
  #hole;

  /** @param {Element} element @param {Hole} hole */
  constructor(element, hole) {
    this.#element = /** @type {any} */ (element);
    this.#hole = hole;
  }

  /** @param {unknown[]} values */
  set(values) {
    const value = values[this.#hole.index];
    // What a person has typed meanwhile counts: the live property is compared, not what was set last.
    if (!Object.is(this.#element[this.#hole.name], value)) this.#element[this.#hole.name] = value;
  }
}

class TogglePart {
  #element;
  #hole;

  /** @param {Element} element @param {Hole} hole */
  constructor(element, hole) {
    this.#element = element;
    this.#hole = hole;
  }

  /** @param {unknown[]} values */
  set(values) {
    const isOn = Boolean(values[this.#hole.index]);
    if (this.#element.hasAttribute(this.#hole.name) !== isOn) this.#element.toggleAttribute(this.#hole.name, isOn);
  }
}

class EventPart {
  #hole;
  /** @type {((event: Event) => void) | null} */
  #listener = null;

  /** @param {Element} element @param {Hole} hole */
  constructor(element, hole) {
    this.#hole = hole;
    element.addEventListener(hole.name, (event) => this.#listener?.(event));
  }

  /** @param {unknown[]} values */
  set(values) {
    this.#listener = /** @type {any} */ (values[this.#hole.index]) ?? null;
  }
}

/** Whatever stands before its end mark: nothing, a text, a template, or a list of these. */
class ChildPart {
  /** @type {Text | Instance | Pieces | null} */
  #content = null;
  #end;

  /** @param {Comment} end */
  constructor(end) {
    this.#end = end;
  }

  /** @param {unknown} value */
  set(value) {
    if (value === null || value === undefined || value === false || value === "") return this.#clear();
    if (Array.isArray(value)) return this.#setPieces({ items: value, key: (_) => undefined, draw: (item) => item });
    if (typeof value === "object" && "draw" in value) return this.#setPieces(/** @type {KeyedList} */ (value));
    if (typeof value === "object" && "strings" in value) return this.#setTemplate(/** @type {Template} */ (value));
    const text = String(value);
    if (this.#content instanceof Text) {
      if (this.#content.data !== text) this.#content.data = text;
      return;
    }
    this.#clear();
    this.#content = document.createTextNode(text);
    this.#end.before(this.#content);
  }

  /** @param {Template} template */
  #setTemplate(template) {
    if (this.#content instanceof Instance && this.#content.isOf(template)) return this.#content.set(template.values);
    this.#clear();
    const instance = new Instance(template);
    this.#end.before(instance.fragment());
    this.#content = instance;
  }

  /** @param {KeyedList} list */
  #setPieces(list) {
    if (!(this.#content instanceof Pieces)) {
      this.#clear();
      this.#content = new Pieces(this.#end);
    }
    this.#content.set(list);
  }

  #clear() {
    this.#content?.remove();
    this.#content = null;
  }
}

/** @typedef {{start: Comment, end: Comment, part: ChildPart}} Piece */

/** The items of a list, each between two marks. */
class Pieces {
  /** @type {Map<unknown, Piece>} */
  #pieces = new Map();
  #end;

  /** @param {Comment} end */
  constructor(end) {
    this.#end = end;
  }

  /** @param {KeyedList} list */
  set({ items, key, draw }) {
    const before = this.#pieces;
    this.#pieces = new Map();
    items.forEach((item, at) => {
      let name = key(item) ?? at;
      // A key that comes twice would lose an item.
      while (this.#pieces.has(name)) name = `${String(name)}+`;
      const piece = before.get(name) ?? this.#make();
      before.delete(name);
      this.#pieces.set(name, piece);
      piece.part.set(draw(item));
    });
    for (const piece of before.values()) this.#drop(piece);
    this.#order();
  }

  /** @returns {Piece} */
  #make() {
    const start = document.createComment("");
    const end = document.createComment("");
    this.#end.before(start, end);
    return { start, end, part: new ChildPart(end) };
  }

  /** From the last to the first: what stands right already is not touched. */
  #order() {
    const focused = document.activeElement;
    let next = this.#end;
    for (const { start, end } of [...this.#pieces.values()].reverse()) {
      if (end.nextSibling !== next) {
        /** @type {Node[]} */
        const nodes = [];
        for (let node = /** @type {Node | null} */ (start); node && node !== end; node = node.nextSibling) nodes.push(node);
        next.before(...nodes, end);
      }
      next = start;
    }
    if (focused instanceof HTMLElement && focused !== document.activeElement && focused.isConnected) {
      focused.focus({ preventScroll: true });
    }
  }

  /** @param {Piece} piece */
  #drop({ start, end, part }) {
    part.set(null);
    start.remove();
    end.remove();
  }

  remove() {
    for (const piece of this.#pieces.values()) this.#drop(piece);
    this.#pieces.clear();
  }
}

/** One drawing of a template. */
class Instance {
  #strings;
  /** @type {Comment[]} */
  #ends;
  #fragment;
  /** @type {{set(values: unknown[]): void}[]} */
  #parts;

  /** @param {Template} template */
  constructor(template) {
    const { fragment, holes } = compile(template);
    this.#strings = template.strings;
    this.#fragment = document.importNode(fragment, true);
    const found = holes.map(({ path, hole }) => ({
      hole,
      node: path.reduce((node, at) => node.childNodes[at], /** @type {Node} */ (this.#fragment)),
    }));
    this.#parts = found.map(({ hole, node }) => part(node, hole));
    this.set(template.values);
    this.#ends = [document.createComment(""), document.createComment("")];
    this.#fragment.prepend(this.#ends[0]);
    this.#fragment.append(this.#ends[1]);
  }

  /** @param {Template} template */
  isOf(template) {
    return template.strings === this.#strings;
  }

  /** @param {unknown[]} values */
  set(values) {
    for (const part of this.#parts) part.set(values);
  }

  fragment() {
    return this.#fragment;
  }

  remove() {
    const [start, end] = this.#ends;
    while (start.nextSibling && start.nextSibling !== end) /** @type {ChildNode} */ (start.nextSibling).remove();
    start.remove();
    end.remove();
  }
}

/** @param {Node} node @param {Hole} hole @returns {{set(values: unknown[]): void}} */
function part(node, hole) {
  const element = /** @type {Element} */ (node);
  switch (hole.kind) {
    case "attribute": return new AttributePart(element, hole);
    case "property": return new PropertyPart(element, hole);
    case "toggle": return new TogglePart(element, hole);
    case "event": return new EventPart(element, hole);
    case "child": {
      const child = new ChildPart(/** @type {Comment} */ (node));
      return { set: (values) => child.set(values[hole.index]) };
    }
  }
}
