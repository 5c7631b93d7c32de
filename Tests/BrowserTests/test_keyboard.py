"""Everything by the keyboard alone: no pointer, no script that puts the focus anywhere."""

import pytest
from playwright.sync_api import expect

from app import App
from test_account import PASSWORD, code_of


class Keys:
    """Hands on a keyboard."""

    def __init__(self, page, most: int = 60):
        self.page = page
        self.most = most

    def to(self, *names: str, back: bool = False):
        """Presses Tab until what has one of the names has the focus."""
        for _ in range(self.most):
            name = self.page.evaluate("""() => {
              const at = document.activeElement;
              if (!at || at === document.body) return "";
              const labels = at.labels?.length ? [...at.labels].map(label => label.innerText).join(" ") : "";
              return (at.getAttribute("aria-label") || labels || at.innerText || "").trim();
            }""")
            if any(wanted in name for wanted in names):
                return
            self.page.keyboard.press("Shift+Tab" if back else "Tab")
        raise AssertionError(f"no Tab stop is called {' or '.join(names)}")

    def type(self, text: str):
        self.page.keyboard.type(text)

    def press(self, key: str):
        self.page.keyboard.press(key)


@pytest.mark.parametrize("device", ["iphone", "desktop"])
def test_a_person_signs_up_writes_reads_and_signs_out_by_keyboard(browsing, exchange, device):
    phone, peer = exchange.fresh_phone(), exchange.fresh_phone()
    page = browsing.page(device)
    app, keys = App(page), Keys(page)
    app.open("/sign-up")
    keys.to("Phone number")
    keys.type(phone)
    keys.press("Enter")
    app.sees_heading("Enter the code")
    expect(page.get_by_label("Six-digit code")).to_be_focused()
    keys.type(code_of(exchange, phone))
    app.sees_heading("Choose a password")
    keys.to("New password")
    keys.type(PASSWORD)
    keys.to("I accept")
    keys.press("Space")
    keys.to("Finish")
    keys.press("Enter")
    app.wait_for_path("/texts")

    keys.to("New text")
    keys.press("Enter")
    app.sees_heading("New text")
    keys.to("Number")
    keys.type(peer)
    keys.to("Message")
    keys.type("Typed, not tapped")
    keys.to("Send")
    keys.press("Enter")
    app.sees_bubble("Typed, not tapped", "Delivered")

    exchange.sandbox.answer(peer, exchange.sandbox.received(peer)[-1]["from"], "Read by keyboard")
    app.bubble("Read by keyboard").wait_for()
    app.open("/me")
    keys.to("Sign out")
    keys.press("Enter")
    page.get_by_role("dialog").wait_for()
    keys.to("Sign out")
    keys.press("Enter")
    app.wait_for_path("/sign-in")


def test_a_sheet_holds_the_focus_and_gives_it_back(browsing, exchange):
    page = browsing.page()
    app, keys = App(page), Keys(page)
    app.open("/sign-up")
    keys.to("Country")
    keys.press("Enter")
    sheet = page.get_by_role("dialog")
    sheet.wait_for()
    for _ in range(12):
        keys.press("Tab")
        assert page.evaluate("document.activeElement === document.body || !!document.activeElement.closest('dialog')")
    keys.press("Escape")
    expect(sheet).to_have_count(0)
    assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith("Country")


def test_a_new_screen_begins_at_its_heading(browsing, person):
    page = browsing.page(person=person)
    app, keys = App(page), Keys(page)
    app.open("/texts")
    keys.to("Me")
    keys.press("Enter")
    app.wait_for_path("/me")
    app.sees_heading("Me")
    assert page.evaluate("document.activeElement.closest('h1, main') !== null")


def test_the_way_past_the_bar_leads_to_the_content(browsing, person):
    page = browsing.page(person=person)
    app, keys = App(page), Keys(page)
    app.open("/texts")
    page.evaluate("document.activeElement?.blur()")
    keys.to("Skip to content")
    keys.press("Enter")
    keys.press("Tab")
    assert page.evaluate("document.activeElement.closest('main, header, aside') !== null")


def test_a_planned_text_is_cancelled_by_keyboard(browsing, exchange, person):
    from datetime import datetime, timedelta, timezone

    phone = exchange.fresh_phone()
    person.text(phone, "Call me back", notBefore=(datetime.now(timezone.utc) + timedelta(days=1)).isoformat(timespec="seconds"))
    page = browsing.page(person=person)
    app, keys = App(page), Keys(page)
    app.open_conversation(phone)
    app.bubble("Call me back").wait_for()
    keys.to("Call it back")
    keys.press("Enter")
    app.sees_bubble("Call me back", "Cancelled")
