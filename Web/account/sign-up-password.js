import { ApiError } from "../core/api.js";
import { t } from "../core/i18n.js";
import { icon } from "../core/icons.js";
import { html } from "../core/view.js";
import "../core/later-icons.js";
import { sentence } from "../shell/errors.js";
import { below, passwordField, submit } from "./fields.js";
import { change, finish, flow } from "./sign-up-flow.js";

/** @typedef {import("../core/view.js").Template} Template */
/** @typedef {import("./sign-up.js").SignUp} SignUp */

/** The fewest characters of a password. */
export const shortest = 8;

/**
 * The third step: a password, and the terms.
 * @param {SignUp} screen
 * @returns {Template}
 */
export function passwordStep(screen) {
  const { asked, password, accepts } = flow.value;
  return html`<header class="bar"><a class="tap back" href="/sign-up?step=code" aria-label=${t("app.back")}>${icon("back", 24)}</a><div class="what"><h1>${t("account.password.title")}</h1></div></header>
  <main id="main">
    <form class="part loose" novalidate @submit=${end}>
      <p>${t("account.password.text")}</p>
      <input class="hidden" type="tel" name="phone" autocomplete="username" readonly tabindex="-1" aria-hidden="true" value=${asked?.phone ?? ""}>
      ${passwordField({
        id: "password", label: t("account.password.new"), kind: "new-password", value: password, isShown: screen.isShown,
        error: screen.errors.password ?? null, note: rule(password),
        type: (text) => { delete screen.errors.password; change({ password: text }); },
        toggle: () => { screen.isShown = !screen.isShown; screen.update(); },
      })}
      <div class="field"><label class="head"><input id="terms" type="checkbox" class="switch" role="switch" .checked=${accepts} aria-invalid=${screen.errors.terms ? "true" : null}
          aria-describedby=${screen.errors.terms ? "terms-note" : null} @change=${(/** @type {Event} */ event) => { delete screen.errors.terms; change({ accepts: /** @type {HTMLInputElement} */ (event.target).checked }); }}>
        <span class="quiet">${t("account.accept")} <a href="/terms">${t("account.terms")}</a></span></label>
        ${below("terms", screen.errors.terms ?? null)}</div>
      ${submit(t("account.finish"), t("account.finishing"), screen.isBusy)}
    </form>
  </main>`;

  /** @param {Event} event */
  async function end(event) {
    event.preventDefault();
    if ([...password].length < shortest) return screen.fail({ password: tooShort(password) });
    if (!accepts) return screen.fail({ terms: t("account.acceptFirst") });
    await screen.attempt(async () => {
      try {
        await screen.signedUp(await finish());
      } catch (/** @type {any} */ error) {
        if (!["code-wrong", "code-expired", "not-found"].includes(error?.code)) throw error;
        await screen.backToCode(error);
      }
    }, (error) => ({ password: weakness(error) }));
  }
}

/**
 * @param {string} password
 * @returns {string}
 */
export const tooShort = (password) =>
  password === "" ? t("account.password.rule", { n: shortest }) : t("account.password.short", { n: shortest - [...password].length });

/**
 * The rule, and how far one is.
 * @param {string} password
 * @returns {string}
 */
export const rule = (password) =>
  password && [...password].length < shortest ? tooShort(password) : t("account.password.rule", { n: shortest });

/**
 * The server's reasons against a password, and their sentences.
 * @type {[RegExp, string][]}
 */
const reasons = [[/common/, "common"], [/repeats/, "repeats"], [/phone number/, "phone"]];

/**
 * Why the server does not take a password.
 * @param {unknown} error
 * @returns {string}
 */
export function weakness(error) {
  const detail = error instanceof ApiError && error.code === "weak-password" ? (error.detail ?? "") : "";
  const reason = reasons.find(([pattern]) => pattern.test(detail));
  return reason ? t(`account.password.${reason[1]}`) : sentence(error);
}
