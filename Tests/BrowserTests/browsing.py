"""Chromium as people hold it: devices, light and dark, languages; every page under the strict eye."""

import shutil
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, Error, Page, Playwright

from program import wait_until
from strictness import Strictness


@dataclass(frozen=True)
class Device:
    width: int
    height: int
    scale: float = 1
    touch: bool = False


DEVICES = {
    "iphone": Device(390, 844, 3, True),
    "small": Device(320, 640, 2, True),
    "desktop": Device(1280, 900),
}
ZONES = {"en-GB": "Europe/London", "fi-FI": "Europe/Helsinki", "zh-CN": "Asia/Shanghai"}


def launch(playwright: Playwright):
    """Debian's Chromium; Playwright brings none of its own."""
    path = shutil.which("chromium")
    assert path, "chromium is not installed: Scripts/setup tests"
    return playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"])


class Browsing:
    """The contexts of one test, all closed at its end."""

    def __init__(self, browser, address: str, pictures: Path):
        self.browser = browser
        self.address = address
        self.pictures = pictures
        self.strictness = Strictness({urlsplit(address).netloc})
        self.contexts: list[BrowserContext] = []

    def context(
        self, device: str = "iphone", scheme: str = "light", locale: str = "en-GB", base: str | None = None, **more
    ) -> BrowserContext:
        size = DEVICES[device]
        base = base or self.address
        self.strictness.hosts.add(urlsplit(base).netloc)
        context = self.browser.new_context(
            base_url=base, viewport={"width": size.width, "height": size.height}, device_scale_factor=size.scale,
            is_mobile=size.touch, has_touch=size.touch, color_scheme=scheme, locale=locale,
            timezone_id=ZONES[locale], reduced_motion="reduce", **more)
        context.set_default_timeout(10_000)
        self.strictness.watch(context)
        self.contexts.append(context)
        return context

    def page(self, device: str = "iphone", person=None, session: str | None = None, **more) -> Page:
        """A page of a new context; signed in when a person is given."""
        context = self.context(device, **more)
        if person is not None:
            self.sign_in(context, person, session)
        return context.new_page()

    def sign_in(self, context: BrowserContext, person, session: str | None = None):
        """Puts a session into the context without the form, which has tests of its own."""
        context.add_cookies([{
            "name": "switchboard_session", "value": session or person.session(), "url": person.exchange.address,
            "httpOnly": True, "sameSite": "Strict"}])

    def picture(self, page: Page, name: str, scale: str = "css"):
        """A PNG named as the design's are; `device` is as fine as the device."""
        page.screenshot(path=self.pictures / f"{name}.png", scale=scale)

    def close(self):
        for context in self.contexts:
            context.close()


def wait_in_page(page: Page, expression: str, argument=None, within: float = 10.0):
    """Waits until an expression is true in the page. Playwright's own way needs `unsafe-eval`, which no page of ours
    allows; this one goes through the debugger."""

    def so():
        try:
            return page.evaluate(expression, argument) or page.wait_for_timeout(20)
        except Error as error:
            # The page is on its way to another one.
            if "context was destroyed" in error.message:
                return None
            raise

    return wait_until(so, f"{expression} is not so", within)


# Nothing is being read, and nothing has moved for a moment.
SETTLED = """() => new Promise(done => {
  const isBusy = () => document.querySelector("main[aria-busy=true], app-loading") !== null;
  let quiet = setTimeout(check, 150);
  const observer = new MutationObserver(() => { clearTimeout(quiet); quiet = setTimeout(check, 150); });
  observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  const limit = setTimeout(end, 5000);
  function check() { if (isBusy()) quiet = setTimeout(check, 150); else end(); }
  function end() { clearTimeout(limit); observer.disconnect(); done(true); }
})"""


def settle(page: Page):
    """Until the screen stands still. The stream of events never ends, so that the network is never idle."""
    page.evaluate(SETTLED)
