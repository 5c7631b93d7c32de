import { api } from "../core/api.js";
import { t } from "../core/i18n.js";
import { icon } from "../core/icons.js";
import { go } from "../core/router.js";
import { Screen } from "../core/screen.js";
import { session } from "../core/session.js";
import { html } from "../core/view.js";
import "../core/later-icons.js";
import { toast } from "../shell/toast.js";
import { leadTo, passwordField, submit } from "./fields.js";
import { rule, shortest, tooShort, weakness } from "./sign-up-password.js";
// One file with what everybody has by now.
import "./door.js";

/** Changes the password; who is signed in elsewhere has to sign in again. */
class Password extends Screen {
  #values = { current: "", fresh: "" };
  #shown = { current: false, fresh: false };
  #isBusy = false;
  /** @type {Record<string, string>} */
  #errors = {};

  get frame() {
    return "me";
  }

  get heading() {
    return t("me.password");
  }

  view() {
    return html`<header class="bar"><a class="tap back" href="/me" aria-label=${t("app.back")}>${icon("back", 24)}</a><div class="what"><h1>${t("me.password")}</h1></div></header>
    <main id="main"><form class="part loose" novalidate @submit=${(/** @type {Event} */ event) => { event.preventDefault(); void this.#save(); }}>
      <p class="quiet">${t("me.password.text")}</p>
      <input class="hidden" type="tel" name="phone" autocomplete="username" readonly tabindex="-1" aria-hidden="true" value=${session.value.account?.phone ?? ""}>
      ${this.#field("current", t("me.password.current"), "current-password", null)}
      ${this.#field("fresh", t("me.password.new"), "new-password", rule(this.#values.fresh))}
      ${submit(t("me.password.save"), t("me.saving"), this.#isBusy)}
      ${session.value.household || !session.value.account?.phone ? null : html`<p class="quiet">${t("account.forgotten")} <a href="/sign-up">${t("account.forgottenLink")}</a></p>`}
    </form></main>`;
  }

  /**
   * @param {"current" | "fresh"} id
   * @param {string} label
   * @param {"new-password" | "current-password"} kind
   * @param {string | null} note
   */
  #field(id, label, kind, note) {
    return passwordField({
      id, label, kind, note, value: this.#values[id], isShown: this.#shown[id], error: this.#errors[id] ?? null,
      type: (text) => { this.#values[id] = text; delete this.#errors[id]; this.update(); },
      toggle: () => { this.#shown[id] = !this.#shown[id]; this.update(); },
    });
  }

  async #save() {
    if (this.#isBusy) return;
    const { current, fresh } = this.#values;
    if (!current) return this.#fail("current", t("account.password.missing"));
    if ([...fresh].length < shortest) return this.#fail("fresh", tooShort(fresh));
    this.#isBusy = true;
    this.update();
    try {
      await api.post("/account/password", { current, new: fresh }, { patient: false });
      await go("/me", { replace: true });
      toast(t("me.password.saved"));
    } catch (/** @type {any} */ error) {
      this.#fail(error?.code === "wrong-password" ? "current" : "fresh", weakness(error));
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

customElements.define("account-password", Password);
