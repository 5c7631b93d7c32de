"""Firefox and WebKitGTK: every screen opens, and the main flows work."""

import pytest

from firefox import Firefox
from page_checks import assert_none
from program import wait_until
from webkit import WebKit


@pytest.fixture(scope="module", params=[Firefox, WebKit], ids=["firefox", "webkit"])
def browser(request, tmp_path_factory):
    opened = request.param(tmp_path_factory.mktemp(request.param.name) / "home")
    yield opened
    opened.end()


def test_the_sandbox_page_opens(browser, exchange, pictures):
    browser.open(exchange.sandbox.address)
    wait_until(lambda: browser.has("heading", "Sandbox"), "the heading is not shown")
    browser.picture(pictures / f"sandbox.{browser.name}.png")
    browser.click("link", "+358401234567")
    wait_until(lambda: browser.has("link", "All phones"), "the phone is not shown")
    assert_none(browser.errors())
