// The form of a new text: what is in it, what is wrong with it, and what it costs.

import { api } from "../core/api.js";
import { db } from "../core/db.js";
import { t } from "../core/i18n.js";
import { online } from "../core/session.js";
import { format } from "../pure/format.js";
import { clean } from "../pure/numbers.js";
import { measure } from "../pure/segments.js";
import { isolate } from "../pure/text.js";
import { askPrice, isImpossible, mostParts, priceOf } from "./meter.js";

/** @typedef {"to" | "text" | "when"} Field */

const mostRecipients = 100;
const farthest = 366 * 86_400_000;
const key = "new";

/**
 * What a `datetime-local` field understands, in the phone's zone.
 * @param {number} at
 */
const local = (at) => new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

export class Form {
  region = "FI";
  /** @type {string[]} */
  recipients = [];
  typed = "";
  text = "";
  from = "";
  isLater = false;
  at = "";
  /** @type {string[]} */
  senders = [];
  /** @type {Partial<Record<Field, string>>} */
  errors = {};
  #changed;
  #isOpen = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {() => void} changed */
  constructor(changed) {
    this.#changed = changed;
  }

  /**
   * What was begun before, or what a link asks for.
   * @param {{region: string, to: string, text: string}} begin
   */
  async open({ region, to, text }) {
    this.#isOpen = true;
    this.region = region || "FI";
    void api.get("/senders").then(({ items }) => {
      this.senders = items;
      this.#changed();
    }, () => {});
    const kept = to || text ? null : await db.get("drafts", key).catch(() => null);
    if (kept) Object.assign(this, { ...kept, errors: {} });
    if (text) this.text = text;
    if (to) this.paste(to);
    this.#changed();
  }

  close() {
    this.#isOpen = false;
    clearTimeout(this.#timer);
    void this.#keep();
  }

  async clear() {
    Object.assign(this, { recipients: [], typed: "", text: "", isLater: false, at: "" });
    await db.delete("drafts", key).catch(() => {});
  }

  async #keep() {
    const { region, recipients, typed, text, from, isLater, at } = this;
    if (!text && !typed && recipients.length === 0) return db.delete("drafts", key).catch(() => {});
    return db.put("drafts", { region, recipients, typed, text, from, isLater, at }, key).catch(() => {});
  }

