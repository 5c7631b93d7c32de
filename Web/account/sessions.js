import { api } from "../core/api.js";
import { dateTime, t } from "../core/i18n.js";
import { icon, lamp } from "../core/icons.js";
import { Screen } from "../core/screen.js";
import { each, html } from "../core/view.js";
import { failure, loading } from "../shell/states.js";
import { sentence } from "../shell/errors.js";
import { toast } from "../shell/toast.js";
import { readAgent } from "./agent.js";
import "./style.js";

/** @typedef {{id: string, current: boolean, agent: string | null, createdAt: string, expiresAt: string}} Session */

/** Where one is signed in, and the way to end it there. */
class Sessions extends Screen {
  /** @type {Session[] | null} */
  #items = null;
  /** @type {unknown} */
  #error = null;
  #abort = new AbortController();

  get frame() {
    return "me";
  }

  get heading() {
    return t("me.sessions");
  }

  start() {
    void this.#load();
  }

  stop() {
    this.#abort.abort();
  }

  async #load() {
    this.#error = null;
    this.#abort = new AbortController();
    this.update();
    try {
      const { items } = await api.get("/sessions", { signal: this.#abort.signal });
      // This one first.
      this.#items = items.sort((/** @type {Session} */ a, /** @type {Session} */ b) => Number(b.current) - Number(a.current));
    } catch (error) {
      this.#error = error;
    }
    this.update();
  }

  /** @param {Session[]} ended */
  async #end(ended) {
    try {
      for (const { id } of ended) {
        await api.delete(`/sessions/${id}`);
        this.#items = this.#items?.filter((item) => item.id !== id) ?? null;
      }
      toast(t("me.sessions.ended", { n: ended.length }));
    } catch (error) {
      toast(sentence(error), { mark: "failed" });
    }
    this.update();
    document.querySelector("h1")?.focus();
  }

  view() {
    const others = this.#items?.filter((item) => !item.current) ?? [];
    return html`<header class="bar"><a class="tap back" href="/me" aria-label=${t("app.back")}>${icon("back", 24)}</a><div class="what"><h1>${t("me.sessions")}</h1></div></header>
    <main id="main" aria-busy=${this.#items || this.#error ? null : "true"}>
      ${this.#error ? failure({ error: this.#error, action: { label: t("app.retry"), press: () => this.#load() } }) : null}
      ${this.#items === null && !this.#error ? loading({ rows: 3, cancel: () => history.back() }) : null}
      ${this.#items ? html`<p class="quiet">${t("me.sessions.text")}</p>
        <ul class="list">${each(this.#items, (item) => item.id, (item) => this.#row(item))}</ul>` : null}
      ${others.length > 1 ? html`<button type="button" class="btn" @click=${() => this.#end(others)}>${t("me.sessions.endOthers")}</button>` : null}
    </main>`;
  }

  /** @param {Session} session */
  #row(session) {
    const { browser, system } = readAgent(session.agent);
    const name = browser && system ? t("me.sessions.on", { browser, system }) : (browser ?? system ?? t("me.sessions.unknown"));
    return html`<li><div class="row"><span class="what"><span class="name">${name}</span>
        <small>${t("me.sessions.since", { when: dateTime(session.createdAt) })}</small></span>
      ${session.current ? html`<span class="state ok">${lamp("done")}${t("me.sessions.this")}</span>`
        : html`<button type="button" class="tap text" aria-label=${t("me.sessions.endOne", { name })} @click=${() => this.#end([session])}>${t("me.sessions.end")}</button>`}</div></li>`;
  }
}

customElements.define("account-sessions", Sessions);
