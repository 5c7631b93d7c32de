import { signedOut } from "./core/api.js";
import { events } from "./core/events.js";
import { firstLanguage, setLanguage } from "./core/i18n.js";
import { bringPlan } from "./core/numbering.js";
import { outbox } from "./core/outbox.js";
import { mount } from "./core/router.js";
import { forget, openSession, session } from "./core/session.js";
import { showAppearance } from "./shell/appearance.js";
import { startFrame } from "./shell/frame.js";
import "./shell/install.js";
import { failed, guard } from "./shell/places.js";
import "./texts/places.js";
import "./operator/places.js";

/** Not at the top: what is brought later shares files with this one, and would wait for it. */
async function start() {
  showAppearance();
  await Promise.all([setLanguage(firstLanguage()), openSession()]);
  if (session.value.account) {
    events.start();
    void outbox.start();
  }
  signedOut.subscribe(() => void forget());
  startFrame();
  const outlet = document.getElementById("screen");
  if (outlet) await mount(outlet, { guard, failed });
  // Without a network it is asked for again by what needs it.
  await bringPlan().catch(() => {});
}

void start();
