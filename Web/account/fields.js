// The fields of the account's forms: a label above, a note or the error below, tied to the field.

import { announce } from "../core/focus.js";
import { countryName, t } from "../core/i18n.js";
import { icon, lamp } from "../core/icons.js";
import { html } from "../core/view.js";
import { country as countryBy, countryOf, flag, format } from "../core/numbering.js";

/** @typedef {import("../core/view.js").Template} Template */

/**
 * Leads to the field that is wrong: what is wrong is said, and the field has the focus.
 * @param {string} id
 * @param {string} text
 */
export function leadTo(id, text) {
  announce(text);
  document.getElementById(id)?.focus();
}

/**
 * What stands under a field.
 * @param {string} id of the field; the note is `id-note`
 * @param {string | null} error
 * @param {Template | string | null} [note]
 * @returns {Template | null}
 */
export function below(id, error, note = null) {
  if (error) return html`<small id="${id}-note" class="trouble">${lamp("failed")}<span>${error}</span></small>`;
  return note ? html`<small id="${id}-note">${note}</small>` : null;
}

/**
 * A secret, which can be shown.
 * @param {{id: string, label: string, value: string, kind: "new-password" | "current-password", error?: string | null,
 *   note?: Template | string | null, isShown: boolean, type: (text: string) => void, toggle: () => void}} model
 * @returns {Template}
 */
export const passwordField = ({ id, label, value, kind, error = null, note = null, isShown, type, toggle }) => html`<div class="field">
  <label class="label" for=${id}>${label}</label>
  <span class="input"><input id=${id} name=${id} type=${isShown ? "text" : "password"} autocomplete=${kind} autocapitalize="none" spellcheck="false"
      .value=${value} required aria-invalid=${error ? "true" : null} aria-describedby=${error || note ? `${id}-note` : null}
      @input=${(/** @type {Event} */ event) => type(/** @type {HTMLInputElement} */ (event.target).value)}>
    <button type="button" class="tap text" aria-pressed=${isShown ? "true" : "false"} aria-controls=${id} @click=${toggle}><span class="quiet">${isShown ? t("account.hide") : t("account.show")}</span></button></span>
  ${below(id, error, note)}</div>`;

/**
 * The country and the number in it.
 * @param {{country: string, number: string, autocomplete: string, error: string | null, note?: Template | string | null,
 *   allowed?: readonly string[] | null, type: (text: string) => void, choose: (country: string) => void}} model
 * @returns {Template}
 */
export function numberFields({ country, number, autocomplete, error, note = null, allowed = null, type, choose }) {
  // A number that brings its own country code says the country itself.
  const own = /^\s*(\+|00)/.test(number) ? countryOf(number.replace(/^\s*00/, "+").replace(/[^\d+]/g, "")) : undefined;
  const shown = own ?? countryBy(country);
  const code = shown?.code ?? country;
  const open = async () => {
    const { chooseCountry } = await import("../shell/country-sheet.js");
    const chosen = await chooseCountry(code, allowed);
    if (!chosen) return;
    choose(chosen);
    document.getElementById("phone")?.focus();
  };
  return html`<div class="field"><span class="label" id="country-label">${t("account.country")}</span>
      <button type="button" class="input" aria-haspopup="dialog" aria-label="${t("account.country")}: ${countryName(code)} +${shown?.dial ?? ""}" @click=${open}>
        <span aria-hidden="true">${flag(code)}</span> <span class="what">${countryName(code)}</span> <span class="value">+${shown?.dial ?? ""}</span> <span class="go">${icon("down", 20)}</span></button></div>
    <div class="field"><label class="label" for="phone">${t("account.phone")}</label>
      <span class="input"><input id="phone" name="phone" type="tel" inputmode="tel" autocomplete=${autocomplete} maxlength="40" required .value=${number}
        aria-invalid=${error ? "true" : null} aria-describedby=${error || note ? "phone-note" : null}
        @input=${(/** @type {Event} */ event) => type(/** @type {HTMLInputElement} */ (event.target).value)}></span>
      ${below("phone", error, note)}</div>`;
}

/**
 * Why a number can not be right, in words.
 * @param {string | null} reason of `clean`
 * @returns {string}
 */
export const numberTrouble = (reason) => t(`account.number.${reason ?? "characters"}`);

/**
 * A number in groups, which stay on one line.
 * @param {string} e164
 */
export const pretty = (e164) => format(e164).replaceAll(" ", "\u00a0");

/**
 * The button that sends a form; it says so while it waits, and keeps its place and the focus.
 * @param {string} label
 * @param {string} busyLabel
 * @param {boolean} isBusy
 * @param {string} [kind]
 * @returns {Template}
 */
export const submit = (label, busyLabel, isBusy, kind = "main") => html`<button class="btn ${kind}" aria-disabled=${isBusy ? "true" : null}>
  ${isBusy ? html`${lamp("busy")} ${busyLabel}` : label}</button>`;
