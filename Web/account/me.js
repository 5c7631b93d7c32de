import { chosenLanguage, firstLanguage, languages, setLanguage, t } from "../core/i18n.js";
import { icon } from "../core/icons.js";
import { outbox } from "../core/outbox.js";
import { Screen } from "../core/screen.js";
import { changeAccount, session, signOut } from "../core/session.js";
import { api } from "../core/api.js";
import { html } from "../core/view.js";
import { format } from "../core/numbering.js";
import "../core/later-icons.js";
import { display, initials } from "../pure/text.js";
import { appearance, setAppearance } from "../shell/appearance.js";
import { ask } from "../shell/ask.js";
import { sentence } from "../shell/errors.js";
import { isInstalled } from "../shell/install.js";
import { toast } from "../shell/toast.js";
import { lookForUpdate, waitingWorker } from "../shell/update.js";
import "./icons.js";
import { nameForm } from "./name.js";
// One file with what everybody has by now.
import "./door.js";
import "./style.js";

/** @typedef {import("../core/view.js").Template} Template */
/** @typedef {import("../shell/appearance.js").Appearance} Appearance */

/** Oneself: what is shown of one, how the app looks here, and what is one's own to take. */
class Me extends Screen {
  isNaming = false;

  get frame() {
    return "me wide";
  }

  get heading() {
    return t("me.title");
  }

  start() {
    for (const signal of [session, outbox.entries, waitingWorker]) this.watch(signal);
  }

  view() {
    const { account, version } = session.value;
    if (!account) return html``;
    const waiting = outbox.entries.value.length;
    return html`<header class="bar"><div class="what"><h1>${t("me.title")}</h1></div></header>
    <main id="main">
      ${this.isNaming ? nameForm(account, () => { this.isNaming = false; this.update(); }) : card(account, () => { this.isNaming = true; this.update(); })}
      <div class="deck">
        <section class="part"><h2>${t("me.app")}</h2><ul class="list icons">
          <li><label class="row"><span class="hue">${icon("globe", 24)}</span><span class="what">${t("me.language")}</span>
            <span class="inline"><select class="value" @change=${chooseLanguage}>
              <option value="" .selected=${chosenLanguage() === ""}>${t("me.languageSystem")}</option>
              ${Object.entries(languages).map(([code, name]) => html`<option value=${code} lang=${code} .selected=${chosenLanguage() === code}>${name}</option>`)}
            </select><span class="go">${icon("down", 20)}</span></span></label></li>
          <li><div class="row ctl"><span class="hue">${icon("moon", 24)}</span><span class="what" aria-hidden="true">${t("me.appearance")}</span>
            <fieldset class="pick"><legend class="hidden">${t("me.appearance")}</legend>
              ${["system", "light", "dark"].map((choice) => html`<label><input type="radio" name="appearance" value=${choice} .checked=${appearance() === choice}
                @change=${() => { setAppearance(/** @type {Appearance} */ (choice)); this.update(); }}>${t(`me.appearance.${choice}`)}</label>`)}</fieldset></div></li>
          ${row("/me/install", "plus", t("me.install"), isInstalled() ? t("me.installed") : null)}
          ${waiting > 0 ? row("/outbox", "later", t("me.outbox"), String(waiting)) : null}
        </ul></section>
        <section class="part"><h2>${t("me.safety")}</h2><ul class="list icons">
          ${row("/me/password", "lock", t("me.password"))}
          ${row("/me/sessions", "shield", t("me.sessions"), null, t("me.sessionsNote"))}
          ${row("/terms", "info", t("me.terms"))}
        </ul></section>
        <section class="part"><h2>${t("me.yours")}</h2><ul class="list icons">
          ${row("/me/data", "load", t("me.data"), null, t("me.dataNote"))}
          <li><button type="button" class="row" @click=${leave}><span class="hue">${icon("leave", 24)}</span><span class="what"><span>${t("me.signOut")}</span><small>${t("me.signOutNote")}</small></span></button></li>
        </ul></section>
        ${account.role === "admin" ? html`<section class="part"><h2>${t("me.operator")}</h2><ul class="list icons">
          ${row("/operator/carriers", "swap", t("me.carriers"))}
          ${row("/operator/messages", "search", t("me.findMessage"))}
        </ul></section>` : null}
      </div>
      <p class="quiet">${version ? `Switchboard ${version}` : "Switchboard"} · <button type="button" class="link" @click=${look}>${t("me.lookForUpdate")}</button></p>
    </main>`;
  }
}

/**
 * @param {import("../core/session.js").Account} account
 * @param {() => void} edit
 * @returns {Template}
 */
const card = (account, edit) => html`<ul class="list"><li><button type="button" class="row" @click=${edit}>
  <span class="face me huge" aria-hidden="true">${initials(account.name ?? "") || icon("person", 28)}</span>
  <span class="what"><b class="h2">${display(account.name ?? "") || t("me.noName")}</b>
    ${account.phone ? html`<span class="quiet">${format(account.phone)}</span>` : html`<span class="quiet">${t("me.household")}</span>`}</span>
  <span class="go">${icon("edit", 20)}<span class="hidden">${t("me.editName")}</span></span></button></li></ul>`;

/**
 * @param {string} href
 * @param {string} mark
 * @param {string} name
 * @param {string | null} [value]
 * @param {string | null} [note]
 * @returns {Template}
 */
const row = (href, mark, name, value = null, note = null) => html`<li><a class="row" href=${href}><span class="hue">${icon(mark, 24)}</span>
  <span class="what"><span>${name}</span>${note ? html`<small>${note}</small>` : null}</span>
  ${value ? html`<span class="value">${value}</span>` : null}<span class="go">${icon("go", 20)}</span></a></li>`;

/** @param {Event} event */
async function chooseLanguage(event) {
  const code = /** @type {HTMLSelectElement} */ (event.target).value;
  try {
    if (code) {
      await setLanguage(code, { keep: true });
    } else {
      document.cookie = "switchboard_language=; path=/; max-age=0";
      document.documentElement.lang = "";
      await setLanguage(firstLanguage());
    }
    // The page that is kept for the time without a network is in the language of the cookie.
    navigator.serviceWorker?.controller?.postMessage("language");
    // Texts from the server, like a code, come in it too.
    changeAccount(await api.patch("/account", { locale: document.documentElement.lang }));
  } catch (error) {
    toast(sentence(error), { mark: "failed" });
  }
}

async function leave() {
  const waiting = outbox.entries.value.length;
  const agreed = await ask({
    title: t("me.signOut.title"), action: t("me.signOut"), isGrave: waiting > 0,
    text: waiting > 0 ? t("me.signOut.waiting", { n: waiting }) : t("me.signOut.text"),
  });
  if (!agreed) return;
  try {
    await signOut();
  } catch (error) {
    toast(sentence(error), { mark: "failed" });
  }
}

async function look() {
  try {
    const isThere = await lookForUpdate();
    toast(isThere ? t("me.updateComes") : t("me.updateNone"));
  } catch {
    toast(t("error.network"), { mark: "failed" });
  }
}

customElements.define("account-me", Me);
