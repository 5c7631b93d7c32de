// The addresses of the operator's pages, brought when they are opened.

import { bringWords } from "../core/i18n.js";
import { route } from "../core/router.js";

const words = {
  en: () => import("../i18n/operator.en.js"),
  fi: () => import("../i18n/operator.fi.js"),
  "zh-Hans": () => import("../i18n/operator.zh.js"),
};

/** @param {() => Promise<unknown>} load */
const operating = (load) => () => Promise.all([load(), bringWords(words)]);

route("/operator/carriers", "operator-carriers", operating(() => import("./carriers.js")));
route("/operator/messages", "operator-messages", operating(() => import("./messages.js")));
route("/operator/messages/:id", "operator-message", operating(() => import("./message.js")));
