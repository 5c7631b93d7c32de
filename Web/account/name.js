import { api } from "../core/api.js";
import { announce } from "../core/focus.js";
import { t } from "../core/i18n.js";
import { changeAccount } from "../core/session.js";
import { html } from "../core/view.js";
import { sentence } from "../shell/errors.js";
import { toast } from "../shell/toast.js";

/** @typedef {import("../core/view.js").Template} Template */

/**
 * Changes one's name, in the place where it stands.
 * @param {import("../core/session.js").Account} account
 * @param {() => void} done
 * @returns {Template}
 */
export const nameForm = (account, done) => html`<form class="box" @submit=${(/** @type {Event} */ event) => save(event, done)}>
  <div class="field"><label class="label" for="name">${t("me.name")}</label>
    <span class="input"><input id="name" name="name" type="text" autocomplete="name" maxlength="100" autofocus value=${account.name ?? ""} aria-describedby="name-note"></span>
    <small id="name-note">${t("me.nameNote")}</small></div>
  <div class="btns"><button type="button" class="btn" @click=${done}>${t("app.cancel")}</button><button class="btn main">${t("me.save")}</button></div>
</form>`;

/**
 * @param {Event} event
 * @param {() => void} done
 */
async function save(event, done) {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const name = String(new FormData(form).get("name") ?? "").trim();
  try {
    await changeAccount(await api.patch("/account", { name }));
    done();
    toast(t("me.nameSaved"));
  } catch (error) {
    // The form stays open with what was typed.
    announce(sentence(error));
    toast(sentence(error), { mark: "failed" });
  }
}
