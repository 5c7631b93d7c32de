import { t } from "../core/i18n.js";
import { go } from "../core/router.js";
import { Screen } from "../core/screen.js";
import { session, signIn } from "../core/session.js";
import { html } from "../core/view.js";
import { loading } from "../shell/states.js";
import { toast } from "../shell/toast.js";
import { leadTo } from "./fields.js";
import { flow } from "./sign-up-flow.js";
import { closedStep, numberStep } from "./sign-up-number.js";

/** @typedef {import("../core/view.js").Template} Template */
/** @typedef {typeof import("./sign-up-steps.js")} Steps */
/** @typedef {"number" | "code" | "password" | "closed"} Step */

/**
 * Signing up in three steps: the number, the code that is texted to it, a password and the terms. Each step has an
 * address, so that the way back works; what was typed is kept in the flow.
 */
export class SignUp extends Screen {
  isBusy = false;
  isShown = false;
  /**
   * What is wrong, by field.
   * @type {Record<string, string>}
   */
  errors = {};
  /** @type {Step | null} */
  #step = null;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #clock;
  #stopListening = () => {};
  /** @type {Steps | null} */
  #steps = null;

  get frame() {
    return "plain";
  }

  get heading() {
    return { number: t("account.signUp"), closed: t("account.signUp"), code: t("account.code.title"), password: t("account.password.title") }[this.step];
  }

  /** @returns {Step} where the person is; a step whose ground is missing is not entered */
  get step() {
    const { asked, isRight } = flow.value;
    if (session.value.signUp === "closed") return "closed";
    if (this.query.step === "password" && asked && isRight) return "password";
    if ((this.query.step === "code" || this.query.step === "password") && asked) return "code";
    return "number";
  }

  start() {
    this.watch(flow);
    this.watch(session);
    this.#enter();
    void this.ready().catch(() => {});
  }

  stop() {
    clearInterval(this.#clock);
    this.#stopListening();
  }

  moved() {
    this.errors = {};
    this.#enter();
    this.update();
  }

  #enter() {
    if (this.step === this.#step) return;
    this.#step = this.step;
    this.stop();
    if (this.#step !== "code") return;
    // The time until it may be sent again; nobody is told each second, only those who look.
    this.#clock = setInterval(() => this.update(), 1000);
    this.#stopListening = this.#steps?.listenForCode(this) ?? (() => {});
  }

  /**
   * Brings the later steps, while the number is typed.
   * @returns {Promise<Steps>}
   */
  async ready() {
    if (!this.#steps) {
      this.#steps = await import("./sign-up-steps.js");
      // It may have been opened at one of them, as by a reload.
      this.#step = null;
      this.#enter();
      this.update();
    }
    return this.#steps;
  }

  /**
   * Goes on to a step.
   * @param {Step} step
   * @param {{replace?: boolean}} [how]
   */
  async to(step, how) {
    await go(step === "number" ? "/sign-up" : `/sign-up?step=${step}`, how);
    if (step === "code") document.getElementById("code")?.focus();
  }

  /**
   * Does something with the server, once at a time, and shows what went wrong beside the field.
   * @param {() => Promise<void>} body
   * @param {(error: any) => Record<string, string>} trouble
   */
  async attempt(body, trouble) {
    if (this.isBusy) return;
    this.isBusy = true;
    this.errors = {};
    this.update();
    try {
      await body();
    } catch (error) {
      this.fail(trouble(error));
    } finally {
      this.isBusy = false;
      this.update();
    }
  }

  /** @param {Record<string, string>} errors the first one's field gets the focus */
  fail(errors) {
    this.errors = errors;
    const [id, text] = Object.entries(errors)[0] ?? [];
    this.update();
    if (id) leadTo(id, text);
  }

  /** @param {{account: any, created: boolean}} answer */
  async signedUp(answer) {
    await signIn(answer);
    await go("/texts", { replace: true });
    toast(answer.created ? t("account.welcome") : t("account.welcomeBack"));
  }

  /**
   * What of a code's refusal belongs to another step.
   * @param {any} error
   * @returns {Promise<void>}
   */
  async backToCode(error) {
    flow.value = { ...flow.value, isRight: false };
    await this.to("code", { replace: true });
    this.fail({ code: (await this.ready()).codeTrouble(error) });
  }

  view() {
    if (this.step === "number") return numberStep(this);
    if (this.step === "closed") return closedStep();
    if (!this.#steps) return html`<main id="main" aria-busy="true">${loading({ rows: 2 })}</main>`;
    return this.step === "code" ? this.#steps.codeStep(this) : this.#steps.passwordStep(this);
  }
}

customElements.define("account-sign-up", SignUp);
