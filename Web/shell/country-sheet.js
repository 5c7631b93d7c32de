import { db } from "../core/db.js";
import { announce } from "../core/focus.js";
import { countryName, t } from "../core/i18n.js";
import { icon } from "../core/icons.js";
import { each, html, render } from "../core/view.js";
import "../core/later-icons.js";
import { flag } from "../pure/countries.js";
import { search } from "../pure/country-search.js";
import { opened } from "./ask.js";

/** @typedef {import("../pure/countries.js").Country} Country */
/** @typedef {import("../core/view.js").Template} Template */

const kept = "recent-countries";
const mostRecent = 4;

/**
 * Lets the person choose a country, by its name in their language, its two letters or its dial code.
 * @param {string} chosen ISO 3166-1
 * @param {readonly string[] | null} [allowed] all where null
 * @returns {Promise<string | null>} ISO 3166-1; null when they left it
 */
export async function chooseCountry(chosen, allowed = null) {
  /** @type {string[]} */
  const recent = (await db.get("settings", kept).catch(() => null)) ?? [];
  const dialog = document.createElement("dialog");
  dialog.className = "sheet";
  dialog.setAttribute("aria-labelledby", "country-title");
  let query = "";

  const found = () => search(query, countryName).filter(({ code }) => allowed === null || allowed.includes(code));
  const all = found();
  const short = [chosen, ...recent.filter((code) => code !== chosen)]
    .flatMap((code) => all.filter((country) => country.code === code));

  const draw = () => {
    const shown = found();
    render(html`<div class="bar"><div class="what"><h2 id="country-title">${t("shell.country")}</h2></div>
        <button type="button" class="tap" aria-label=${t("app.close")} @click=${() => dialog.close("")}>${icon("close", 24)}</button></div>
      <label class="input find"><span class="go">${icon("search", 20)}</span><span class="hidden">${t("shell.findCountry")}</span>
        <input type="search" autocomplete="off" autofocus placeholder=${t("shell.findCountry")} enterkeyhint="done"
          @input=${find} @keydown=${pick}></label>
      ${query === "" && all.length > 8 ? part(t("shell.recent"), short) : null}
      ${shown.length > 0 ? part(query === "" ? t("shell.allCountries", { n: shown.length }) : t("shell.found", { n: shown.length }), shown)
        : html`<p class="quiet">${t("shell.noCountry", { query })}</p>`}`, dialog);
  };

  /**
   * @param {string} title
   * @param {Country[]} countries
   * @returns {Template}
   */
  const part = (title, countries) => html`<section class="part"><h3>${title}</h3><ul class="list">
    ${each(countries, ({ code }) => code, row)}</ul></section>`;

  /**
   * @param {Country} country
   * @returns {Template}
   */
  const row = ({ code, dial, leading }) => html`<li><button type="button" class="row" @click=${() => dialog.close(code)}>
    <span aria-hidden="true">${flag(code)}</span><span class=${code === chosen ? "what name" : "what"}>${countryName(code)}</span>
    <span class="inline"><span class="value">+${dial}${leading.length === 1 && leading[0] ? ` ${leading[0]}` : ""}</span>
    ${code === chosen ? html`<span class="hue">${icon("tick", 20)}<span class="hidden">${t("shell.chosen")}</span></span>` : null}</span></button></li>`;

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let said;
  /** @param {Event} event */
  const find = (event) => {
    query = /** @type {HTMLInputElement} */ (event.target).value.trim();
    draw();
    dialog.scrollTop = 0;
    clearTimeout(said);
    said = setTimeout(() => announce(t("shell.found", { n: found().length })), 800);
  };
  /**
   * Return takes the first one found.
   * @param {Event} event
   */
  const pick = (event) => {
    const { key, isComposing } = /** @type {KeyboardEvent} */ (event);
    if (key !== "Enter" || isComposing) return;
    event.preventDefault();
    const first = found()[0];
    if (query !== "" && first) dialog.close(first.code);
  };
  /**
   * The arrows walk through the rows.
   * @param {KeyboardEvent} event
   */
  const walk = (event) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const stops = /** @type {HTMLElement[]} */ ([...dialog.querySelectorAll("input, .row")]);
    const at = stops.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const next = stops[at + (event.key === "ArrowDown" ? 1 : -1)];
    if (at < 0 || !next) return;
    event.preventDefault();
    next.focus();
  };
  dialog.addEventListener("keydown", walk);

  draw();
  const code = await opened(dialog);
  if (!code) return null;
  await db.put("settings", [code, ...recent.filter((one) => one !== code)].slice(0, mostRecent), kept).catch(() => {});
  return code;
}
