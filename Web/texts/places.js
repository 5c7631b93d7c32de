// The addresses of Texts: the list and a conversation together, the rest when it is opened.

import { bringWords } from "../core/i18n.js";
import { route } from "../core/router.js";

const readingWords = {
  en: () => import("../i18n/texts.en.js"),
  fi: () => import("../i18n/texts.fi.js"),
  "zh-Hans": () => import("../i18n/texts.zh.js"),
};
const writingWords = {
  en: () => import("../i18n/writing.en.js"),
  fi: () => import("../i18n/writing.fi.js"),
  "zh-Hans": () => import("../i18n/writing.zh.js"),
};

const reading = () => Promise.all([import("./rooms.js"), bringWords(readingWords)]);
/** @param {() => Promise<unknown>} load */
const writing = (load) => () => Promise.all([load(), bringWords(readingWords), bringWords(writingWords)]);

route("/texts", "texts-list", reading);
route("/texts/with/:peer", "texts-conversation", reading);
route("/texts/new", "texts-compose", writing(() => import("./compose.js")));
route("/texts/message/:id", "texts-message", writing(() => import("./message.js")));
route("/contacts", "texts-contacts", writing(() => import("./contacts.js")));
