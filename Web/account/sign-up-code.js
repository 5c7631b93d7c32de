import { announce } from "../core/focus.js";
import { t } from "../core/i18n.js";
import { icon, lamp } from "../core/icons.js";
import { html } from "../core/view.js";
import { sentence } from "../shell/errors.js";
import { below, pretty } from "./fields.js";
import { askCode, change, checkCode, flow, isExpired, secondsToResend } from "./sign-up-flow.js";

/** @typedef {import("../core/view.js").Template} Template */
/** @typedef {import("./sign-up.js").SignUp} SignUp */

/**
 * 75 → "1:15"
 * @param {number} seconds
 */
const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

/**
 * What is wrong with a code, in words.
 * @param {any} error
 * @returns {string}
 */
export function codeTrouble(error) {
  if (error?.code === "code-expired") return t("error.code-expired");
  if (error?.code !== "code-wrong") return sentence(error);
  const left = Number(/\d+/.exec(error.detail ?? "")?.[0] ?? NaN);
  if (left === 0) return t("account.code.used");
  return Number.isNaN(left) ? t("account.code.wrong") : t("account.code.wrongLeft", { n: left });
}

/**
 * Checks the six digits that are in.
 * @param {SignUp} screen
 */
async function submitCode(screen) {
  if (!/^\d{6}$/.test(flow.value.code)) return screen.fail({ code: t("account.code.six") });
  await screen.attempt(async () => {
    await checkCode();
    await screen.to("password");
  }, (error) => {
    // A wrong one is of no more use; one that could not be checked is.
    if (error?.code === "code-wrong" || error?.code === "code-expired") change({ code: "" });
    return { code: codeTrouble(error) };
  });
}

/**
 * @param {SignUp} screen
 * @param {string} text
 */
function typeCode(screen, text) {
  const code = text.normalize("NFKC").replace(/\D/g, "").slice(0, 6);
  delete screen.errors.code;
  change({ code });
  if (code.length === 6) void submitCode(screen);
}

/**
 * Takes the code from the text message where the browser hands it over (WebOTP).
 * @param {SignUp} screen
 * @returns {() => void} ends it
 */
export function listenForCode(screen) {
  if (!("OTPCredential" in globalThis)) return () => {};
  const abort = new AbortController();
  const wanted = /** @type {any} */ ({ otp: { transport: ["sms"] }, signal: abort.signal });
  navigator.credentials.get(wanted).then((/** @type {any} */ found) => {
    if (found?.code) typeCode(screen, found.code);
  }, () => {});
  return () => abort.abort();
}

/**
 * The second step: the code that was texted.
 * @param {SignUp} screen
 * @returns {Template}
 */
export function codeStep(screen) {
  const { asked, code } = flow.value;
  if (!asked) return html``;
  const wait = secondsToResend();
  const minutes = Math.max(1, Math.ceil((Date.parse(asked.expiresAt) - Date.now()) / 60_000));
  const again = () => screen.attempt(async () => {
    await askCode();
    announce(t("account.code.sentAgain"));
    document.getElementById("code")?.focus();
  }, (error) => ({ code: sentence(error) }));
  return html`<header class="bar"><a class="tap back" href="/sign-up" aria-label=${t("app.back")}>${icon("back", 24)}</a><div class="what"><h1>${t("account.code.title")}</h1></div></header>
  <main id="main">
    <form class="part" novalidate @submit=${(/** @type {Event} */ event) => { event.preventDefault(); void submitCode(screen); }}>
      <p>${t("account.code.sentTo")} <b>${pretty(asked.phone)}</b> <a href="/sign-up">${t("account.change")}</a></p>
      <div class="field"><label class="label" for="code">${t("account.code.label")}</label>
        <span class="input"><input id="code" name="code" class="figure" type="text" inputmode="numeric" autocomplete="one-time-code" maxlength="6" enterkeyhint="go"
          .value=${code} aria-invalid=${screen.errors.code ? "true" : null} aria-describedby="code-note"
          @input=${(/** @type {Event} */ event) => typeCode(screen, /** @type {HTMLInputElement} */ (event.target).value)}>
          ${screen.isBusy ? html`<span class="hue">${lamp("busy")}</span>` : null}</span>
        ${below("code", screen.errors.code ?? null, isExpired() ? t("error.code-expired") : t("account.code.note", { n: minutes }))}</div>
    </form>
    <ul class="list">
      <li><span class="row"><span class="hue">${lamp("sent")}</span><span class="what"><span class="name">${t("account.code.onItsWay")}</span></span>
        <span class="value age">${clock((Date.now() - asked.sentAt) / 1000)}</span></span></li>
      <li>${wait > 0
        ? html`<span class="row quiet">${icon("again", 20)}<span class="what">${t("account.code.again")}</span><span class="value">${t("account.code.in", { time: clock(wait) })}</span></span>`
        : html`<button type="button" class="row" @click=${again}><span class="hue">${icon("again", 20)}</span><span class="what">${t("account.code.again")}</span></button>`}</li>
    </ul>
    <p class="quiet">${t("account.code.help")}</p>
  </main>`;
}
