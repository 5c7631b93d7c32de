"""The rules themselves: a suite that can not fail proves nothing."""

import time

import pytest

from browsing import wait_in_page
from page_checks import axe_findings, cut_findings, focus_findings, sideways_findings
from sleep import Sleep
from slow_line import SlowLine
from web import send


def document(browsing, html: str):
    """A page with faults planted in it."""
    context = browsing.context("small")
    context.route("**/planted", lambda route: route.fulfill(
        body="<!doctype html><html lang=en><meta name=viewport content='width=device-width'><title>Planted</title><main><h1>Planted</h1>" + html,
        content_type="text/html", headers={"Content-Security-Policy": "script-src 'self'"}))
    page = context.new_page()
    page.goto("/planted")
    return page


@pytest.mark.parametrize("planted, rule", [
    ("<script>1</script>", "policy violation"),
    ("<img src=/nothing-here.png alt=''>", "was answered with 404"),
    ("<img src=http://127.0.0.2:1/x.png alt=''>", "another host"),
])
def test_a_planted_fault_is_found(browsing, planted, rule):
    page = document(browsing, planted)
    page.wait_for_load_state("networkidle")
    with pytest.raises(AssertionError, match=rule):
        browsing.strictness.verify()


def test_an_error_of_a_script_is_found(browsing):
    page = document(browsing, "")
    page.evaluate("setTimeout(() => { throw new Error('planted') })")
    page.evaluate("console.error('said')")
    page.wait_for_timeout(50)
    with pytest.raises(AssertionError, match="(?s)planted.*said|said.*planted"):
        browsing.strictness.verify()


def test_checks_of_the_page_find_planted_faults(browsing):
    page = document(browsing, "<img src=data:,><div style='width:900px'>wide</div>"
                    "<p style='width:40px;overflow:hidden;white-space:nowrap'>Words that are cut</p>"
                    "<button style='outline:none'>Unmarked</button>")
    assert any(finding.startswith("image-alt") for finding in axe_findings(page))
    assert sideways_findings(page)
    assert any("cut at the side" in finding for finding in cut_findings(page))
    assert any("not marked" in finding for finding in focus_findings(page))
    browsing.strictness.findings.clear()


def test_the_slow_line_is_as_slow_as_it_says(exchange):
    """A request costs a round trip, and bytes come at 40 kbit/s, shared by all connections."""
    port = int(exchange.sandbox.address.rpartition(":")[2])
    line = SlowLine(port)
    try:
        began = time.monotonic()
        answer = send("GET", line.address + "/")
        took = time.monotonic() - began
        least = 2 * line.delay + line.down.carried * 8 / 40_000
        assert answer.status == 200 and line.down.carried > len(answer.body)
        assert least - 0.05 <= took <= least + 0.8, f"{took} s, and it should be {least} s"
    finally:
        line.close()


def test_a_sleeping_page_runs_no_script(browsing):
    page = document(browsing, "")
    page.evaluate("window.steps = 0; setInterval(() => window.steps++, 10)")
    wait_in_page(page, "window.steps > 3")
    with Sleep(page):
        time.sleep(0.2)
        asleep_at = time.monotonic()
        time.sleep(0.5)
    steps = page.evaluate("window.steps")
    assert asleep_at and steps < 40
    wait_in_page(page, "steps => window.steps > steps", steps)
