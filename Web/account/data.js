import { api } from "../core/api.js";
import { announce } from "../core/focus.js";
import { dateTime, t } from "../core/i18n.js";
import { icon } from "../core/icons.js";
import { outbox } from "../core/outbox.js";
import { Screen } from "../core/screen.js";
import { forget, online } from "../core/session.js";
import { html } from "../core/view.js";
import "../core/later-icons.js";
import { ask } from "../shell/ask.js";
import { sentence } from "../shell/errors.js";
import { logo } from "../shell/logo.js";
import { below, leadTo, passwordField, submit } from "./fields.js";
// One file with what everybody has by now.
import "./door.js";
import "./style.js";

/** What is one's own: taking all of it along, and having it erased. */
class Data extends Screen {
  #password = "";
  #isShown = false;
  #isBusy = false;
  /** @type {string | null} */
  #error = null;
  /** @type {string | null} */
  #exportError = null;
  /**
   * When everything is erased.
   * @type {string | null}
   */
  #erasesAt = null;

  get frame() {
    return this.#erasesAt ? "plain" : "me";
  }

  get heading() {
    return t("me.data");
  }

  view() {
    if (this.#erasesAt) return this.#farewell(this.#erasesAt);
    return html`<header class="bar"><a class="tap back" href="/me" aria-label=${t("app.back")}>${icon("back", 24)}</a><div class="what"><h1>${t("me.data")}</h1></div></header>
    <main id="main">
      <section class="box"><h2>${t("me.export.title")}</h2><p>${t("me.export.text")}</p>
        <a class="btn main" href="/api/v1/account/export" download="switchboard.json" aria-describedby=${this.#exportError ? "export-note" : null} @click=${(/** @type {Event} */ event) => this.#export(event)}>${icon("load", 20)} ${t("me.export.action")}</a>
        ${below("export", this.#exportError)}</section>
      <form class="box" novalidate @submit=${(/** @type {Event} */ event) => { event.preventDefault(); void this.#delete(); }}>
        <h2>${t("me.delete.title")}</h2>
        <ul class="points"><li>${t("me.delete.now")}</li><li>${t("me.delete.planned")}</li><li>${t("me.delete.later")}</li><li>${t("me.delete.undo")}</li></ul>
        ${passwordField({
          id: "password", label: t("account.password.label"), kind: "current-password", value: this.#password, isShown: this.#isShown, error: this.#error,
          type: (text) => { this.#password = text; this.#error = null; this.update(); },
          toggle: () => { this.#isShown = !this.#isShown; this.update(); },
        })}
        ${submit(t("me.delete.action"), t("me.delete.busy"), this.#isBusy, "stop")}
      </form>
    </main>`;
  }

  /** @param {string} erasesAt */
  #farewell(erasesAt) {
    return html`<main id="main" class="door"><div class="part">${logo}<h1>${t("me.deleted.title")}</h1>
      <p>${t("me.deleted.text", { when: dateTime(erasesAt) })}</p></div>
      <a class="btn main" href="/sign-in">${t("me.deleted.undo")}</a></main>`;
  }

  /**
   * The browser takes it as a file by itself; without a network it would leave the app for a page of its own.
   * @param {Event} event
   */
  #export(event) {
    this.#exportError = online.value ? null : t("error.network");
    if (this.#exportError) {
      event.preventDefault();
      announce(this.#exportError);
    }
    this.update();
  }

  async #delete() {
    if (this.#isBusy) return;
    if (!this.#password) return this.#fail(t("account.password.missing"));
    const waiting = outbox.entries.value.length;
    const agreed = await ask({
      title: t("me.delete.ask"), action: t("me.delete.action"), isGrave: true,
      text: waiting > 0 ? t("me.delete.waiting", { n: waiting }) : t("me.delete.askText"),
    });
    if (!agreed) return;
    this.#isBusy = true;
    this.update();
    try {
      const { erasesAt } = await api.delete("/account", { password: this.#password });
      this.#erasesAt = erasesAt;
      this.#password = "";
      await forget();
    } catch (/** @type {any} */ error) {
      this.#fail(sentence(error));
    } finally {
      this.#isBusy = false;
      this.update();
    }
  }

  /** @param {string} text */
  #fail(text) {
    this.#error = text;
    this.update();
    leadTo("password", text);
  }
}

customElements.define("account-data", Data);
