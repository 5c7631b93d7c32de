import { language, t } from "../core/i18n.js";
import { icon } from "../core/icons.js";
import { back } from "../core/router.js";
import { Screen } from "../core/screen.js";
import { session } from "../core/session.js";
import { html } from "../core/view.js";
import { failure, loading } from "../shell/states.js";
import "./style.js";

/**
 * Each part: its heading, and its paragraphs.
 * @typedef {[string, ...string[]][]} Terms
 */

/** @type {Record<string, () => Promise<{default: Terms}>>} */
const texts = {
  en: () => import("../i18n/terms.en.js"),
  fi: () => import("../i18n/terms.fi.js"),
  "zh-Hans": () => import("../i18n/terms.zh.js"),
};

/** The terms, to be read: what is stored, who sees it, what it costs, what one must not do. */
class TermsScreen extends Screen {
  /** @type {Terms | null} */
  #terms = null;
  /** @type {unknown} */
  #error = null;

  get frame() {
    return session.value.account ? "me" : "plain";
  }

  get heading() {
    return t("account.termsLink");
  }

  start() {
    this.until(language.subscribe(() => void this.#load()));
    void this.#load();
  }

  async #load() {
    this.#error = null;
    try {
      this.#terms = (await (texts[language.value] ?? texts.en)()).default;
    } catch (error) {
      this.#error = error;
    }
    this.update();
  }

  view() {
    const { account, terms } = session.value;
    const home = account ? "/me" : "/sign-up";
    // The way back leads to where the form stands with all that was typed.
    const leave = (/** @type {Event} */ event) => {
      event.preventDefault();
      back(home);
    };
    return html`<header class="bar"><a class="tap back" href=${home} aria-label=${t("app.back")} @click=${leave}>${icon("back", 24)}</a><div class="what"><h1>${t("account.termsLink")}</h1></div></header>
    <main id="main">
      ${this.#error ? failure({ title: t("shell.unloaded"), text: t("shell.unloadedText"), action: { label: t("app.retry"), press: () => this.#load() } }) : null}
      ${!this.#terms && !this.#error ? loading({ rows: 8 }) : null}
      ${this.#terms?.map(([title, ...paragraphs]) => html`<section class="part"><h2>${title}</h2>${paragraphs.map((text) => html`<p>${text}</p>`)}</section>`)}
      ${terms ? html`<p class="quiet">${t("account.termsVersion", { version: terms })}</p>` : null}
    </main>`;
  }
}

customElements.define("account-terms", TermsScreen);
