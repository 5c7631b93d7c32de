"""Every screen in every state: how to get there. Names are those of the pictures."""

import re
from dataclasses import dataclass
from typing import Callable

from playwright.sync_api import Page

from browsing import settle
from household import CONTACTS, SEED_CONTACTS


@dataclass(frozen=True)
class State:
    """`who` is nobody, the household's person, a newcomer without texts, or the operator. `reach` stands on the page of
    `path` and does the rest, in any language."""

    name: str
    path: str
    who: str = "person"
    reach: Callable | None = None
    statuses: tuple[tuple[str, int], ...] = ()
    breaks: bool = False
    # Where the state lives in the network rather than in the page, it is made before the page is opened.
    before: Callable | None = None


def submit(page: Page):
    page.locator("main form button:not([type=button])").first.click()


def type_number(page: Page, number: str):
    page.locator("main input[type=tel]").first.fill(number)


def bad_number(page, world):
    type_number(page, "12")
    submit(page)
    page.locator("[aria-invalid=true]").first.wait_for()


def country_sheet(page, world):
    page.locator("main form button[aria-haspopup], main form button.input").first.click()
    page.get_by_role("dialog").wait_for()


def country_found(page, world):
    country_sheet(page, world)
    page.get_by_role("searchbox").fill("44")


def country_not_found(page, world):
    country_sheet(page, world)
    page.get_by_role("searchbox").fill("qqq")


def ask_code(page, world) -> str:
    phone = world.exchange.fresh_phone()
    type_number(page, phone)
    submit(page)
    page.locator("input[autocomplete=one-time-code]").wait_for()
    return phone


def wrong_code(page, world):
    phone = ask_code(page, world)
    code = world.code(phone)
    page.locator("input[autocomplete=one-time-code]").fill("000000" if code != "000000" else "111111")
    page.locator("[aria-invalid=true]").first.wait_for()


def right_code(page, world):
    phone = ask_code(page, world)
    page.locator("input[autocomplete=one-time-code]").fill(world.code(phone))
    page.locator("input[autocomplete=new-password]").wait_for()


def weak_password(page, world):
    right_code(page, world)
    page.locator("input[autocomplete=new-password]").fill("short")
    submit(page)
    page.locator("[aria-invalid=true]").first.wait_for()


def wrong_password(page, world):
    type_number(page, world.household.person.phone)
    page.locator("input[type=password]").fill("not the password")
    submit(page)
    page.locator("[aria-invalid=true]").first.wait_for()


def search(words: str):
    def reach(page, world):
        page.get_by_role("searchbox").first.fill(words)
        page.wait_for_timeout(400)
        settle(page)

    return reach


def show(index: int):
    def reach(page, world):
        page.locator("main fieldset input[type=radio]").nth(index).check(force=True)
        settle(page)

    return reach


def answers_never(pattern: str):
    def before(page, world):
        page.route(re.compile(pattern), lambda route: None)

    return before


def answers(pattern: str, status: int):
    def before(page, world):
        page.route(re.compile(pattern), lambda route: route.fulfill(
            status=status, content_type="application/json",
            body='{"error":{"code":"internal","message":"Something went wrong here.","detail":null,"docs":"/docs/errors#internal"}}'))

    return before


def after(milliseconds: int):
    def reach(page, world):
        page.wait_for_timeout(milliseconds)

    return reach


def with_contacts(page, world):
    page.evaluate(SEED_CONTACTS, CONTACTS)
    page.reload()
    world.ready(page)
    settle(page)


def failing(page, world):
    page.get_by_role("alert").wait_for()


def offline(page, world):
    page.context.set_offline(True)
    page.locator(".notices .notice").first.wait_for()


def offline_with_two(page, world):
    page.locator("form.dock").wait_for()
    settle(page)
    offline(page, world)
    for text in ("The courier is at the gate", "Ring twice"):
        write(page, text)


def write(page, text: str):
    page.locator("form.dock textarea, form.dock input[type=text]").first.fill(text)
    page.locator("form.dock button:not([type=button])").last.click()
    page.locator("main .bubble").filter(has_text=text).first.wait_for()


def outbox_of_two(page, world):
    # The screen was opened once before, so that it is on the phone.
    page.locator("nav a[href='/texts']").click()
    page.locator("main a[href^='/texts/with/']").first.click()
    offline_with_two(page, world)
    page.locator("[role=status] a[href='/outbox']").click()
    page.locator("main li").first.wait_for()


