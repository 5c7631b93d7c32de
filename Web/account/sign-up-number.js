import { countryName, list, t } from "../core/i18n.js";
import { session } from "../core/session.js";
import { html } from "../core/view.js";
import { sentence } from "../shell/errors.js";
import { logo } from "../shell/logo.js";
import { numberFields, numberTrouble, pretty, submit } from "./fields.js";
import { askCode, change, country, flow, typed } from "./sign-up-flow.js";

/** @typedef {import("../core/view.js").Template} Template */
/** @typedef {import("./sign-up.js").SignUp} SignUp */

/** The app's name and what it is for; above the forms of those who are not in yet. @returns {Template} */
export const hello = () => html`<div class="part">${logo}
  <h1>Switchboard</h1>
  <p class="quiet">${t("account.promise")}</p></div>`;

/** The first step: which number. @param {SignUp} screen @returns {Template} */
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
    if (!cleaned.ok) return screen.fail({ phone: numberTrouble(cleaned.reason) });
    if (allowed && cleaned.country && !allowed.includes(cleaned.country)) {
      return screen.fail({ phone: t("account.number.elsewhere", { countries: list(allowed.map(countryName)) }) });
    }
    const website = /** @type {HTMLInputElement | null} */ (document.getElementById("website"))?.value ?? "";
    await screen.attempt(async () => {
      await askCode(website);
      await screen.to("code");
    }, (error) => ({ phone: sentence(error) }));
  }
}

/** Where nobody can sign up. @returns {Template} */
export const closedStep = () => html`<main id="main" class="door">${hello()}
  <section class="box"><h2>${t("account.closed.title")}</h2><p>${t("account.closed.text")}</p></section>
  <a class="btn main" href="/sign-in">${t("account.signIn")}</a></main>`;
