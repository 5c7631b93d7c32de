"""On a line of 40 kbit/s down, 20 kbit/s up and 300 ms each way."""

import pytest

from browsing import wait_in_page
from slow_line import SlowLine

# When there was something to read, when the screen's own controls stood there, and when it could be used: its form, or
# the list of conversations.
TIMES = """
window.lineTimes = {};
const look = () => {
  const times = window.lineTimes;
  if (document.querySelector("main")?.innerText.trim()) times.readable ??= performance.now();
  if (document.querySelector("main form button, main input")) times.controls ??= performance.now();
  if (document.querySelector("main form button, main a[href^='/texts/with/']")) times.usable ??= performance.now();
  if (times.usable === undefined) requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""
MOST_BYTES = 30_000
AIM_BYTES = 24_000


@pytest.fixture
def line(exchange):
    slow = SlowLine(exchange.port)
    yield slow
    slow.close()


def visit(page, path: str, line: SlowLine | None = None) -> dict:
    """The times of a visit in ms, and how many bytes had come when the screen's controls stood there."""
    page.goto(path, wait_until="commit", timeout=60_000)
    wait_in_page(page, "window.lineTimes?.controls !== undefined", within=60)
    came = line.down.carried if line else 0
    wait_in_page(page, "window.lineTimes?.usable !== undefined", within=60)
    return page.evaluate("window.lineTimes") | {"bytes": came}


def settled(page, line):
    """Until the app is kept for later visits and the line is quiet."""
    wait_in_page(page, "navigator.serviceWorker.controller !== null", within=120)
    before = -1
    while before != line.down.carried:
        before = line.down.carried
        page.wait_for_timeout(2500)


def say_and_judge(say, who: str, times: dict, line: SlowLine):
    say(f"slow line, first visit of {who}: readable {times['readable'] / 1000:.2f} s, usable {times['usable'] / 1000:.2f} s "
        f"(aim 8); {times['bytes']} bytes until its controls stood there (aim {AIM_BYTES}), {line.down.carried} in all; TCP "
        "and TLS would add 0.6 s each")
    assert times["readable"] <= 2500
    assert times["usable"] <= 10_000
    assert times["bytes"] <= MOST_BYTES


def test_the_first_screen_of_a_visitor_comes_in_time(browsing, line, say):
    page = browsing.context(base=line.address)
    page.add_init_script(TIMES)
    page = page.new_page()
    say_and_judge(say, "a visitor", visit(page, "/sign-up", line), line)


def test_the_list_comes_in_time_and_at_once_the_next_time(browsing, exchange, line, say):
    person = exchange.person()
    person.wait_for_state(person.text(exchange.fresh_phone(), "The one conversation"), "delivered")
    context = browsing.context(base=line.address)
    context.add_init_script(TIMES)
    context.add_cookies([{"name": "switchboard_session", "value": person.session(), "url": line.address,
                          "httpOnly": True, "sameSite": "Strict"}])
    page = context.new_page()
    say_and_judge(say, "a person who is signed in", visit(page, "/texts", line), line)
    settled(page, line)
    tries = sorted(visit(page, "/texts")["usable"] for _ in range(3))
    say(f"slow line, next visits: usable in {', '.join(f'{one:.0f}' for one in tries)} ms")
    assert tries[0] <= 300
