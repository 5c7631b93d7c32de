"""Firefox and WebKitGTK: every screen opens, and the main flows work."""

import pytest

from firefox import Firefox
from page_checks import assert_none
from program import wait_until
from test_account import PASSWORD, code_of
from webkit import WebKit

PATHS = [
    "/texts", "/texts/new", "/contacts", "/outbox", "/me", "/me/sessions", "/me/password", "/me/data", "/me/install",
    "/terms", "/operator/carriers", "/operator/messages",
]
IS_SHOWN = """(() => {
  const main = document.querySelector("main");
  return !!main && !main.hasAttribute("aria-busy") && !document.querySelector("app-loading") &&
    !main.innerText.includes("Opening…") && main.innerText.trim().length > 0 && !!document.querySelector("h1") &&
    !document.querySelector("[role=alert]");
})()"""


@pytest.fixture(scope="module", params=[Firefox, WebKit], ids=["firefox", "webkit"])
def browser(request, tmp_path_factory):
    opened = request.param(tmp_path_factory.mktemp(request.param.name) / "home")
    yield opened
    opened.end()


def shown(browser, what: str):
    try:
        wait_until(lambda: browser.run(IS_SHOWN), f"{what} is not shown", 20, every=0.1)
    except AssertionError as error:
        there = browser.run("location.pathname + ': ' + document.body.innerText.slice(0, 500)")
        asked = browser.run(ASKED)
        raise AssertionError(f"{error}; shown is {there!r}; asked {asked}; errors: {browser.errors()}") from None


# What the page has asked for and how long it took; what is still under way is not among it.
ASKED = """performance.getEntriesByType("resource").filter(one => one.name.includes("/api/"))
  .map(one => `${one.name.replace(location.origin, "")} ${Math.round(one.startTime)}+${Math.round(one.duration)}`).join(", ")"""


def says(browser, text: str, within: float = 20):
    wait_until(lambda: text in browser.run("document.body.innerText"), f"'{text}' is not to be read", within, every=0.1)


def press(browser, role: str, name: str):
    wait_until(lambda: browser.has(role, name), f"there is no {role} '{name}'", 15, every=0.2)
    browser.click(role, name)


def fill(browser, name: str, text: str):
    wait_until(lambda: browser.has("textbox", name), f"there is no field '{name}'", 15, every=0.2)
    browser.type(name, text)


PRESS = """(() => {
  const place = document.querySelector("dialog[open]") ?? document.querySelector("main");
  const button = [...(place?.querySelectorAll("button") ?? [])].find(one => one.innerText.trim().startsWith("%s"));
  button?.click();
  return !!button;
})()"""


def path(browser) -> str:
    return browser.run("location.pathname")


def signed_in(browser, exchange, phone: str, password: str):
    """By the form; whoever was signed in before leaves first."""
    browser.open(exchange.address + "/me")
    wait_until(lambda: path(browser) == "/sign-up" or browser.run(IS_SHOWN), "the app does not open", 20, every=0.1)
    if path(browser) == "/me":
        for what in ("the row to leave", "the question"):
            wait_until(lambda: browser.run(PRESS % "Sign out"), f"{what} is not there", 10, every=0.2)
            wait_until(lambda: browser.run("!!document.querySelector('dialog[open]')") or path(browser) == "/sign-in",
                       f"{what} does nothing", 10, every=0.1)
        wait_until(lambda: path(browser) == "/sign-in", "nobody was signed out", 20, every=0.1)
    browser.open(exchange.address + "/sign-in")
    fill(browser, "Phone number", phone)
    fill(browser, "Password", password)
    press(browser, "button", "Sign in")
    wait_until(lambda: path(browser) == "/texts", "nobody is signed in", 20, every=0.1)
    shown(browser, "the list of conversations")


def test_the_sandbox_page_opens(browser, exchange, pictures):
    browser.open(exchange.sandbox.address)
    wait_until(lambda: browser.run("document.body.innerText.length > 0"), "the page is empty")
    browser.picture(pictures / f"sandbox.{browser.name}.png")
    assert_none(browser.errors())


def test_a_person_signs_up(browser, exchange, pictures):
    phone = exchange.fresh_phone()
    browser.open(exchange.address + "/sign-up")
    shown(browser, "the sign-up")
    browser.picture(pictures / f"01-sign-up.{browser.name}.png")
    fill(browser, "Phone number", phone)
    press(browser, "button", "Text me the code")
    fill(browser, "Six-digit code", code_of(exchange, phone))
    fill(browser, "New password", PASSWORD)
    browser.run("document.querySelector('#terms').click()")
    press(browser, "button", "Finish")
    wait_until(lambda: browser.run("location.pathname") == "/texts", "the account is not there", 20, every=0.1)
    shown(browser, "the list of conversations")
    assert_none(browser.errors())


def test_a_text_is_sent_delivered_and_answered(browser, exchange, pictures):
    person, phone = exchange.person(), exchange.fresh_phone()
    signed_in(browser, exchange, person.phone, person.password)
    browser.open(f"{exchange.address}/texts/with/{phone.replace('+', '%2B')}")
    shown(browser, "the conversation")
    fill(browser, "Message", "Hello there")
    press(browser, "button", "Send")
    says(browser, "Delivered")
    assert exchange.sandbox.received_texts(phone) == ["Hello there"]
    exchange.sandbox.answer(phone, exchange.sandbox.received(phone)[-1]["from"], "Hello yourself")
    says(browser, "Hello yourself")
    browser.picture(pictures / f"03-conversation.{browser.name}.png")
    assert_none(browser.errors())


def test_every_screen_opens(browser, exchange, pictures):
    operator = exchange.operator
    identifier = operator.text(exchange.fresh_phone(), "For the timeline")
    operator.wait_for_state(identifier, "delivered")
    signed_in(browser, exchange, operator.phone, operator.password)
    found = []
    for address in [*PATHS, f"/texts/message/{identifier}", f"/operator/messages/{identifier}"]:
        browser.open(exchange.address + address)
        shown(browser, address)
        wide = browser.run("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        found += [f"{address}: {error}" for error in browser.errors()]
        found += [f"{address}: {wide} px too wide"] if wide > 0 else []
        browser.picture(pictures / f"{address.strip('/').replace('/', '-').replace(identifier, 'one')}.{browser.name}.png")
    assert_none(found)