  #touch() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      void this.#keep();
      void this.#price();
    }, 400);
    if (this.#isOpen) this.#changed();
  }

  // MARK: - To whom

  /** @param {string} code */
  setRegion(code) {
    this.region = code;
    this.errors.to = undefined;
    this.#touch();
  }

  /** @param {string} text */
  setTyped(text) {
    this.typed = text;
    this.errors.to = undefined;
    const read = clean(text, this.region);
    // A number with its own country code says which country it is.
    if (read.ok && read.country && /^\s*(\+|00)/.test(text)) this.region = read.country;
    this.#touch();
  }

  /** What the field means, as E.164; "" while it means nothing. */
  get understood() {
    return clean(this.typed, this.region).e164;
  }

  checkTyped() {
    if (!this.typed.trim()) return;
    const { ok, reason } = clean(this.typed, this.region);
    this.errors.to = ok ? undefined : t(`texts.wrong.${reason}`);
    this.#touch();
  }

  addTyped() {
    const { ok, e164 } = clean(this.typed, this.region);
    if (!ok) return this.checkTyped();
    this.typed = "";
    this.add([e164]);
  }

  /** @param {string[]} numbers E.164 */
  add(numbers) {
    const all = [...new Set([...this.recipients, ...numbers])];
    this.recipients = all.slice(0, mostRecipients);
    this.errors.to = all.length > mostRecipients ? t("texts.tooMany", { n: mostRecipients }) : undefined;
    this.#touch();
  }

  /** @param {string} number */
  remove(number) {
    this.recipients = this.recipients.filter((other) => other !== number);
    this.errors.to = undefined;
    this.#touch();
  }

  /**
   * Numbers of a list; what can not be read stays in the field.
   * @param {string} text
   */
  paste(text) {
    const pieces = text.slice(0, 10_000).split(/[\n,;\t]+/).map((piece) => piece.trim()).filter(Boolean);
    const read = pieces.map((piece) => ({ piece, ...clean(piece, this.region) }));
    const good = read.filter(({ ok }) => ok).map(({ e164 }) => e164);
    const bad = read.filter(({ ok }) => !ok).map(({ piece }) => piece);
    if (pieces.length === 1 && good.length === 1) return this.setTyped(good[0]);
    this.typed = bad.join(", ").slice(0, 60);
    this.add(good);
    if (bad.length > 0) this.errors.to = t("texts.notRead", { n: bad.length });
  }

  /** Everybody it goes to, with the one that is still in the field. */
  get all() {
    const { understood } = this;
    return understood ? [...new Set([...this.recipients, understood])] : this.recipients;
  }

  // MARK: - What and when

  /** @param {string} text */
  setText(text) {
    this.text = text;
    this.errors.text = undefined;
    this.#touch();
  }

  /** @param {string} from */
  setFrom(from) {
    this.from = from;
    this.#touch();
  }

  /** @param {boolean} isLater */
  setLater(isLater) {
    this.isLater = isLater;
    this.errors.when = undefined;
    // The next full hour, and not in a minute.
    if (isLater && !this.at) this.at = local(Math.ceil((Date.now() + 900_000) / 3_600_000) * 3_600_000);
    this.#touch();
  }

  /** @param {string} at */
  setAt(at) {
    this.at = at;
    this.errors.when = undefined;
    this.#touch();
  }

  get earliest() {
    return local(Date.now());
  }

  /**
   * When it goes, in the phone's zone.
   * @returns {Date | null}
   */
  get instant() {
    const at = this.at ? new Date(this.at) : null;
    return at && !Number.isNaN(at.getTime()) ? at : null;
  }

  get isOffline() {
    return !online.value;
  }

  // MARK: - Price

  /** @param {number} parts */
  price(parts) {
    const prices = this.all.map((number) => priceOf(number, parts));
    const [first] = prices;
    if (!first || !this.text || prices.some((price) => price?.currency !== first.currency)) return null;
    const sum = prices.reduce((sum, price) => sum + Number(price?.amount), 0);
    return { amount: String(Math.round(sum * 1e6) / 1e6), currency: first.currency };
  }

  async #price() {
    if (!online.value) return;
    // Twenty say enough: more numbers would be as many requests.
    const news = await Promise.all(this.all.slice(0, 20).map((number) => askPrice(number)));
    if (!news.some(Boolean) || !this.#isOpen) return;
    this.#findImpossible();
    this.#changed();
  }

  // MARK: - Before it is sent

  #findImpossible() {
    const wrong = this.all.find(isImpossible);
    if (wrong) this.errors.to = t("texts.wrong.impossible", { number: isolate(format(wrong)) });
  }

  /** @returns {Field | null} the first field that is wrong; its sentence is in `errors` */
  check() {
    this.errors = {};
    const { all, instant } = this;
    if (this.typed.trim() && !this.understood) this.errors.to = t(`texts.wrong.${clean(this.typed, this.region).reason}`);
    else if (all.length === 0) this.errors.to = t("texts.wrong.empty");
    else this.#findImpossible();
    if (!this.text.trim()) this.errors.text = t("texts.noText");
    else if (measure(this.text).parts > mostParts) this.errors.text = t("texts.tooLong", { n: mostParts });
    if (this.isLater) {
      const ahead = instant ? instant.getTime() - Date.now() : NaN;
      if (!instant) this.errors.when = t("texts.noTime");
      else if (ahead <= 0) this.errors.when = t("texts.past");
      else if (ahead > farthest) this.errors.when = t("texts.far");
    }
    const wrong = /** @type {Field[]} */ (["to", "text", "when"]).find((field) => this.errors[field]) ?? null;
    if (!wrong) Object.assign(this, { recipients: all, typed: "" });
    return wrong;
  }

  /** @param {string} to */
  bodyFor(to) {
    return {
      to, text: this.text, ...(this.from ? { from: this.from } : {}),
      ...(this.isLater && this.instant ? { notBefore: this.instant.toISOString() } : {}),
    };
  }
}
