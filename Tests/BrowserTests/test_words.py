"""Every word that a person reads comes from the catalogues: in a language made for this test, all of them are marked."""

import pytest

from app import App
from browsing import settle

# Names, figures, and what the browser itself knows the words for: days, countries, languages.
PLAIN = r"^(Switchboard( [\d.]+)?|Mikko Korhonen|Finland|Today|English|Suomi|简体中文|\p{Lu}{1,2}|v?\d[\w.-]*)$"

UNMARKED = """
(plain) => {
  const expression = new RegExp(plain, "u");
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    const text = node.data.trim();
    if (!/\\p{L}/u.test(text) || parent.closest("script, style, noscript, option[lang], [aria-hidden=true]")) continue;
    if (text.includes("[") || text.includes("]") || expression.test(text)) continue;
    found.push(text);
  }
  for (const element of document.querySelectorAll("[aria-label], [placeholder]")) {
    for (const name of ["aria-label", "placeholder"]) {
      const text = element.getAttribute(name);
      if (text && /\\p{L}/u.test(text) && !text.includes("[")) found.push(`${name}: ${text}`);
    }
  }
  return [...new Set(found)];
}
"""


@pytest.mark.parametrize("path", ["/sign-up", "/sign-in"])
def test_every_word_for_a_visitor_is_from_the_catalogue(browsing, exchange, path):
    assert unmarked(browsing.page(), exchange, path) == []


@pytest.mark.parametrize("path", [
    "/texts", "/texts/new", "/texts/with/%2B358405550100", "/contacts", "/me", "/me/password", "/me/sessions", "/me/data",
    "/me/install", "/outbox"])
def test_every_word_for_a_person_is_from_the_catalogue(browsing, exchange, path):
    assert unmarked(browsing.page(person=exchange.person()), exchange, path) == []


def unmarked(page, exchange, path: str) -> list[str]:
    page.context.add_cookies([{"name": "switchboard_language", "value": "pseudo", "url": exchange.address}])
    app = App(page)
    app.open(path)
    page.locator("h1").filter(has_text="[").or_(page.locator("h1", has_text="Switchboard")).or_(
        page.locator("h1", has_text="+358")).first.wait_for()
    settle(page)
    return page.evaluate(UNMARKED, PLAIN)
