"""Every screen in every state: looked at, listened to, small, large, dark and in three languages."""

import re

import pytest

from app import App
from browsing import DEVICES, Browsing, settle
from household import Household
from page_checks import (
    assert_none, axe_findings, contrast_findings, control_findings, cut_findings, doubled_text, focus_findings, sideways_findings, single_text)
from screens import STATES, State

LANGUAGES = {"fi-FI": "fi", "zh-CN": "zh"}


class World:
    """What the ways to the states may use."""

    def __init__(self, exchange):
        self.exchange = exchange
        self.household = Household(exchange)
        self.newcomer = exchange.person("Ville Uusi")

    def code(self, phone: str) -> str:
        """The sign-up code that the phone got."""
        message = self.exchange.sandbox.wait_for_text(phone, "")
        return re.search(r"\b(\d{6})\b", message["text"]).group(1)

    def ready(self, page):
        App(page).is_ready()

    def person(self, who: str):
        return {"nobody": None, "person": self.household.person, "newcomer": self.newcomer,
                "operator": self.exchange.operator}[who]

    def path(self, path: str) -> str:
        return path.format(**vars(self.household)) if "{" in path else path


@pytest.fixture(scope="module")
def world(exchange):
    return World(exchange)


def reached(browsing: Browsing, world: World, state: State, locale: str):
    """A new page in that state."""
    for path, status in state.statuses:
        browsing.strictness.expects(path, status)
    browsing.strictness.expects_breaks(state.breaks)
    person = world.person(state.who)
    page = browsing.page(
        person=person, session=person and person.known_session(), locale=locale, service_workers="block")
    if state.before:
        state.before(page, world)
    page.goto(world.path(state.path))
    world.ready(page)
    if state.reach:
        state.reach(page, world)
    else:
        settle(page)
    return page


def resized(page, device: str):
    size = DEVICES[device]
    page.set_viewport_size({"width": size.width, "height": size.height})


def labelled(where: str, findings: list[str]) -> list[str]:
    return [f"[{where}] {finding}" for finding in findings]


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.name)
def test_screen(browsing, world, state):
    page = reached(browsing, world, state, "en-GB")
    browsing.picture(page, state.name, "device")
    found = labelled("light", axe_findings(page)) + labelled("controls", control_findings(page))
    page.emulate_media(color_scheme="dark")
    browsing.picture(page, f"{state.name}.dark")
    found += labelled("dark", contrast_findings(page))
    page.emulate_media(color_scheme="light")
    resized(page, "small")
    found += labelled("320 px", sideways_findings(page) + cut_findings(page))
    browsing.picture(page, f"{state.name}.320")
    doubled_text(page)
    found += labelled("320 px, 200 %", sideways_findings(page))
    resized(page, "iphone")
    found += labelled("200 %", sideways_findings(page) + cut_findings(page) + control_findings(page))
    browsing.picture(page, f"{state.name}.200")
    single_text(page)
    resized(page, "desktop")
    found += labelled("desktop", sideways_findings(page) + axe_findings(page))
    browsing.picture(page, f"{state.name}.wide")
    resized(page, "iphone")
    found += labelled("keyboard", focus_findings(page))
    assert_none(found)


@pytest.mark.parametrize("locale", LANGUAGES)
@pytest.mark.parametrize("state", STATES, ids=lambda state: state.name)
def test_screen_in(browsing, world, state, locale):
    page = reached(browsing, world, state, locale)
    browsing.picture(page, f"{state.name}.{LANGUAGES[locale]}")
    assert page.evaluate("document.documentElement.lang").split("-")[0] == LANGUAGES[locale]
    resized(page, "small")
    assert_none(labelled("320 px", sideways_findings(page) + cut_findings(page)))
