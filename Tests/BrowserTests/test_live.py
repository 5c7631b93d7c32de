"""What happens outside is on the screen at once, also after the page has slept."""

import statistics
import time

import pytest

from app import App
from browsing import Browsing
from exchange import Exchange, free_port
from sleep import Sleep

# A receipt waits this long in the sandbox, whose clock the test moves.
LATE_MS = 3_600_000
CARRIERS = ("fast", "global")

WATCH = """
([text, word]) => {
  const seen = () => [...document.querySelectorAll("main .under")].at(-1)?.innerText.includes(word);
  window.seenAt = seen() ? Date.now() : null;
  const observer = new MutationObserver(() => {
    if (seen()) { window.seenAt ??= Date.now(); observer.disconnect(); }
  });
  observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
}
"""


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """An exchange whose sandbox has a clock that may be moved, and which may be killed."""
    running = Exchange(tmp_path_factory.mktemp("live"), port=free_port())
    yield running
    running.end()


@pytest.fixture
def browsing(chromium, own, pictures):
    opened = Browsing(chromium, own.address, pictures)
    yield opened
    opened.close()


@pytest.fixture
def late(own):
    """Receipts come when the sandbox's clock is moved."""
    def arm():
        for carrier in CARRIERS:
            own.sandbox.faults(carrier, receipts={"delayMs": LATE_MS})

    arm()
    yield lambda: own.sandbox.advance(LATE_MS)
    for carrier in CARRIERS:
        own.sandbox.faults(carrier)


def test_a_receipt_changes_the_screen_within_200_ms(browsing, own, late, say):
    person, phone = own.person(), own.fresh_phone()
    app = App(browsing.page(person=person))
    tries = []
    for number in range(7):
        text = f"Measured {number}"
        person.wait_for_state(person.text(phone, text), "submitted")
        app.open_conversation(phone)
        app.sees_bubble(text, "Sent")
        app.page.evaluate(WATCH, [text, "Delivered"])
        pushed = time.time() * 1000
        late()
        app.sees_bubble(text, "Delivered")
        tries.append(app.page.evaluate("window.seenAt") - pushed)
    say(f"from the carrier's receipt to the screen: median {statistics.median(tries):.0f} ms of "
        + ", ".join(f"{one:.0f}" for one in sorted(tries)))
    assert statistics.median(tries) <= 200


@pytest.mark.parametrize("case", ["the line held", "the server was restarted meanwhile"])
def test_after_sleep_the_screen_is_right_within_a_second(browsing, own, late, say, case):
    person, phone = own.person(), own.fresh_phone()
    app = App(browsing.page(person=person))
    text = "Sent before sleep"
    identifier = person.text(phone, text)
    person.wait_for_state(identifier, "submitted")
    app.open_conversation(phone)
    app.sees_bubble(text, "Sent")
    app.page.evaluate(WATCH, [text, "Delivered"])
    browsing.strictness.expects_breaks()
    with Sleep(app.page) as sleep:
        late()
        person.wait_for_state(identifier, "delivered")
        if case != "the line held":
            own.kill()
            own.start()
        # So long that a page takes its line for dead.
        time.sleep(6)
    app.sees_bubble(text, "Delivered")
    took = app.page.evaluate("window.seenAt") - sleep.woken
    say(f"after sleep ({case}): right in {took:.0f} ms")
    assert took <= 1000
