import { signedOut } from "./core/api.js";
import { events } from "./core/events.js";
import { firstLanguage, setLanguage, t } from "./core/i18n.js";
import { bringPlan } from "./core/numbering.js";
import { outbox } from "./core/outbox.js";
import { go, mount } from "./core/router.js";
import { expire, expired, openSession, session } from "./core/session.js";
import { showAppearance } from "./shell/appearance.js";
import { startFrame } from "./shell/frame.js";
import "./shell/install.js";
import { failed, guard } from "./shell/places.js";
import { toast } from "./shell/toast.js";
import "./texts/places.js";
import "./operator/places.js";

let hasOutbox = false;

/** With an account, also one that has just been made, the events are followed and what waits is sent. */
function follow() {
  if (!session.value.account) return;
  events.start();
  if (hasOutbox) void outbox.flush();
  else void outbox.start();
  hasOutbox = true;
}

/** Not at the top: what is brought later shares files with this one, and would wait for it. */
async function start() {
  showAppearance();
  await Promise.all([setLanguage(firstLanguage()), openSession()]);
  session.subscribe(follow);
  follow();
  signedOut.subscribe(() => void expire());
  expired.subscribe(async () => {
    await go("/sign-in", { replace: true });
    toast(t("error.not-signed-in"), { mark: "failed" });
  });
  startFrame();
  const outlet = document.getElementById("screen");
  if (outlet) await mount(outlet, { guard, failed });
  // Without a network it is asked for again by what needs it.
  await bringPlan().catch(() => {});
}

void start();