def compose(number: str, text: str):
    def reach(page, world):
        if number:
            page.locator("main input[type=tel]").first.fill(number)
        page.locator("main textarea").fill(text)
        page.locator("main textarea").blur()
        page.wait_for_timeout(500)
        settle(page)

    return reach


def delete_asked(page, world):
    page.locator("input[autocomplete=current-password]").fill("a good long password")
    submit(page)
    page.get_by_role("dialog").wait_for()


def quoted_peer(number: str) -> str:
    return "/texts/with/" + number.replace("+", "%2B")


STATES = [
    State("01-sign-up", "/sign-up", "nobody"),
    State("01-sign-up.bad-number", "/sign-up", "nobody", bad_number),
    State("04-country", "/texts/new", "newcomer", country_sheet),
    State("04-country.found", "/texts/new", "newcomer", country_found),
    State("04-country.not-found", "/texts/new", "newcomer", country_not_found),
    State("01-sign-up-code", "/sign-up", "nobody", ask_code),
    State("01-sign-up-code.wrong", "/sign-up", "nobody", wrong_code, ((r"/check$", 422),)),
    State("01-sign-up-password", "/sign-up", "nobody", right_code),
    State("01-sign-up-password.weak", "/sign-up", "nobody", weak_password),
    State("01-sign-in", "/sign-in", "nobody"),
    State("01-sign-in.wrong", "/sign-in", "nobody", wrong_password, ((r"/sessions$", 401),)),
    State("02-texts", "/texts", reach=with_contacts),
    State("02-texts.unread", "/texts", reach=show(1)),
    State("02-texts.unsent", "/texts", reach=show(2)),
    State("02-texts.search", "/texts", reach=search("gate")),
    State("02-texts.search-nothing", "/texts", reach=search("zeppelin")),
    State("17-empty", "/texts", "newcomer"),
    State("17-loading", "/texts", "newcomer", after(700), before=answers_never(r"/api/v1/conversations\?")),
    State("17-loading.slow", "/texts", "newcomer", after(8600), before=answers_never(r"/api/v1/conversations\?")),
    State("17-error", "/texts", "newcomer", failing, ((r"/conversations$", 500),),
          before=answers(r"/api/v1/conversations\?", 500)),
    State("17-offline", "/texts", reach=offline, breaks=True),
    State("03-conversation", quoted_peer("+447700900123")),
    State("03-conversation.named", quoted_peer("+358401234567"), reach=with_contacts),
    State("03-conversation.zh-text", quoted_peer("+8613800138000"), reach=with_contacts),
    State("03-conversation.planned", quoted_peer("+254712123456")),
    State("03-conversation.offline", quoted_peer("+447700900123"), reach=offline_with_two, breaks=True),
    State("03-conversation.new", quoted_peer("+358405550100"), "newcomer"),
    State("03-conversation.error", quoted_peer("+447700900123"), "newcomer", failing, ((r"/messages$", 500),),
          before=answers(r"/api/v1/conversations/.*/messages", 500)),
    State("04-compose", "/texts/new", reach=compose("", "")),
    State("04-compose.unicode", "/texts/new", reach=compose(
        "+86 138 0013 8000",
        "Xue, the train leaves at 6:45 from platform 3. I will be at the door with your ticket. 早点睡!")),
    State("04-compose.bad-number", "/texts/new", reach=compose("+358 1", "Hello")),
    State("16-message", "/texts/message/{delivered}"),
    State("16-message.failed", "/texts/message/{failed}"),
    State("16-message.planned", "/texts/message/{planned}"),
    State("16-message.cancelled", "/texts/message/{cancelled}"),
    State("16-message.none", "/texts/message/msg_00000000000000000000000000000000",
          statuses=((r"/messages/msg_0+$", 404),)),
    State("contacts", "/contacts", "newcomer"),
    State("contacts.some", "/contacts", "newcomer", with_contacts),
    State("outbox", "/outbox", "newcomer"),
    State("outbox.two", "/outbox", reach=outbox_of_two, breaks=True),
    State("15-me", "/me"),
    State("15-me.sessions", "/me/sessions"),
    State("15-me.password", "/me/password"),
    State("15-me.data", "/me/data"),
    State("15-me.delete", "/me/data", reach=delete_asked),
    State("15-me.install", "/me/install"),
    State("16-carriers", "/operator/carriers", "operator"),
    State("16-operator-messages", "/operator/messages", "operator"),
    State("16-operator-message", "/operator/messages/{delivered}", "operator"),
    State("16-operator-message.none", "/operator/messages/msg_00000000000000000000000000000000", "operator",
          statuses=((r"/operator/messages/msg_0+$", 404),)),
    State("not-found", "/texts/no/such/page"),
]
