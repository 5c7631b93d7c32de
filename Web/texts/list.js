import { icon } from "../core/icons.js";
import { t } from "../core/i18n.js";
import { Screen } from "../core/screen.js";
import { html } from "../core/view.js";
import { empty } from "../shell/states.js";
import "./panel.js";
import { wide } from "./wide.js";
import { conversations } from "./store.js";

/** `/texts`: the conversations; in a wide window beside the place of one. */
export class List extends Screen {
  get heading() {
    return t("texts.title");
  }

  get frame() {
    return wide.value ? "texts split" : "texts";
  }

  start() {
    this.watch(wide);
    this.watch(conversations.changed);
  }

  view() {
    if (!wide.value) {
      return html`<header class="bar"><div class="what"><h1>${t("texts.title")}</h1></div>${newText()}</header>
        <main id="main"><texts-panel></texts-panel></main>`;
    }
    return html`${side()}<main id="main" class="blank">${conversations.items.length > 0
      ? html`<h1 class="h2">${t("texts.choose")}</h1><a class="btn main" href="/texts/new">${icon("write", 20)} ${t("texts.new")}</a>`
      : html`<h1 class="hidden">${t("texts.title")}</h1>${empty({ title: t("texts.nothing"), text: t("texts.nothingYet"), action: { label: t("texts.new"), href: "/texts/new", icon: "write" } })}`}</main>`;
  }
}

const newText = () => html`<a class="tap" href="/texts/new" aria-label=${t("texts.new")}>${icon("write")}</a>`;

/**
 * The list beside a conversation.
 * @param {string} [peer] the one that is shown
 */
export const side = (peer) => html`<aside class="side" aria-label=${t("texts.conversations")}>
  <div class="head"><h2 class="h1 what">${t("texts.title")}</h2>${newText()}</div><texts-panel .model=${{ current: peer }}></texts-panel></aside>`;

customElements.define("texts-list", List);
