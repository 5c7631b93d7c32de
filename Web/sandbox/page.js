// Phones to type into, and carriers with their faults. Asks for everything again each second while it is looked at.

/**
 * @typedef {{id: string, at: string, to: string, from: string, text: string, binary?: string, parts: number, sent: boolean}} Message
 * @typedef {{number: string, receipt: string, answers: string | null, answerDelayMs: number, texts: Message[]}} Phone
 * @typedef {{number: string, last: Message | null}} Listed
 * @typedef {{delayMs: number, down: boolean, silent: boolean, silentTakes: boolean, refuse: {code: number, share: number} | null,
 *   throttle: {perSecond: number} | null, receipts: Record<string, number>, seed: number}} Faults
 * @typedef {{name: string, kind: string, numbers: string[], counts: Record<string, number>, faults: Faults}} Carrier
 * @typedef {{now: string, phones: Listed[], open: Phone[], carriers: Carrier[]}} World
 */

const pause = 1000;
const mostOpen = 6;

/** @template {Element} T @param {string} selector @param {ParentNode} [within] @returns {T} */
const one = (selector, within = document) => {
  const found = /** @type {T | null} */ (within.querySelector(selector));
  if (!found) throw new Error(`the page has no ${selector}`);
  return found;
};

/** @param {Element} place @param {string} text */
const say = (place, text) => {
  if (place.textContent !== text) place.textContent = text;
};

/**
 * An element with text in it; text never becomes markup.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {string} text @param {string} [kind] its class
 */
const made = (tag, text, kind = "") => {
  const element = document.createElement(tag);
  element.textContent = text;
  if (kind) element.className = kind;
  return element;
};

/**
 * Controls as symbols, and nothing that turns the writing direction.
 * @param {string} text
 */
const shown = (text) =>
  text
    .replace(/[\0-\x08\x0B\x0C\x0E-\x1F]/g, (c) => String.fromCharCode(0x2400 + c.charCodeAt(0)))
    .replace(/[\u202A-\u202E\u2066-\u2069]/g, "\uFFFD");

/** @param {string} at */
const time = (at) => new Date(at).toLocaleTimeString("en-GB");

/** @param {Message} message */
const words = (message) => (message.binary ? `Data ${message.binary}` : shown(message.text));

/**
 * @param {string} method @param {string} path @param {unknown} [body]
 * @returns {Promise<any>}
 * @throws {Error} with the sandbox's own sentence
 */
