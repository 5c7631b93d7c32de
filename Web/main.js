import { signedOut } from "./core/api.js";
import { events } from "./core/events.js";
import { firstLanguage, setLanguage } from "./core/i18n.js";
import { outbox } from "./core/outbox.js";
import { mount } from "./core/router.js";
import { forget, openSession, session } from "./core/session.js";

await Promise.all([setLanguage(firstLanguage()), openSession()]);
if (session.value.account) {
  events.start();
  void outbox.start();
}
signedOut.subscribe(() => void forget());
const outlet = document.getElementById("screen");
if (outlet) await mount(outlet);
