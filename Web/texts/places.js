// The addresses of Texts: each screen is brought when it is opened, and the page itself names what the list needs where
// that is what a person opens.

import { bringWords } from "../core/i18n.js";
import { route } from "../core/router.js";

const reading = {
  en: () => import("../i18n/texts.en.js"),
  fi: () => import("../i18n/texts.fi.js"),
  "zh-Hans": () => import("../i18n/texts.zh.js"),
};
const talking = {
  en: () => import("../i18n/talk.en.js"),
  fi: () => import("../i18n/talk.fi.js"),
  "zh-Hans": () => import("../i18n/talk.zh.js"),
};
const writing = {
  en: () => import("../i18n/writing.en.js"),
  fi: () => import("../i18n/writing.fi.js"),
  "zh-Hans": () => import("../i18n/writing.zh.js"),
};

/** @typedef {() => Promise<unknown>} Load */

/**
 * @param {Load} load
 * @returns {Load}
 */
const read = (load) => () => Promise.all([load(), bringWords(reading)]);

/**
 * @param {Load} load
 * @returns {Load}
 */
const talk = (load) => () => Promise.all([load(), bringWords(reading), bringWords(talking)]);

/**
 * @param {Load} load
 * @returns {Load}
 */
const write = (load) => () => Promise.all([load(), bringWords(reading), bringWords(talking), bringWords(writing)]);

route("/texts", "texts-list", read(() => import("./list.js")));
route("/texts/with/:peer", "texts-conversation", talk(() => import("./conversation.js")));
route("/texts/new", "texts-compose", write(() => import("./compose.js")));
route("/texts/message/:id", "texts-message", write(() => import("./message.js")));
route("/contacts", "texts-contacts", write(() => import("./contacts.js")));
