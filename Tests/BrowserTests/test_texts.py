"""Texts: written, followed, answered, found, planned, called back."""

import re
from datetime import datetime, timedelta

import pytest
from playwright.sync_api import expect

from app import App
from browsing import wait_in_page

ECHO = "+358401234567"


@pytest.fixture
def app(browsing, person):
    return App(browsing.page(person=person))


def test_a_text_is_written_to_a_new_number_and_seen_delivered(app, exchange):
    phone = exchange.fresh_phone()
    app.open("/texts")
    app.page.get_by_role("link", name="New text").first.click()
    app.sees_heading("New text")
    app.page.get_by_role("textbox", name="Number").fill("0" + phone.removeprefix("+358"))
    app.page.get_by_role("textbox", name="Message").fill("Hello from the browser")
    app.page.get_by_role("button", name="Send", exact=True).click()
    app.sees_bubble("Hello from the browser", "Delivered")
    assert exchange.sandbox.received_texts(phone) == ["Hello from the browser"]


def test_an_answer_arrives_while_one_looks(app, exchange):
    phone = exchange.fresh_phone()
    app.write_to(phone, "Are you there?")
    app.sees_bubble("Are you there?", "Delivered")
    number = exchange.sandbox.received(phone)[-1]["from"]
    exchange.sandbox.answer(phone, number, "Yes, I am")
    app.bubble("Yes, I am").wait_for()


def test_an_answer_is_announced_to_those_who_listen(app, exchange):
    phone = exchange.fresh_phone()
    app.write_to(phone, "Say something")
    app.sees_bubble("Say something", "Delivered")
    app.page.evaluate("""() => {
      window.heard = [];
      for (const region of document.querySelectorAll("[role=status], [aria-live]")) {
        new MutationObserver(() => heard.push(region.textContent)).observe(region, { childList: true, characterData: true, subtree: true });
      }
    }""")
    exchange.sandbox.answer(phone, exchange.sandbox.received(phone)[-1]["from"], "Something to hear")
    app.bubble("Something to hear").wait_for()
    wait_in_page(app.page, "window.heard.some(text => text.includes('Something to hear'))")


def test_the_badge_counts_what_is_unread_and_goes_when_it_is_read(app, exchange, person):
    phone = exchange.fresh_phone()
    person.wait_for_state(person.text(phone, "Write to me"), "delivered")
    app.open("/texts")
    number = exchange.sandbox.received(phone)[-1]["from"]
    for text in ("One", "Two"):
        exchange.sandbox.answer(phone, number, text)
    tab = app.page.get_by_role("navigation").get_by_role("link", name="Texts")
    expect(tab).to_have_accessible_name(re.compile("2 unread"))
    expect(app.row("Two")).to_have_accessible_name(re.compile("2 unread"))
    app.row("Two").click()
    app.bubble("Two").wait_for()
    expect(app.page.get_by_role("navigation")).to_have_count(0)
    app.page.get_by_role("link", name="Back").click()
    expect(tab).to_be_visible()
    expect(tab).not_to_have_accessible_name(re.compile("unread"))
    expect(app.row("Two")).not_to_have_accessible_name(re.compile("unread"))
    assert person.call("GET", "/conversations").json["unread"] == 0


def test_search_finds_words_and_says_when_there_are_none(app, exchange, person):
    phone = exchange.fresh_phone()
    person.wait_for_state(person.text(phone, "The zeppelin lands at noon"), "delivered")
    person.wait_for_state(person.text(exchange.fresh_phone(), "Nothing of the kind"), "delivered")
    app.open("/texts")
    field = app.page.get_by_role("searchbox")
    field.fill("zeppelin")
    app.row("zeppelin").wait_for()
    expect(app.row("Nothing of the kind")).to_have_count(0)
    field.fill("submarine")
    app.page.get_by_text("Nothing found for “submarine”").wait_for()
    expect(app.row("zeppelin")).to_have_count(0)
    field.fill("")
    app.row("Nothing of the kind").wait_for()


