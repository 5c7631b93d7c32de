/** Numbers as they are shown. Needs no table of countries, so that a list of texts does not wait for one. */

// The length of a dial code follows from its first digits (ITU-T E.164, list of assigned country codes).
const dialCode = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|[2-689]\d\d)/;

// How the digits after the dial code are grouped, by the first digits of the number; the longest prefix rules.
const groups = new Map(
  (
    "1:334 7:3322 20:334 212:333 234:334 254:333 27:234 30:334 31:144 32:3222 33:12222 34:3222 351:333 353:234 358:234 " +
    "36:234 370:323 371:233 372:44 380:2322 39:334 40:333 41:2322 420:333 43:334 44:433 4420:244 447:46 45:2222 46:2322 " +
    "468:1332 47:323 48:333 49:344 52:334 54:1244 55:254 56:144 57:334 60:234 61:333 62:344 63:334 64:234 65:44 66:234 " +
    "81:244 82:244 84:2322 852:44 86:344 8610:244 862:244 886:333 90:334 91:55 966:234 971:234 972:234"
  )
    .split(" ")
    .map((row) => /** @type {[string, string]} */ (row.split(":"))),
);

/**
 * A number in groups, for reading: "+358 40 123 4567". Anything that is no number, such as a sender's name, as it is.
 * @param {string} e164
 * @returns {string}
 */
export function format(e164) {
  const dial = /^\d{7,15}$/.test(e164.slice(1)) && e164.startsWith("+") ? (dialCode.exec(e164.slice(1))?.[0] ?? "") : "";
  if (!dial) return e164;
  let known = "";
  for (let length = 6; length > 0 && !known; length -= 1) known = groups.get(e164.slice(1, 1 + length)) ?? "";
  let rest = e164.slice(1 + dial.length);
  const shown = [`+${dial}`];
  for (const size of known) {
    // No single digit is left over at the end.
    const take = rest.length - +size === 1 && +size < 5 ? rest.length : +size;
    if (rest) shown.push(rest.slice(0, take));
    rest = rest.slice(take);
  }
  while (rest) {
    const take = rest.length <= 4 ? rest.length : 3;
    shown.push(rest.slice(0, take));
    rest = rest.slice(take);
  }
  return shown.join(" ");
}

/**
 * The number with its middle hidden, as the server shows it in its log: "+3584012••567".
 * @param {string} e164
 * @returns {string}
 */
export function mask(e164) {
  const digits = e164.replace("+", "");
  const [head, tail] = digits.length >= 12 ? [7, 3] : [Math.max(1, digits.length - 7), 2];
  const hidden = Math.max(2, digits.length - head - tail);
  return `+${digits.slice(0, head)}${"•".repeat(hidden)}${digits.slice(-tail)}`;
}
