import { countryName, dateTime, list, number, t } from "../core/i18n.js";
import { icon, lamp } from "../core/icons.js";
import { ApiError } from "../core/api.js";
import { events } from "../core/events.js";
import { Screen } from "../core/screen.js";
import { each, html } from "../core/view.js";
import "../core/later-icons.js";
import { countryOf } from "../pure/countries.js";
import { format } from "../pure/format.js";
import { display } from "../pure/text.js";
import { empty, failure, loading } from "../shell/states.js";
import { Cached } from "./cached.js";
import { sendTest } from "./test-text.js";
import "./style.js";

/**
 * @typedef {{name: string, profile: string, enabled: boolean, health: string, since: string | null, rank: number,
 *   prefixes: string[], numbers: string[], queued: number, sentToday: number, failedToday: number,
 *   lastError: {code: string, message: string, at: string} | null}} Carrier
 */

/**
 * The lamp and its tone for each health.
 * @type {Record<string, [string, string]>}
 */
const marks = {
  up: ["done", "ok"],
  throttled: ["minor", "warn"],
  silent: ["unknown", "warn"],
  down: ["failed", "danger"],
  misconfigured: ["failed", "danger"],
  disabled: ["off", ""],
};

/** How each carrier is, and a test text by it. For whoever runs the exchange. */
class Carriers extends Screen {
  #carriers = new Cached("/operator/carriers", () => this.update());

  get frame() {
    return "me wide";
  }

  get heading() {
    return t("operator.carriers");
  }

  start() {
    this.#carriers.start();
    this.until(events.on("resync", () => void this.#carriers.load()));
  }

  stop() {
    this.#carriers.stop();
  }

  view() {
    const { value, error, at } = this.#carriers;
    const carriers = /** @type {Carrier[] | null} */ (value?.items ?? null);
    const isOld = error !== null && carriers !== null;
    const inService = carriers?.filter((one) => one.health === "up").length ?? 0;
    return html`<header class="bar"><a class="tap back" href="/me" aria-label=${t("app.back")}>${icon("back")}</a>
      <div class="what"><h1>${t("operator.carriers")}</h1>
        ${carriers?.length ? html`<small>${isOld ? t("operator.asOf", { when: dateTime(at) }) : t("operator.inService", { n: inService, of: carriers.length })}</small>` : null}</div>
      <a class="tap" href="/operator/messages" aria-label=${t("operator.find")}>${icon("search")}</a></header>
    <main id="main" class=${carriers?.length === 0 ? "blank" : ""} aria-busy=${carriers || error ? null : "true"}>
      ${error ? this.#trouble(error, isOld) : null}
      ${!carriers && !error ? loading({ rows: 3, cancel: () => history.back() }) : null}
      ${carriers?.length === 0 ? empty({ title: t("operator.none"), text: t("operator.noneText") }) : null}
      ${carriers?.length ? html`<ul class="deck">${each(carriers, (one) => one.name, (one) => this.#card(one, isOld))}</ul>` : null}
    </main>`;
  }

  /** @param {unknown} error @param {boolean} isOld */
  #trouble(error, isOld) {
    const action = { label: t("app.retry"), press: () => void this.#carriers.load() };
    if (error instanceof ApiError && error.status === 403) return failure({ error, text: t("operator.notYours") });
    return failure({
      error, title: error instanceof ApiError && error.isNetwork ? t("operator.unreached") : undefined,
      text: isOld ? t("operator.old", { when: dateTime(this.#carriers.at) }) : undefined, action,
    });
  }

  /** @param {Carrier} carrier @param {boolean} isOld */
  #card(carrier, isOld) {
    const { name, profile, health, since, queued, sentToday, failedToday, lastError, numbers, rank } = carrier;
    const [mark, tone] = marks[health] ?? marks.silent;
    const word = marks[health] ? t(`operator.health.${health}`) : health;
    const id = `carrier-${name}`;
    return html`<li class="box carrier" aria-labelledby=${id}>
      <div class="pair"><span class="what"><h2 id=${id}>${display(name)}</h2><small>${[profile, served(carrier.prefixes)].join(" · ")}</small></span>
        <span class="state ${tone}">${lamp(mark)}${word}</span></div>
      <p class="quiet">${t(`operator.means.${marks[health] ? health : "silent"}`)}</p>
      <dl class="stats">
        <div><dt>${t("operator.sentToday")}</dt><dd>${number(sentToday)}</dd></div>
        <div><dt>${t("operator.failedToday")}</dt><dd>${number(failedToday)}</dd></div>
        <div><dt>${t("operator.queued")}</dt><dd>${number(queued)}</dd></div>
        <div><dt>${t("operator.rank")}</dt><dd>${number(rank)}</dd></div>
        ${since ? html`<div><dt>${t("operator.since")}</dt><dd>${dateTime(since)}</dd></div>` : null}
      </dl>
      ${numbers.length ? html`<p class="quiet">${t("operator.numbers", { numbers: list(numbers.slice(0, 3).map(format)) })}${numbers.length > 3 ? ` ${t("operator.more", { n: numbers.length - 3 })}` : ""}</p>` : null}
      ${lastError ? html`<details><summary class="link">${t("operator.lastError", { when: dateTime(lastError.at) })}</summary>
        <p class="quiet" dir="auto">${display(lastError.message)}</p><code>${display(lastError.code)}</code></details>` : null}
      <div class="btns"><button type="button" class="btn slim" ?disabled=${isOld || health === "disabled" || health === "misconfigured"}
        aria-label=${t("operator.testBy", { name })} @click=${() => sendTest(name)}>${icon("send", 20)} ${t("operator.test")}</button></div>
    </li>`;
  }
}

/**
 * Where a carrier sends: countries where a prefix is a whole one, the digits elsewhere.
 * @param {string[]} prefixes
 */
function served(prefixes) {
  if (!prefixes.length || prefixes.some((one) => one.replace("+", "") === "")) return t("operator.everywhere");
  const places = prefixes.map((prefix) => {
    const digits = prefix.replace("+", "");
    const country = countryOf(digits);
    return country?.dial === digits ? countryName(country.code) : `+${digits}`;
  });
  const shown = places.slice(0, 3);
  if (places.length > 3) shown.push(t("operator.more", { n: places.length - 3 }));
  return shown.join(", ");
}

customElements.define("operator-carriers", Carriers);
