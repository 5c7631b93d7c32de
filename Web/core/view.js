// Templates that know their own holes: what stands in the source is markup, what is put in is text, an attribute of a
// short list, a property, a listener, or another template. Drawing again touches only what changed.

import { trustedMarkup } from "./trusted.js";

/** @typedef {{strings: TemplateStringsArray, values: unknown[], isSVG: boolean}} Template */
/** @typedef {{items: readonly any[], key: (item: any) => unknown, draw: (item: any) => Template}} KeyedList */
/** @typedef {{kind: "child" | "attribute" | "property" | "toggle" | "event", index: number, name: string, strings: string[]}} Hole */
/** @typedef {{fragment: DocumentFragment, holes: {path: number[], hole: Hole}[]}} Compiled */

/**
 * @param {TemplateStringsArray} strings
 * @param {...unknown} values
 * @returns {Template}
 */
export const html = (strings, ...values) => ({ strings, values, isSVG: false });

/**
 * A piece of a drawing, for use inside an svg element.
 * @param {TemplateStringsArray} strings
 * @param {...unknown} values
 * @returns {Template}
 */
export const svg = (strings, ...values) => ({ strings, values, isSVG: true });

/**
 * A list whose elements stay with their items when these move.
 * @template T
 * @param {readonly T[]} items
 * @param {(item: T) => unknown} key
 * @param {(item: T) => Template} draw
 * @returns {KeyedList}
 */
export const each = (items, key, draw) => ({ items, key, draw });

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

// MARK: - Compiling

/** @type {WeakMap<TemplateStringsArray, Compiled>} */
const compiled = new WeakMap();
const hole = /⟦(\d+)⟧/;
const attributeBefore = /([@.?]?[\w:-]+)=(?:"[^"]*|'[^']*)?$/;

/** @param {Template} template @returns {Compiled} */
function compile({ strings, isSVG }) {
  const known = compiled.get(strings);
  if (known) return known;
  const names = /** @type {string[]} */ ([]);
  let text = "";
  let inTag = false;
  strings.forEach((piece, index) => {
    text += piece;
    if (index === strings.length - 1) return;
    const close = piece.lastIndexOf(">");
    const open = piece.lastIndexOf("<");
    if (open !== close) inTag = open > close;
    names[index] = inTag ? (attributeBefore.exec(piece)?.[1] ?? names[index - 1] ?? "") : "";
    text += inTag ? `⟦${index}⟧` : `<!--⟦${index}⟧-->`;
  });
  const element = document.createElement("template");
  element.innerHTML = trustedMarkup(strings, isSVG ? `<svg>${text}</svg>` : text);
  const fragment = element.content;
  if (isSVG) fragment.replaceChildren(...(fragment.firstElementChild?.childNodes ?? []));
  const result = { fragment, holes: /** @type {Compiled["holes"]} */ ([]) };
  find(fragment, [], names, result.holes);
  compiled.set(strings, result);
  return result;
}

/** @param {Node} node @param {number[]} path @param {string[]} names @param {Compiled["holes"]} holes */
function find(node, path, names, holes) {
  node.childNodes.forEach((child, at) => {
    const place = [...path, at];
    if (child instanceof Comment) {
      const match = hole.exec(child.data);
      if (!match) return;
      child.data = "";
      holes.push({ path: place, hole: { kind: "child", index: Number(match[1]), name: "", strings: [] } });
    } else if (child instanceof Element) {
      for (const { name, value } of [...child.attributes]) {
        const match = hole.exec(value);
        if (!match) continue;
        child.removeAttribute(name);
        const index = Number(match[1]);
        holes.push({ path: place, hole: attributeHole(names[index], index, value) });
      }
      find(child, place, names, holes);
    }
  });
}

/** @param {string} name @param {number} index @param {string} value @returns {Hole} */
function attributeHole(name, index, value) {
  const strings = value.split(/⟦\d+⟧/);
  const mark = name[0];
  if (mark === "@") return { kind: "event", index, name: name.slice(1), strings };
  if (mark === ".") return { kind: "property", index, name: checkedProperty(name.slice(1)), strings };
  if (mark === "?") return { kind: "toggle", index, name: checkedAttribute(name.slice(1)), strings };
  return { kind: "attribute", index, name: checkedAttribute(name), strings };
}

// MARK: - What may be put in

const safeAttributes = new Set(
  (
    "accept alt autocapitalize autocomplete autofocus checked class cols d dateTime datetime dir disabled download " +
    "enterkeyhint for height hidden href id inert inputmode lang list max maxlength min minlength multiple name open " +
    "pattern placeholder points popover popovertarget readonly rel required role rows selected spellcheck src step " +
    "tabindex title translate type value viewBox viewbox width x y x1 x2 y1 y2 cx cy r"
  ).split(" "),
);
const safeProperties = new Set("value checked selected indeterminate disabled open params query item model".split(" "));

/** @param {string} name */
function checkedAttribute(name) {
  if (safeAttributes.has(name) || name.startsWith("aria-") || name.startsWith("data-")) return name;
  throw new TypeError(`the attribute ${name} can not be filled in`);
}

/** @param {string} name */
function checkedProperty(name) {
  if (safeProperties.has(name)) return name;
  throw new TypeError(`the property ${name} can not be filled in`);
}

/**
 * Addresses within the app, of telephones, and of what the page itself made.
 * @param {string} address
 */
export const isSafeAddress = (address) => /^(\/(?!\/)|#|\?|tel:|sms:|blob:)/.test(address);

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