async function ask(method, path, body) {
  const response = await fetch(path, {
    method, headers: body === undefined ? {} : { "content-type": "application/json" }, body: body === undefined ? undefined : JSON.stringify(body),
    credentials: "omit", cache: "no-store",
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error?.message ?? `The sandbox answered ${response.status}.`);
  return answer;
}

/** @param {unknown} error */
const sentence = (error) => (error instanceof TypeError ? "The sandbox does not answer. What you wrote is kept." : error instanceof Error ? error.message : "");

// MARK: - Which phones are open: the address says it, so that it can be kept and sent to others

const opened = () => location.hash.slice(1).split(",").filter((one) => /^\d{7,15}$/.test(one)).slice(0, mostOpen);

/** @param {string[]} digits */
const hashOf = (digits) => `#${digits.slice(0, mostOpen).join(",")}`;

/** @param {string} digits @returns {string} the address with this phone in front */
const withPhone = (digits) => hashOf([digits, ...opened().filter((one) => one !== digits)]);

const pick = /** @type {HTMLFormElement} */ (one("#pick"));
pick.addEventListener("submit", (event) => {
  event.preventDefault();
  const input = /** @type {HTMLInputElement} */ (pick.elements.namedItem("number"));
  const digits = input.value.replace(/[^\d]/g, "");
  const isNumber = /^[1-9]\d{6,14}$/.test(digits);
  say(one("#pick-trouble"), isNumber ? "" : "Write the number with its country code, 7 to 15 digits.");
  if (!isNumber) return input.focus();
  pick.reset();
  location.hash = withPhone(digits);
});

// MARK: - Phones

/** @param {Listed[]} phones */
function drawList(phones) {
  const list = one("#list");
  const isOpen = opened();
  one("#none").toggleAttribute("hidden", phones.length > 0 || isOpen.length > 0);
  const wanted = JSON.stringify([phones, isOpen]);
  if (list.getAttribute("data-shown") === wanted) return;
  list.setAttribute("data-shown", wanted);
  const focused = document.activeElement?.closest("#list a")?.getAttribute("data-number");
  list.replaceChildren(...phones.map(({ number, last }) => {
    const digits = number.slice(1);
    const link = document.createElement("a");
    link.href = withPhone(digits);
    link.setAttribute("data-number", number);
    if (isOpen.includes(digits)) link.setAttribute("aria-current", "true");
    link.append(made("b", number), made("time", last ? time(last.at) : ""));
    const preview = made("span", last ? words(last).slice(0, 200) : "", "preview");
    preview.dir = "auto";
    link.append(preview);
    const item = document.createElement("li");
    item.append(link);
    return item;
  }));
  if (focused) /** @type {HTMLElement | null} */ (list.querySelector(`[data-number="${focused}"]`))?.focus();
}

/** @type {Map<string, PhoneCard>} */
const phoneCards = new Map();

class PhoneCard {
  element;
  #number;
  #lastID = "";
  #thread;
  #compose;
  #behaviour;

  /** @param {string} number with its plus sign */
  constructor(number) {
    this.#number = number;
    const template = /** @type {HTMLTemplateElement} */ (one("#phone"));
    this.element = /** @type {HTMLElement} */ (one("article", /** @type {DocumentFragment} */ (template.content.cloneNode(true))));
    const digits = number.slice(1);
    const heading = one("h3", this.element);
    heading.textContent = number;
    heading.id = `phone-${digits}`;
    this.element.setAttribute("aria-labelledby", heading.id);
    this.#thread = one(".thread", this.element);
    this.#thread.setAttribute("aria-label", `Texts of ${number}`);
    this.#compose = /** @type {HTMLFormElement} */ (one(".compose", this.element));
    this.#behaviour = /** @type {HTMLFormElement} */ (one(".behaviour", this.element));
    one("[data-close]", this.element).setAttribute("aria-label", `Put ${number} down`);
    one("[data-close]", this.element).addEventListener("click", () => {
      location.hash = hashOf(opened().filter((one) => one !== digits));
    });
    this.#compose.addEventListener("submit", (event) => void this.#send(event));
    this.#compose.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.#compose.requestSubmit();
    });
    this.#behaviour.addEventListener("submit", (event) => event.preventDefault());
    this.#behaviour.addEventListener("change", () => void this.#behave());
  }

  /** @param {HTMLFormElement} form @param {string} name */
  #field(form, name) {
    return /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
  }

  /** @param {Phone} phone @param {string} number of a carrier, for a phone that nobody texted yet */
  draw(phone, number) {
    const newest = phone.texts[phone.texts.length - 1];
    const key = `${phone.texts.length} ${newest?.at} ${newest?.id}`;
    if (key !== this.#lastID) this.#drawThread(phone.texts);
    this.#lastID = key;
    const to = this.#field(this.#compose, "to");
    // A sender made of letters can not be answered.
    const partner = [...phone.texts].reverse().find((message) => !message.sent && /^\+?\d+$/.test(message.from));
    if (!to.value && document.activeElement !== to) to.value = partner?.from ?? number;
    if (this.#behaviour.contains(document.activeElement)) return;
    this.#field(this.#behaviour, "receipt").value = phone.receipt;
    this.#field(this.#behaviour, "answers").value = phone.answers ?? "";
    this.#field(this.#behaviour, "answerDelayMs").value = String(phone.answerDelayMs);
  }

  /** @param {Message[]} messages */
  #drawThread(messages) {
    const isAtEnd = this.#thread.scrollHeight - this.#thread.scrollTop - this.#thread.clientHeight < 40;
    const keyOf = (/** @type {Message} */ message) => `${message.sent} ${message.id} ${message.at}`;
    const wanted = new Set(messages.map(keyOf));
    for (const item of [...this.#thread.children]) if (!wanted.has(item.getAttribute("data-key") ?? "")) item.remove();
    const known = new Set([...this.#thread.children].map((item) => item.getAttribute("data-key")));
    // Only what is new is put in, so that only that is read out.
    for (const message of messages) {
      if (known.has(keyOf(message))) continue;
      const item = made("p", "", message.sent ? "sent" : "");
      item.setAttribute("data-key", keyOf(message));
      const bubble = made("span", words(message));
      bubble.dir = "auto";
      const parts = message.parts > 1 ? ` · ${message.parts} parts` : "";
      item.append(bubble, made("small", `${message.sent ? `to ${shown(message.to)}` : `from ${shown(message.from)}`} · ${time(message.at)}${parts}`));
      this.#thread.append(item);
    }
    if (isAtEnd) this.#thread.scrollTop = this.#thread.scrollHeight;
  }

  /** @param {Event} event */
  async #send(event) {
    event.preventDefault();
    const text = this.#field(this.#compose, "text");
    const to = this.#field(this.#compose, "to").value.replace(/[\s()-]/g, "");
    const trouble = one("p", this.#compose);
    const button = /** @type {HTMLButtonElement} */ (one("button", this.#compose));
    if (button.disabled) return;
    if (!to || !text.value) {
      say(trouble, to ? "Write a text first." : "Say to which number.");
      return (to ? text : this.#field(this.#compose, "to")).focus();
    }
    button.disabled = true;
    try {
      await ask("POST", `/sandbox/phones/${this.#number.slice(1)}/messages`, { to, text: text.value });
      text.value = "";
      say(trouble, "");
      await look();
      this.#thread.scrollTop = this.#thread.scrollHeight;
    } catch (error) {
      say(trouble, sentence(error));
    }
    button.disabled = false;
    text.focus();
  }

  async #behave() {
    const trouble = one("p", this.#behaviour);
    if (!this.#behaviour.reportValidity()) return;
    try {
      await ask("PUT", `/sandbox/phones/${this.#number.slice(1)}`, {
        receipt: this.#field(this.#behaviour, "receipt").value,
        answers: this.#field(this.#behaviour, "answers").value || null,
        answerDelayMs: Number(this.#field(this.#behaviour, "answerDelayMs").value),
      });
      say(trouble, "");
    } catch (error) {
      say(trouble, sentence(error));
    }
  }
}

/** @param {Phone[]} phones in the order in which they lie @param {Carrier[]} carriers */
function drawPhones(phones, carriers) {
  const known = carriers.flatMap((carrier) => carrier.numbers).slice(0, 20);
  const choices = one("#numbers");
  if (choices.children.length !== known.length) {
    choices.replaceChildren(...known.map((number) => Object.assign(document.createElement("option"), { value: number })));
  }
  const place = one("#open");
  const numbers = new Set(phones.map(({ number }) => number));
  for (const [number, card] of phoneCards) {
    if (numbers.has(number)) continue;
    card.element.remove();
    phoneCards.delete(number);
  }
  phones.forEach((phone, at) => {
    const card = phoneCards.get(phone.number) ?? new PhoneCard(phone.number);
    phoneCards.set(phone.number, card);
    // Moving a card would take the focus out of it.
    if (place.children[at] !== card.element && !card.element.contains(document.activeElement)) place.insertBefore(card.element, place.children[at] ?? null);
    card.draw(phone, known[0] ?? "");
  });
}

// MARK: - Carriers

/** @type {Map<string, CarrierCard>} */
const carrierCards = new Map();
const kinds = new Map([["httpsms", "HTTPSMS"], ["smsglobal", "SMSGlobal"]]);
/** A refusal that each kind knows. */
const firstCode = new Map([["httpsms", -20], ["smsglobal", 88]]);
const shares = ["lost", "doubled", "shuffled", "beforeAnswer"];

class CarrierCard {
  element;
  #form;
  #name;
  #kind;
  #seed = 1;
  #last = "";

  /** @param {Carrier} carrier */
  constructor({ name, kind }) {
    this.#name = name;
    this.#kind = kind;
    const template = /** @type {HTMLTemplateElement} */ (one("#carrier"));
    this.element = /** @type {HTMLElement} */ (one("article", /** @type {DocumentFragment} */ (template.content.cloneNode(true))));
    const heading = one("h3", this.element);
    heading.textContent = name;
    heading.id = `carrier-${name}`;
    this.element.setAttribute("aria-labelledby", heading.id);
    this.#form = /** @type {HTMLFormElement} */ (one("form", this.element));
    one("button", this.#form).setAttribute("aria-label", `Behave well again: ${name}`);
    this.#form.addEventListener("submit", (event) => event.preventDefault());
    this.#form.addEventListener("change", () => void this.#change());
    this.#form.addEventListener("reset", (event) => {
      event.preventDefault();
      void this.#put({ seed: this.#seed });
    });
  }

  /** @param {string} name */
  #field(name) {
    return /** @type {HTMLInputElement} */ (this.#form.elements.namedItem(name));
  }

  /** @param {Carrier} carrier */
  draw({ kind, numbers, counts, faults }) {
    const named = numbers.length ? `its numbers: ${numbers.slice(0, 5).join(", ")}${numbers.length > 5 ? "…" : ""}` : "no numbers of its own";
    say(one(".kind", this.element), `${kinds.get(kind) ?? kind} · ${named}`);
    const rows = { Accepted: counts.accepted, Refused: counts.refused, Told: counts.told, "Not told": counts.untold, "Still to tell": counts.toPush + counts.toPoll };
    const list = one("dl", this.element);
    const key = JSON.stringify(rows);
    if (list.getAttribute("data-shown") !== key) {
      list.setAttribute("data-shown", key);
      list.replaceChildren(...Object.entries(rows).map(([name, count]) => {
        const row = made("div", "");
        row.append(made("dt", name), made("dd", count.toLocaleString("en-GB")));
        return row;
      }));
    }
    const state = one(".state", this.element);
    const trouble = troubles(faults);
    say(state, trouble ? `▲ ${trouble}` : "● Behaves");
    state.className = `state ${trouble ? (faults.down || faults.silent ? "danger" : "warn") : "ok"}`;
    this.#seed = faults.seed;
    const last = JSON.stringify(faults);
    if (last === this.#last || this.#form.contains(document.activeElement)) return;
    this.#last = last;
    this.fill(faults);
  }

  /** @param {Faults} faults */
  fill(faults) {
    for (const name of /** @type {const} */ (["down", "silent", "silentTakes"])) this.#field(name).checked = faults[name];
    this.#field("delayMs").value = String(faults.delayMs);
    this.#field("refuseShare").value = String(percent(faults.refuse?.share ?? 0));
    this.#field("refuseCode").value = String(faults.refuse?.code ?? firstCode.get(this.#kind) ?? 1);
    this.#field("throttle").value = faults.throttle ? String(faults.throttle.perSecond) : "";
    this.#field("receiptDelayMs").value = String(faults.receipts.delayMs);
    for (const name of shares) this.#field(name).value = String(percent(faults.receipts[name]));
  }

  async #change() {
    if (!this.#form.reportValidity()) return;
    const number = (/** @type {string} */ name) => Number(this.#field(name).value);
    const throttle = number("throttle");
    await this.#put({
      down: this.#field("down").checked,
      silent: this.#field("silent").checked,
      silentTakes: this.#field("silentTakes").checked,
      delayMs: number("delayMs"),
      refuse: number("refuseShare") > 0 ? { code: number("refuseCode"), share: number("refuseShare") / 100 } : null,
      throttle: throttle > 0 ? { perSecond: throttle } : null,
      receipts: { delayMs: number("receiptDelayMs"), ...Object.fromEntries(shares.map((name) => [name, number(name) / 100])) },
      seed: this.#seed,
    });
  }

  /** @param {object} faults all of them: what is left out is off */
  async #put(faults) {
    const trouble = one("form > p", this.element);
    try {
      const set = await ask("PUT", `/sandbox/carriers/${encodeURIComponent(this.#name)}/faults`, faults);
      this.#last = JSON.stringify(set);
      this.fill(set);
      say(trouble, "");
      await look();
    } catch (error) {
      say(trouble, sentence(error));
    }
  }
}

/** @param {number} share */
const percent = (share) => Math.round(share * 1e6) / 1e4;

/**
 * What is wrong with a carrier, in a few words; "" when nothing is.
 * @param {Faults} faults
 */
function troubles({ down, silent, delayMs, refuse, throttle, receipts }) {
  const found = [];
  if (down) found.push("Down");
  if (silent) found.push("Silent");
  if (refuse) found.push(`Refuses ${percent(refuse.share)} %`);
  if (throttle) found.push(`${throttle.perSecond} a second`);
  if (delayMs) found.push("Slow");
  if (receipts.delayMs || shares.some((name) => receipts[name])) found.push("Receipts go wrong");
  return found.join(", ");
}

/** @param {Carrier[]} carriers */
function drawCarriers(carriers) {
  for (const carrier of carriers) {
    let card = carrierCards.get(carrier.name);
    if (!card) {
      card = new CarrierCard(carrier);
      carrierCards.set(carrier.name, card);
      one("#carriers").append(card.element);
    }
    card.draw(carrier);
  }
}

// MARK: - Looking

let turn = 0;
let isFirst = location.hash === "";

/** @returns {Promise<void>} */
async function look() {
  const mine = ++turn;
  try {
    const world = /** @type {World} */ (await ask("GET", `/page.json?phones=${opened().join(",")}`));
    if (mine !== turn) return;
    if (isFirst && world.phones.length) {
      // Who comes for the first time finds the newest phones on the table.
      isFirst = false;
      history.replaceState(null, "", hashOf(world.phones.slice(0, 2).map(({ number }) => number.slice(1))));
      return void look();
    }
    say(one("#trouble"), "");
    say(one("#now"), `Their clock: ${new Date(world.now).toLocaleString("en-GB")}.`);
    drawList(world.phones);
    drawPhones(world.open, world.carriers);
    drawCarriers(world.carriers);
  } catch (error) {
    if (mine === turn) say(one("#trouble"), error instanceof TypeError ? "The sandbox does not answer. Asked again each second." : sentence(error));
  }
}

/** A phone that was just picked up is typed into at once. */
addEventListener("hashchange", async () => {
  await look();
  const [first] = opened();
  const card = first && phoneCards.get(`+${first}`);
  if (card) /** @type {HTMLElement} */ (one(".compose textarea", card.element)).focus();
});
document.addEventListener("visibilitychange", () => { if (!document.hidden) void look(); });
setInterval(() => { if (!document.hidden) void look(); }, pause);
void look();
