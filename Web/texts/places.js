// The addresses of Texts. The list and a conversation come with the app; the rest when it is opened.

import { bringWords } from "../core/i18n.js";
import { route } from "../core/router.js";
import "./conversation.js";
import "./list.js";

const words = {
  en: () => import("../i18n/writing.en.js"),
  fi: () => import("../i18n/writing.fi.js"),
  "zh-Hans": () => import("../i18n/writing.zh.js"),
};

/** @param {() => Promise<unknown>} load */
const writing = (load) => () => Promise.all([load(), bringWords(words)]);

route("/texts", "texts-list");
route("/texts/with/:peer", "texts-conversation");
route("/texts/new", "texts-compose", writing(() => import("./compose.js")));
route("/texts/message/:id", "texts-message", writing(() => import("./message.js")));
route("/contacts", "texts-contacts", writing(() => import("./contacts.js")));
