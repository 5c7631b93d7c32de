/**
 * Every region that has telephone numbers, and its dial code. Names are not here: `Intl.DisplayNames` has them.
 *
 * Regions: ISO 3166-1, and AC, TA and XK, which have dial codes of their own. Codes and trunk prefixes: ITU-T E.164
 * and its Operational Bulletins, read from libphonenumber 9.0.43 (Apache-2.0).
 */

/**
 * @typedef {object} Country
 * @property {string} code ISO 3166-1, two letters.
 * @property {string} dial Digits without a plus sign.
 * @property {string} trunk What is dialled before a number inside the country, and dropped from outside; often "".
 * @property {string[]} leading Where several share a dial code: the digits after it that are this one's; empty for the
 *   main one, [""] where no digits tell.
 */

// By trunk prefix: code, dial code, and after dots the leading digits. A dot alone: no digits tell it from the main one.
const table = [
  [
    "",
    "AC247AD376AO244AQ672.1AW297BF226BH973BI257BJ229BN673BQ599.3.4.7BT975BV47.BW267BZ501CF236CG242CI225CK" +
    "682CL56CM237CR506CV238CW599CY357CZ420DJ253DK45EE372ES34FJ679FK500FM691FO298GA241GI350GL299GM220GN224" +
    "GQ240GR30GS500.GT502GW245GY592HK852HM672.HN504HT509IO246IS354IT39KM269KW965LS266LU352LV371ML223MO853" +
    "MR222MT356MU230MV960MX52MZ258NC687NE227NF672NI505NO47NR674NU683OM968PA507PF689PG675PL48PT351PW680QA9" +
    "74SB677SC248SG65SH290SJ47.79SM378SN221SR597ST239SV503SZ268TA290.8TD235TG228TJ992TK690TL670TN216TO676" +
    "TV688UZ998VA39.06698VU678WF681WS685",
  ],
  [
    "0",
    "AE971AF93AL355AM374AR54AT43AU61AX358.18AZ994BA387BD880BE32BG359BL590.BO591BR55CC61.89162CD243CH41CN8" +
    "6CO57CU53CX61.89164DE49DZ213EC593EG20EH212.5288.5289ER291ET251FI358FR33GB44GE995GF594GG44.1481.7781." +
    "7839.7911GH233GP590HR385ID62IE353IL972IM44.1624.7524.7624.7924IN91IQ964IR98JE44.1534.7509.77003.77007.77008.7797." +
    "7829.7937JO962JP81KE254KG996KH855KI686KP850KR82LA856LB961LI423LK94LR231LT370LY218MA212MC377MD373ME38" +
    "2MF590.MG261MK389MM95MN976MQ596MW265MY60NA264NG234NL31NP977NZ64PE51PH63PK92PM508PN64.PS970PY595RE262" +
    "RO40RS381RW250SA966SD249SE46SI386SK421SL232SO252SS211SY963TF262.TH66TR90TW886TZ255UA380UG256UY598VE5" +
    "8VN84XK383YE967YT262.269.639.709ZA27ZM260ZW263",
  ],
  [
    "1",
    "AG1.268AI1.264AS1.684BB1.246BM1.441BS1.242CA1.204.226.236.249.250.257.263.273.289.306.343.354.365.36" +
    "7.368.382.403.416.418.428.431.437.438.450.468.474.506.514.519.548.579.581.584.587.604.613.639.647.67" +
    "2.683.705.709.742.753.778.780.782.807.819.825.867.873.879.902.905.942DM1.767DO1.809.829.849GD1.473GU" +
    "1.671JM1.658.876KN1.869KY1.345LC1.758MH692MP1.670MS1.664PR1.787.939SX1.721TC1.649TT1.868UM1.US1VC1.7" +
    "84VG1.284VI1.340",
  ],
  ["8", "BY375KZ7.6.7RU7TM993"],
  ["06", "HU36"],
];

/** @type {Country[]} By code. */
export const countries = table
  .flatMap(([trunk, rows]) =>
    Array.from(rows.matchAll(/([A-Z]+)(\d+)([.\d]*)/g), ([, code, dial, leading]) => ({
      code,
      dial,
      trunk,
      leading: leading.split(".").slice(1),
    })),
  )
  .sort((a, b) => (a.code < b.code ? -1 : 1));

const byCode = new Map(countries.map((country) => [country.code, country]));

/** @type {Map<string, Country>} By dial code and leading digits. */
const byPrefix = new Map();
for (const country of countries) {
  for (const leading of country.leading.length ? country.leading : [""]) {
    if (leading || !country.leading.length) byPrefix.set(country.dial + leading, country);
  }
}

/**
 * @param {string|null|undefined} code
 * @returns {Country|undefined}
 */
export const country = (code) => byCode.get(code ?? "");

/**
 * The country of a number, by the longest prefix that is known.
 * @param {string} e164 With or without its plus sign; may be only its beginning.
 * @returns {Country|undefined}
 */
export function countryOf(e164) {
  const digits = e164.replace("+", "");
  for (let length = Math.min(8, digits.length); length > 0; length -= 1) {
    const found = byPrefix.get(digits.slice(0, length));
    if (found) return found;
  }
}

/**
 * An emoji of two letters; where flags are not drawn, the letters stand. Decoration only.
 * @param {string} code
 * @returns {string}
 */
export const flag = (code) => code.replace(/[A-Z]/g, (c) => String.fromCodePoint(c.charCodeAt(0) + 0x1f1a5));
