// Templates that know their own holes: what stands in the source is markup, what is put in is text, an attribute of a
// short list, a property, a listener, or another template.

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

// MARK: - Compiling

/** @type {WeakMap<TemplateStringsArray, Compiled>} */
const compiled = new WeakMap();
const hole = /⟦(\d+)⟧/;
const attributeBefore = /([@.?]?[\w:-]+)=(?:"[^"]*|'[^']*)?$/;

/**
 * The markup with its holes, read once for each template of the source.
 * @param {Template} template
 * @returns {Compiled}
 */
export function compile({ strings, isSVG }) {
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
 * Addresses within the app, of telephones, and of what the page itself made. A browser takes a backslash for a slash and
 * drops tabs and line ends: with these an address could lead elsewhere.
 * @param {string} address
 */
export const isSafeAddress = (address) => /^(\/(?!\/)|#|\?|tel:|sms:|blob:)/.test(address) && !/[\0-\x1f\\]/.test(address);
