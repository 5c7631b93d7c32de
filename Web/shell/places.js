// The addresses of what stands round the rooms: signing up and in, oneself, what waits. All but the frame itself is
// brought when it is opened.

import { bringWords, t } from "../core/i18n.js";
import { refresh, route } from "../core/router.js";
import { session } from "../core/session.js";
import { html, render } from "../core/view.js";
import { failure } from "./states.js";
import { closeToast, toast } from "./toast.js";

const accountWords = {
  en: () => import("../i18n/account.en.js"),
  fi: () => import("../i18n/account.fi.js"),
  "zh-Hans": () => import("../i18n/account.zh.js"),
};
const settingsWords = {
  en: () => import("../i18n/settings.en.js"),
  fi: () => import("../i18n/settings.fi.js"),
  "zh-Hans": () => import("../i18n/settings.zh.js"),
};

/** @typedef {() => Promise<unknown>} Load */

/**
 * With the words for a visitor.
 * @param {Load} load
 * @returns {Load}
 */
const visiting = (load) => () => Promise.all([load(), bringWords(accountWords)]);
/**
 * With all words about an account.
 * @param {Load} load
 * @returns {Load}
 */
const settled = (load) => () => Promise.all([load(), bringWords(accountWords), bringWords(settingsWords)]);

route("/sign-up", "account-sign-up", visiting(() => import("../account/door.js")));
route("/sign-in", "account-sign-in", visiting(() => import("../account/door.js")));
route("/terms", "account-terms", visiting(() => import("../account/terms.js")));
route("/me", "account-me", settled(() => import("../account/me.js")));
route("/me/sessions", "account-sessions", settled(() => import("../account/sessions.js")));
route("/me/password", "account-password", settled(() => import("../account/password.js")));
route("/me/data", "account-data", settled(() => import("../account/data.js")));
route("/me/install", "account-install", settled(() => import("../account/install.js")));
route("/outbox", "app-outbox", settled(() => import("./outbox-screen.js")));
route("/missing", "app-missing", visiting(() => import("./missing.js")));

const forVisitors = /^\/(sign-up|sign-in|terms)\/?$/;

/**
 * Who may be where: a visitor at the door, everyone else inside.
 * @param {{path: string}} place
 * @returns {string | null} the path to show instead
 */
export function guard({ path }) {
  const { account, household, signUp } = session.value;
  if (!account) {
    if (household && /^\/sign-up\/?$/.test(path)) return "/sign-in";
    return forVisitors.test(path) ? null : household || signUp === "closed" ? "/sign-in" : "/sign-up";
  }
  if (path === "/") return "/texts";
  // The way of a forgotten password begins at the sign-up, also for who is signed in.
  return /^\/sign-in\/?$/.test(path) ? "/texts" : null;
}

/** A screen that could not be brought: without a network, one that was never opened before. */
export function failed() {
  addEventListener("online", () => {
    closeToast();
    void refresh();
  }, { once: true });
  const outlet = document.getElementById("screen");
  const retry = { label: t("app.retry"), press: () => void refresh() };
  // What is shown stays; there is nothing yet only when the app was opened there.
  if (outlet?.querySelector("h1") && document.querySelector("#screen > :not(main)")) {
    toast(t("shell.unloaded"), { mark: "failed", ...retry });
  } else if (outlet) {
    render(html`<main id="main" class="door"><h1>Switchboard</h1>${failure({
      title: t("shell.unloaded"), text: t("shell.unloadedText"), action: retry,
    })}</main>`, outlet);
  }
}
