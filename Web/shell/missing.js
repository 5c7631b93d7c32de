import { t } from "../core/i18n.js";
import { Screen } from "../core/screen.js";
import { session } from "../core/session.js";
import { html } from "../core/view.js";
import { empty } from "./states.js";

/** An address that leads nowhere. */
class Missing extends Screen {
  get frame() {
    return session.value.account ? "texts" : "plain";
  }

  get heading() {
    return t("shell.missing");
  }

  view() {
    return html`<header class="bar"><div class="what"><h1>${t("shell.missing")}</h1></div></header>
    <main id="main" class="blank">${empty({
      text: t("shell.missingText"),
      action: session.value.account ? { label: t("shell.toTexts"), href: "/texts" } : { label: t("account.signIn"), href: "/sign-in" },
    })}</main>`;
  }
}

customElements.define("app-missing", Missing);
