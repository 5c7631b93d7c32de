/** Characters as a reader counts them (Unicode Standard Annex 29). */

const segmenter = globalThis.Intl?.Segmenter && new Intl.Segmenter("en");

/**
 * What a reader sees as one. Browsers take a long text badly, so it is given to them in slices.
 * @param {string} text
 * @returns {string[]}
 */
export function graphemes(text) {
  if (!segmenter) return [...text];
  /** @type {string[]} */
  const all = [];
  for (let at = 0; at < text.length; ) {
    const slice = text.slice(at, at + 1024);
    const found = Array.from(segmenter.segment(slice), (one) => one.segment);
    at += slice.length;
    // The last one may go on in the next slice, and so may one that fills a whole slice.
    if (found.length > 1 && at < text.length) at -= (found.pop() ?? "").length;
    if (all.length && /^[\p{M}\u200D]/u.test(found[0])) all[all.length - 1] += found.shift();
    all.push(...found);
  }
  return all;
}
