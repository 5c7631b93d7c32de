/**
 * Adds a room's style to the page's own, when the room is brought. The policy allows it: it is the text of a module.
 * @param {TemplateStringsArray} strings without holes
 */
export function style(strings) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(strings.raw.join(""));
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
