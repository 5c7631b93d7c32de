"""Texts that want to harm whoever reads them."""

import pytest

from app import App
from page_checks import assert_none, axe_findings, cut_findings, sideways_findings

HOSTILE = {
    "markup": "<img src=x onerror=\"window.harmed=1\"><script>window.harmed=1</script><b>bold</b>&lt;",
    "direction": "Pay \u202e0001 \u202dEUR\u2066 to \u2067me\u200f\u061c, ok",
    "marks": "a" + "\u0301\u0316\u0489" * 3334,
    "long": "never-ending" * 2000,
    "nulls": "nothing\u0000 in\u0001 between\u001b[31m\u007f",
    "wide": "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466" * 200 + "\ufdfd" * 300,
    "address": "javascript:alert(1) data:text/html,<script>1</script> https://example.org/",
    "lone": "half a pair, and \ufeff\u2028\u2029 separators",
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_text_is_shown_harmlessly(browsing, exchange, kind):
    person, phone = exchange.person(), exchange.fresh_phone()
    person.wait_for_state(person.text(phone, "Who are you?"), "delivered")
    number = exchange.sandbox.received(phone)[-1]["from"]
    assert exchange.push(phone, number, HOSTILE[kind]).status == 200
    exchange.sandbox.answer(phone, number, "And a kind word after it")
    app = App(browsing.page("small", person=person))

    app.open("/texts")
    app.row("kind word").wait_for()
    app.open_conversation(phone)
    app.bubble("And a kind word after it").wait_for()
    page = app.page
    assert page.evaluate("window.harmed") is None
    assert page.locator("main img, main script, main b, main iframe").count() == 0
    assert_none(sideways_findings(page), axe_findings(page))
    # Marks and lines of one text do not paint over its neighbours: each text keeps to its own box.
    assert page.evaluate(KEPT_INSIDE) == []
    app.write("Still usable")
    app.sees_bubble("Still usable", "Delivered")
    browsing.picture(page, f"03-conversation.hostile-{kind}.320")


def test_a_text_of_a_million_characters_is_refused_at_the_door(exchange):
    person, phone = exchange.person(), exchange.fresh_phone()
    assert exchange.push(phone, "+358457000002", "m" * 1_000_000).status == 413
    assert person.call("POST", "/messages", {"to": phone, "text": "m" * 1_000_000}).status in (413, 422)
    assert person.call("GET", "/conversations").json["items"] == []


# Whoever looks at a neighbour's place finds the neighbour, and what is painted stays in its box.
KEPT_INSIDE = """
() => [...document.querySelectorAll("main .bubble")].filter(bubble => {
  const style = getComputedStyle(bubble);
  const box = bubble.getBoundingClientRect();
  const isContained = ["hidden", "clip"].includes(style.overflowY) || style.contain.includes("paint")
    || ["content", "strict"].includes(style.contain);
  return !(isContained && box.width <= document.documentElement.clientWidth
    && (style.unicodeBidi.includes("isolate") || style.unicodeBidi === "plaintext" || bubble.dir === "auto"));
}).map(bubble => `${getComputedStyle(bubble).contain} ${getComputedStyle(bubble).unicodeBidi} ${bubble.dir}`)
"""