def test_a_text_is_planned_and_called_back(app, exchange):
    phone = exchange.fresh_phone()
    app.open("/texts/new?to=" + phone.replace("+", "%2B"))
    page = app.page
    page.get_by_role("textbox", name="Message").fill("Not before tomorrow")
    page.get_by_role("radio", name="Later").check(force=True)
    page.get_by_label("Day and time").fill((datetime.now() + timedelta(days=1)).strftime("%Y-%m-%dT08:00"))
    page.get_by_role("button", name="Schedule").click()
    app.sees_bubble("Not before tomorrow", re.compile("08:00"))
    app.said("Not before tomorrow").get_by_role("button", name="Call it back").click()
    app.sees_bubble("Not before tomorrow", "Cancelled")
    assert exchange.sandbox.received(phone) == []


def test_one_text_goes_to_several_people(app, exchange):
    phones = [exchange.fresh_phone() for _ in range(3)]
    app.open("/texts/new")
    page = app.page
    for phone in phones:
        page.get_by_role("textbox", name="Number").fill(phone)
        page.get_by_role("textbox", name="Number").press("Enter")
    page.get_by_role("textbox", name="Message").fill("The meeting is on Thursday")
    page.get_by_role("button", name=re.compile("^Send")).last.click()
    for phone in phones:
        exchange.sandbox.wait_for_text(phone, "The meeting is on Thursday")
    app.open("/texts")
    expect(app.page.get_by_role("main").get_by_role("link").filter(has_text="The meeting is on Thursday")).to_have_count(3)


def test_a_text_that_failed_says_why_and_can_be_tried_again(app, exchange):
    phone = exchange.fresh_phone()
    exchange.sandbox.phone(phone, receipt="failed")
    app.write_to(phone, "Can you hear me?")
    app.sees_bubble("Can you hear me?", "Not delivered: the carrier could not reach the phone")
    exchange.sandbox.phone(phone, receipt="delivered")
    app.said("Can you hear me?").get_by_role("button", name="Try again").click()
    expect(app.said("Can you hear me?").last).to_contain_text("Delivered", timeout=15_000)
    exchange.sandbox.wait_for_text(phone, "Can you hear me?")


def test_the_life_of_a_text_is_told_in_plain_words(app, exchange, person):
    identifier = person.text(exchange.fresh_phone(), "Tell me how it went")
    person.wait_for_state(identifier, "delivered")
    app.open(f"/texts/message/{identifier}")
    main = app.page.get_by_role("main")
    main.get_by_text("Tell me how it went").first.wait_for()
    steps = main.get_by_role("listitem")
    expect(steps.first).to_contain_text("Accepted and written down")
    expect(main).to_contain_text("Delivered")
    assert not re.search(r"\b(leased|queued|null|undefined|submitted)\b", main.inner_text())


def test_parts_encoding_and_price_are_shown_while_one_writes(app):
    app.open("/texts/new?to=%2B8613800138000")
    field = app.page.get_by_role("textbox", name="Message")
    field.fill("Hello")
    main = app.page.get_by_role("main")
    expect(main).to_contain_text("1 part")
    expect(main).to_contain_text("€0.06")
    field.fill("Hello, 早点睡! " + "x" * 80)
    expect(main).to_contain_text("2 parts")
    expect(main).to_contain_text("Unicode")
    expect(main).to_contain_text("早")
    expect(main).to_contain_text("€0.12")


def test_a_country_is_found_by_its_name_and_by_its_dial_code(app):
    app.open("/texts/new")
    page = app.page
    page.get_by_role("button", name=re.compile("^Country")).click()
    sheet = page.get_by_role("dialog", name="Country")
    sheet.get_by_role("searchbox").fill("254")
    sheet.get_by_role("button", name=re.compile("Kenya")).wait_for()
    sheet.get_by_role("searchbox").fill("united k")
    sheet.get_by_role("button", name=re.compile("United Kingdom")).click()
    expect(page.get_by_role("button", name=re.compile("^Country"))).to_have_accessible_name(re.compile(r"United Kingdom.*\+44"))


