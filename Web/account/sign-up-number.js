import { countryName, list, t } from "../core/i18n.js";
import { session } from "../core/session.js";
import { bringPlan, plan } from "../core/numbering.js";
import { html } from "../core/view.js";
import { sentence } from "../shell/errors.js";
import { logo } from "../shell/logo.js";
import { numberFields, numberTrouble, pretty, submit } from "./fields.js";
import { askCode, change, country, flow, typed } from "./sign-up-flow.js";

/** @typedef {import("../core/view.js").Template} Template */
/** @typedef {import("./sign-up.js").SignUp} SignUp */

/**
 * The app's name and what it is for; above the forms of those who are not in yet.
 * @returns {Template}
 */
export const hello = () => html`<div class="part">${logo}
  <h1>Switchboard</h1>
  <p class="quiet">${t("account.promise")}</p>
  ${jacks}</div>`;

/** Your text, and any phone: two jacks of the board that a cord joins, while others wait. */
const jacks = html`<svg class="jacks" viewBox="0 0 324 100" fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><g class="go" stroke-width="1.5"><circle cx="34" cy="34" r="28"/><circle cx="98" cy="34" r="28"/><circle cx="162" cy="34" r="28"/><circle cx="226" cy="34" r="28"/><circle cx="290" cy="34" r="28"/><g stroke-width="3"><circle cx="98" cy="34" r="7"/><circle cx="162" cy="34" r="7"/><circle cx="226" cy="34" r="7"/></g></g><g class="texts"><g class="hue" stroke-width="1.9"><path d="M26.500 25.500h15a2.200 2.200 0 0 1 2.200 2.200v8.600a2.200 2.200 0 0 1-2.200 2.200H34l-5 3.800v-3.800h-2.500a2.200 2.200 0 0 1-2.200-2.200v-8.600a2.200 2.200 0 0 1 2.200-2.200ZM29 30.300h10M29 33.900h6"/><rect x="282.500" y="21" width="15" height="26" rx="3"/><path d="M288.500 43h3"/></g></g><path stroke-width="4" d="M34 62c0 46 256 46 256 0"/><g fill="currentColor" stroke="none"><circle cx="34" cy="62" r="4"/><circle cx="290" cy="62" r="4"/></g></svg>`;

/**
 * The first step: which number.
 * @param {SignUp} screen
 * @returns {Template}
 */
export function numberStep(screen) {
  const { number } = flow.value;
  const cleaned = typed();
  const allowed = session.value.countries;
  return html`<main id="main" class="door">${hello()}
    <form class="part loose" @submit=${send} novalidate>
      ${numberFields({
        country: country(), number, autocomplete: "tel", error: screen.errors.phone ?? null, allowed,
        note: cleaned.ok ? t("account.codeGoesTo", { phone: pretty(cleaned.e164) }) : t("account.codeGoes"),
        type: (text) => { delete screen.errors.phone; change({ number: text }); },
        choose: (code) => change({ country: code, number: /^\s*(\+|00)/.test(number) ? "" : number }),
      })}
      <div class="hidden" aria-hidden="true"><label>Website <input id="website" name="website" type="text" tabindex="-1" autocomplete="off"></label></div>
      ${submit(t("account.sendCode"), t("account.sending"), screen.isBusy)}
      <a class="btn" href="/sign-in">${t("account.haveAccount")}</a>
    </form>
    <p class="quiet"><a href="/terms">${t("account.termsLink")}</a></p>
  </main>`;

  /** @param {Event} event */
  async function send(event) {
    event.preventDefault();
    const website = /** @type {HTMLInputElement | null} */ (document.getElementById("website"))?.value ?? "";
    if (!plan.value) {
      await screen.attempt(async () => { await bringPlan(); }, (error) => ({ phone: sentence(error) }));
      if (!plan.value) return;
    }
    const cleaned = typed();
    if (!cleaned.ok) return screen.fail({ phone: numberTrouble(cleaned.reason) });
    if (allowed && cleaned.country && !allowed.includes(cleaned.country)) {
      return screen.fail({ phone: t("account.number.elsewhere", { countries: list(allowed.map(countryName)) }) });
    }
    await screen.attempt(async () => {
      await screen.ready();
      await askCode(website);
      await screen.to("code");
    }, (error) => ({ phone: sentence(error) }));
  }
}

/**
 * Where nobody can sign up.
 * @returns {Template}
 */
export const closedStep = () => html`<main id="main" class="door">${hello()}
  <section class="box"><h2>${t("account.closed.title")}</h2><p>${t("account.closed.text")}</p></section>
  <a class="btn main" href="/sign-in">${t("account.signIn")}</a></main>`;
