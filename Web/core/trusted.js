// The only place that makes markup or script addresses out of strings; the content policy allows nobody else to.

/** @type {{createHTML(text: string): any, createScriptURL(text: string): any} | undefined} */
const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("switchboard", {
  createHTML: (/** @type {string} */ text) => text,
  createScriptURL: (/** @type {string} */ text) => text,
});

/**
 * Markup of a template's own source text: never of anything that came from outside.
 * @param {TemplateStringsArray} strings
 * @param {string} text made of `strings` alone
 * @returns {string}
 */
export function trustedMarkup(strings, text) {
  if (!Object.isFrozen(strings) || !Array.isArray(strings.raw)) throw new TypeError("only a template's own strings are markup");
  return policy ? policy.createHTML(text) : text;
}

/** @returns {string} the address of the service worker */
export const workerAddress = () => (policy ? policy.createScriptURL("/worker.js") : "/worker.js");