def test_an_impossible_number_is_told_before_anything_is_sent(app):
    app.open("/texts/new")
    app.page.get_by_role("textbox", name="Number").fill("+358 1")
    app.page.get_by_role("textbox", name="Message").fill("Hello")
    app.page.get_by_role("button", name="Send", exact=True).click()
    expect(app.page.get_by_role("textbox", name="Number")).to_have_attribute("aria-invalid", "true")
    assert app.path() == "/texts/new"


def test_a_draft_is_kept_over_a_reload(app, exchange):
    phone = exchange.fresh_phone()
    app.open_conversation(phone)
    app.page.get_by_role("textbox", name="Message").fill("Half a thought")
    app.page.wait_for_timeout(1000)
    app.reload()
    expect(app.page.get_by_role("textbox", name="Message")).to_have_value("Half a thought")


VCARDS = """BEGIN:VCARD
VERSION:3.0
FN:Maija Virtanen
TEL;TYPE=CELL:040 123 4567
END:VCARD
BEGIN:VCARD
VERSION:2.1
N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=C3=96berg;Jonas
TEL;HOME:+46 70 123 45 67
TEL;WORK:+46 70 123 45 68
END:VCARD
BEGIN:VCARD
VERSION:4.0
FN:Maija Virtanen
TEL;VALUE=uri;TYPE=cell:tel:+358-40-123-4567
END:VCARD
"""


def test_contacts_are_read_from_a_file_and_chosen(app, exchange, tmp_path):
    file = tmp_path / "people.vcf"
    file.write_text(VCARDS)
    app.open("/contacts")
    page = app.page
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_text("2 contacts added.").wait_for()
    app.reload()
    expect(page.get_by_role("main").get_by_text("Maija Virtanen")).to_have_count(1)
    expect(page.get_by_role("main").get_by_text("Jonas Öberg")).to_have_count(1)
    page.get_by_role("link", name="Text Maija Virtanen").click()
    app.sees_heading("Maija Virtanen")
    app.write("Known by name")
    app.open("/texts")
    app.row("Maija Virtanen").wait_for()


def test_the_operator_sees_carriers_and_finds_a_message_by_its_id(browsing, exchange, person):
    identifier = person.text(exchange.fresh_phone(), "Nobody else's business")
    person.wait_for_state(identifier, "delivered")
    app = App(browsing.page(person=exchange.operator))
    page = app.page
    app.open("/operator/carriers")
    for carrier in ("fast", "global"):
        page.get_by_role("main").get_by_text(carrier, exact=True).first.wait_for()
    app.open("/operator/messages")
    page.get_by_role("main").get_by_role("searchbox").or_(page.get_by_role("main").get_by_role("textbox")).first.fill(identifier)
    page.keyboard.press("Enter")
    app.wait_for_path(f"/operator/messages/{identifier}")
    page.get_by_role("main").get_by_text("Delivered").first.wait_for()
    assert "Nobody else" not in page.content()


def test_the_operator_tests_a_carrier(browsing, exchange):
    phone = exchange.fresh_phone()
    app = App(browsing.page(person=exchange.operator))
    page = app.page
    app.open("/operator/carriers")
    page.get_by_role("button", name=re.compile("fast")).click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("textbox").fill(phone)
    page.keyboard.press("Enter")
    sheet.get_by_text("€0.06").wait_for()
    sheet.get_by_role("button", name=re.compile("^Send")).click()
    page.get_by_role("main").get_by_text("Delivered").first.wait_for()
    exchange.sandbox.wait_for_text(phone, "Test message from Switchboard")


def test_who_is_no_operator_does_not_see_the_operators_pages(app, browsing):
    browsing.strictness.expects(r"/operator/", 403)
    browsing.strictness.expects(r"/operator/", 404)
    app.open("/me")
    expect(app.page.get_by_role("link", name=re.compile("Carriers"))).to_have_count(0)
    app.page.goto("/operator/carriers")
    app.is_ready()
    expect(app.page.get_by_text("fast", exact=True)).to_have_count(0)
