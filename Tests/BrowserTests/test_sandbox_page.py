"""The sandbox's own page: carriers and phones on screen."""

import pytest

from browsing import Browsing
from page_checks import assert_none, axe_findings, cut_findings, doubled_text, focus_findings, sideways_findings


@pytest.fixture
def outside(chromium, exchange, pictures):
    opened = Browsing(chromium, exchange.sandbox.address, pictures)
    yield opened
    opened.close()


def test_the_sandbox_shows_its_carriers_and_phones(outside):
    page = outside.page("desktop")
    page.goto("/")
    page.get_by_role("heading", name="Sandbox").wait_for()
    assert page.get_by_text("fast", exact=True).first.is_visible()
    assert page.get_by_role("link", name="+358401234567").is_visible()
    outside.picture(page, "sandbox.wide")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_sandbox_page_is_accessible(outside, scheme):
    page = outside.page("desktop", scheme=scheme)
    page.goto("/")
    assert_none(axe_findings(page))
    assert_none(focus_findings(page))


def test_the_sandbox_page_fits_a_small_phone_and_large_text(outside):
    page = outside.page("small")
    page.goto("/")
    assert_none(sideways_findings(page))
    outside.picture(page, "sandbox.320")
    page.set_viewport_size({"width": 390, "height": 844})
    doubled_text(page)
    assert_none(cut_findings(page))
