import { t } from "../core/i18n.js";
import { icon, lamp } from "../core/icons.js";
import { Screen } from "../core/screen.js";
import { html } from "../core/view.js";
import "../core/later-icons.js";
import { install, isInstalled, needsGuide, question } from "../shell/install.js";
import "./style.js";

/** @typedef {import("../core/view.js").Template} Template */

/** How the app gets to the home screen: by the browser's question, by the Share menu, or by its menu. */
class Install extends Screen {
  get frame() {
    return "me";
  }

  get heading() {
    return t("install.title");
  }

  start() {
    this.watch(question);
  }

  view() {
    return html`<header class="bar"><a class="tap back" href="/me" aria-label=${t("app.back")}>${icon("back", 24)}</a><div class="what"><h1>${t("install.title")}</h1></div></header>
    <main id="main"><p>${t("install.why")}</p>${way()}</main>`;
  }
}

/** @returns {Template} */
function way() {
  if (isInstalled()) return html`<p class="state ok">${lamp("done")}${t("install.done")}</p>`;
  if (question.value) {
    return html`<button type="button" class="btn main" @click=${install}>${icon("plus", 20)} ${t("install.action")}</button>`;
  }
  if (!needsGuide()) return html`<section class="box"><p>${t("install.menu")}</p></section>`;
  return html`<ol class="guide">
      <li class="box">${shareButton}<p><b class="nth">1</b> ${t("install.step1")}</p></li>
      <li class="box">${shareMenu}<p><b class="nth">2</b> ${t("install.step2")}</p></li>
      <li class="box">${homeScreen}<p><b class="nth">3</b> ${t("install.step3")}</p></li>
    </ol><p class="quiet">${t("install.again")}</p>`;
}

// Drawn, not photographed: shapes of a phone's foot, with the one thing to touch in colour.

/** The browser's bar, with Share. */
const shareButton = html`<svg class="scene" viewBox="0 0 280 120" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path class="pane" d="M50 0v102a14 14 0 0 0 14 14h152a14 14 0 0 0 14-14V0"/><path class="faint" stroke-width="6" d="M74 18h96M74 34h132M74 50h72"/><path class="faint" d="M50 72h180"/><path class="faint" d="m80 88-6 6 6 6M108 88l6 6-6 6M170 90c-4-2-8-2-12 1v10c4-3 8-3 12-1 4-2 8-2 12 1V91c-4-3-8-3-12-1ZM198 88h12v12h-12zM202 84h12v12"/><g class="hue"><circle cx="138" cy="94" r="18" fill="currentColor" fill-opacity=".14" stroke="none"/><path d="M138 98V84M133.500 88.500 138 84l4.500 4.500M132 92h-2v12h16V92h-2"/></g></svg>`;

/** The Share menu, with the row to choose. */
const shareMenu = html`<svg class="scene" viewBox="0 0 280 120" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path class="pane" d="M50 120V24a14 14 0 0 1 14-14h152a14 14 0 0 1 14 14v96"/><path class="faint" stroke-width="6" d="M76 30h58M76 54h84M76 106h64"/><path class="faint" d="M196 24h10v10h-10zM196 48h10v10h-10zM196 100h10v10h-10z"/><path class="faint" d="M64 42h152M64 66h152M64 94h152"/><g class="hue"><rect x="58" y="68" width="164" height="25" rx="8" fill="currentColor" fill-opacity=".14" stroke="none"/><path stroke-width="6" d="M76 80h76"/><rect x="194" y="73" width="14" height="14" rx="3"/><path d="M201 77v6M198 80h6"/></g></svg>`;

/** The home screen, with the app among others. */
const homeScreen = html`<svg class="scene" viewBox="0 0 280 120" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" aria-hidden="true"><path class="pane" d="M50 0v102a14 14 0 0 0 14 14h152a14 14 0 0 0 14-14V0"/><g class="faint"><rect x="68" y="10" width="30" height="30" rx="8"/><rect x="106" y="10" width="30" height="30" rx="8"/><rect x="144" y="10" width="30" height="30" rx="8"/><rect x="182" y="10" width="30" height="30" rx="8"/><rect x="68" y="62" width="30" height="30" rx="8"/><path stroke-width="4" d="M74 49h18M112 49h18M150 49h18M188 49h18M74 101h18"/></g><g stroke="none"><rect x="106" y="58" width="38" height="38" rx="9" fill="#0B2545"/></g><g transform="translate(106 58) scale(.594)"><path d="M44 20C36 12.500 19 13.500 19 23.500c0 12 26 5 26 17 0 10-17 11-25 3.500" stroke="#FFF" stroke-width="6"/><circle cx="46.500" cy="20.500" r="7" fill="#0B2545" stroke="#FFF" stroke-width="4.500"/><circle cx="17.500" cy="43.500" r="7.500" fill="#FFC24B" stroke="none"/></g><path class="hue" stroke-width="4" d="M112 104h26"/></svg>`;

customElements.define("account-install", Install);
