import { t } from "../core/i18n.js";
import { go } from "../core/router.js";
import { Screen } from "../core/screen.js";
import { session, signIn } from "../core/session.js";
import { api } from "../core/api.js";
import { bringPlan, plan } from "../core/numbering.js";
import { html } from "../core/view.js";
import { sentence } from "../shell/errors.js";
import { toast } from "../shell/toast.js";
import { leadTo, numberFields, numberTrouble, passwordField, submit } from "./fields.js";
import { change, country, flow, typed } from "./sign-up-flow.js";
import { hello } from "./sign-up-number.js";

/** Number and password; in a household the password alone. */
class SignIn extends Screen {
  #password = "";
  #isShown = false;
  #isBusy = false;
  /** @type {Record<string, string>} */
  #errors = {};

  get frame() {
    return "plain";
  }

  get heading() {
    return t("account.signIn");
  }

  start() {
    this.watch(flow);
    this.watch(session);
  }

  view() {
    const { household, signUp } = session.value;
    return html`<main id="main" class="door">${hello()}
      <form class="part loose" novalidate @submit=${(/** @type {Event} */ event) => { event.preventDefault(); void this.#signIn(); }}>
        ${household ? html`<input class="hidden" type="text" name="username" autocomplete="username" readonly tabindex="-1" aria-hidden="true" value="household">` : numberFields({
          country: country(), number: flow.value.number, autocomplete: "username", error: this.#errors.phone ?? null,
          type: (text) => { delete this.#errors.phone; change({ number: text }); },
          choose: (code) => change({ country: code, number: /^\s*(\+|00)/.test(flow.value.number) ? "" : flow.value.number }),
        })}
        ${passwordField({
          id: "password", label: household ? t("account.householdPassword") : t("account.password.label"), kind: "current-password", value: this.#password,
          isShown: this.#isShown, error: this.#errors.password ?? null, note: household ? t("account.householdNote") : null,
          type: (text) => { delete this.#errors.password; this.#password = text; this.update(); },
          toggle: () => { this.#isShown = !this.#isShown; this.update(); },
        })}
        ${submit(t("account.signIn"), t("account.signingIn"), this.#isBusy)}
        ${household ? null : signUp === "open"
          ? html`<a class="btn" href="/sign-up">${t("account.signUp")}</a><p class="quiet">${t("account.forgotten")} <a href="/sign-up">${t("account.forgottenLink")}</a></p>`
          : html`<p class="quiet">${t("account.closed.text")}</p>`}
      </form>
    </main>`;
  }

  async #signIn() {
    if (this.#isBusy) return;
    const { household } = session.value;
    if (!household && !plan.value) {
      this.#isBusy = true;
      this.update();
      await bringPlan().catch((error) => this.#fail("phone", sentence(error)));
      this.#isBusy = false;
      if (!plan.value) return this.update();
    }
    const number = typed();
    if (!household && !number.ok) return this.#fail("phone", numberTrouble(number.reason));
    if (!this.#password) return this.#fail("password", t("account.password.missing"));
    this.#isBusy = true;
    this.#errors = {};
    this.update();
    try {
      const who = household ? {} : { phone: number.e164 };
      const answer = await api.post("/sessions", { ...who, password: this.#password }, { patient: false });
      await signIn(answer);
      change({ number: "", country: "" });
      await go("/texts", { replace: true });
      if (answer.restored) toast(t("account.restored"));
    } catch (/** @type {any} */ error) {
      this.#fail("password", household && error?.code === "wrong-credentials" ? t("error.wrong-password") : sentence(error));
    } finally {
      this.#isBusy = false;
      this.update();
    }
  }

  /**
   * @param {string} field
   * @param {string} text
   */
  #fail(field, text) {
    this.#errors = { [field]: text };
    this.update();
    leadTo(field, text);
  }
}

customElements.define("account-sign-in", SignIn);
