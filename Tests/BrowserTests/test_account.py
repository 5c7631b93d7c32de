"""An account from its first minute to its last."""

import json
import re

import pytest
from playwright.sync_api import expect

from app import App
from program import wait_until

PASSWORD = "seven blue herons"


def code_of(exchange, phone: str, count: int = 1) -> str:
    """The newest code that the phone got, once it has `count` texts."""
    texts = wait_until(lambda: (got := exchange.sandbox.received_texts(phone)) and len(got) >= count and got,
                       "no code came")
    return re.search(r"\b(\d{6})\b", texts[-1]).group(1)


def test_a_person_signs_up_with_the_code_that_the_phone_got(browsing, exchange):
    phone = exchange.fresh_phone()
    app = App(browsing.page())
    app.ask_code("0" + phone.removeprefix("+358"))
    app.enter_code(code_of(exchange, phone))
    app.choose_password(PASSWORD)
    app.wait_for_path("/texts")
    app.sees_heading("Texts")
    app.page.get_by_text("Your account is ready.").wait_for()


def test_a_wrong_code_says_how_many_tries_are_left(browsing, exchange):
    phone = exchange.fresh_phone()
    browsing.strictness.expects(r"/sign-ups/[^/]+/check$", 422)
    app = App(browsing.page())
    app.ask_code(phone)
    right = code_of(exchange, phone)
    app.enter_code("111111" if right != "111111" else "222222")
    app.page.get_by_text(re.compile("That is not the code. You have")).first.wait_for()
    expect(app.page.get_by_label("Six-digit code")).to_be_focused()
    app.enter_code(right)
    app.sees_heading("Choose a password")


def test_a_known_number_signs_up_again_and_gets_a_new_password(browsing, exchange, person):
    """The way back for whoever has forgotten the password; other devices are signed out."""
    other = browsing.page(person=person)
    App(other).open("/texts")
    before = len(exchange.sandbox.received(person.phone))
    app = App(browsing.page())
    app.ask_code(person.phone)
    app.enter_code(code_of(exchange, person.phone, before + 1))
    app.choose_password(PASSWORD)
    app.wait_for_path("/texts")
    app.page.get_by_text("Welcome back.").first.wait_for()
    browsing.strictness.expects(r"/api/v1/", 401)
    other.reload()
    App(other).wait_for_path("/sign-up")


def test_a_wrong_password_is_refused_in_the_same_words_for_known_and_unknown_numbers(browsing, exchange, person):
    browsing.strictness.expects(r"/sessions$", 401)
    said = []
    for phone in (person.phone, exchange.fresh_phone()):
        app = App(browsing.page())
        app.open("/sign-in")
        app.page.get_by_label("Phone number").fill(phone)
        app.page.get_by_label("Password", exact=True).fill("not this one at all")
        app.page.get_by_role("button", name="Sign in").click()
        note = app.page.locator("#password-note")
        note.wait_for()
        said.append(note.inner_text())
    assert said[0] == said[1]


def test_signing_out_leaves_nothing(browsing, person, exchange):
    page = browsing.page(service_workers="allow")
    app = App(page)
    app.sign_in(person)
    app.wait_until_kept()
    app.write_to(exchange.fresh_phone(), "A secret between us")
    app.sees_bubble("A secret between us", "Delivered")
    page.get_by_role("textbox", name="Message").fill("A draft that stays behind?")
    app.sign_out()
    left = page.evaluate("""async () => {
      const stores = {};
      for (const { name } of await indexedDB.databases()) {
        const database = await new Promise(done => {
          const opening = indexedDB.open(name);
          opening.onsuccess = () => done(opening.result);
        });
        for (const store of database.objectStoreNames) {
          stores[store] = await new Promise(done => {
            const all = database.transaction(store).objectStore(store).getAll();
            all.onsuccess = () => done(JSON.stringify(all.result));
          });
        }
        database.close();
      }
      const kept = [];
      for (const name of await caches.keys()) {
        for (const request of await (await caches.open(name)).keys()) kept.push(new URL(request.url).pathname);
      }
      return { stores, kept, local: { ...localStorage }, session: { ...sessionStorage }, cookie: document.cookie };
    }""")
    everything = json.dumps(left)
    for trace in ("secret", "draft that", person.phone, person.identifier, "Korhonen"):
        assert trace not in everything, f"'{trace}' is left: {everything[:2000]}"
    assert not [path for path in left["kept"] if path.startswith("/api/")]
    assert [cookie["name"] for cookie in page.context.cookies()
            if cookie["name"] not in ("switchboard_language",)] == []
    page.go_back()
    page.wait_for_timeout(500)
    assert "secret" not in page.content()


def test_one_is_signed_out_in_every_tab(browsing, person):
    context = browsing.context()
    browsing.sign_in(context, person)
    one, other = App(context.new_page()), App(context.new_page())
    one.open("/texts")
    other.open("/me")
    one.sign_out()
    other.wait_for_path("/sign-in")


def test_a_session_elsewhere_can_be_ended(browsing, person):
    elsewhere = browsing.page(person=person)
    App(elsewhere).open("/texts")
    app = App(browsing.page(person=person))
    app.open("/me/sessions")
    expect(app.page.get_by_text("This one")).to_have_count(1)
    ends = app.page.get_by_role("button", name=re.compile("^End"))
    ends.first.click()
    app.page.get_by_role("status").get_by_text("Signed out there.").wait_for()
    browsing.strictness.expects(r"/api/v1/", 401)
    elsewhere.reload()
    App(elsewhere).wait_for_path("/sign-up")


def test_the_password_can_be_changed(browsing, person):
    browsing.strictness.expects(r"/account/password$", 422)
    app = App(browsing.page(person=person))
    app.open("/me/password")
    page = app.page
    page.get_by_label("Present password").fill("not this one at all")
    page.get_by_label("New password").fill(PASSWORD)
    page.get_by_role("button", name="Change the password").click()
    page.get_by_text("That password is not right.").first.wait_for()
    page.get_by_label("Present password").fill(person.password)
    page.get_by_role("button", name="Change the password").click()
    app.wait_for_path("/me")
    person.password = PASSWORD
    person.session()


@pytest.mark.parametrize("language, title", [("fi", "Viestit"), ("zh-Hans", "短信")])
def test_the_language_changes_at_once_and_stays(browsing, person, language, title):
    app = App(browsing.page(person=person))
    app.open("/me")
    app.page.get_by_label("Language").select_option(language)
    app.page.get_by_role("navigation").get_by_role("link", name=title).wait_for()
    assert app.page.evaluate("document.documentElement.lang") == language
    app.page.goto("/texts")
    app.sees_heading(title)
    assert person.call("GET", "/account").json["locale"] == language


@pytest.mark.parametrize("choice, ground", [("Dark", "rgb(13, 16, 20)"), ("Light", "rgb(243, 245, 248)")])
def test_the_appearance_can_be_chosen(browsing, person, choice, ground):
    app = App(browsing.page(person=person, scheme="light" if choice == "Dark" else "dark"))
    app.open("/me")
    app.page.get_by_role("radio", name=choice).check(force=True)
    expect(app.page.locator("body")).to_have_css("background-color", ground)
    app.reload()
    expect(app.page.locator("body")).to_have_css("background-color", ground)


def test_everything_one_has_can_be_exported(browsing, person, exchange):
    person.wait_for_state(person.text(exchange.fresh_phone(), "To be taken along"), "delivered")
    app = App(browsing.page(person=person))
    app.open("/me/data")
    with app.page.expect_download() as download:
        app.page.get_by_role("link", name="Export everything").click()
    exported = json.loads(download.value.path().read_text())
    assert "To be taken along" in json.dumps(exported, ensure_ascii=False)
    assert exported["account"]["phone"] == person.phone


def test_an_account_is_deleted_and_comes_back_within_seven_days(browsing, person):
    app = App(browsing.page(person=person))
    page = app.page
    app.open("/me/data")
    page.get_by_label("Password", exact=True).fill(person.password)
    page.get_by_role("button", name="Delete the account").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete the account").click()
    page.get_by_role("link", name="Sign in again").wait_for()
    browsing.picture(page, "15-me.deleted")
    app.sign_in(person)
    page.get_by_text("The deletion is undone.").wait_for()


def test_the_guide_to_the_home_screen_can_be_opened(browsing, person):
    app = App(browsing.page(person=person))
    app.open("/me/install")
    app.sees_heading(re.compile("home screen", re.I))


def test_a_visitor_of_an_inner_page_is_led_to_the_door(browsing, person):
    app = App(browsing.page())
    app.page.goto("/me/sessions")
    app.wait_for_path("/sign-up")
    app.page.get_by_role("link", name="I have an account").click()
    app.page.get_by_label("Phone number").fill(person.phone)
    app.page.get_by_label("Password", exact=True).fill(person.password)
    app.page.get_by_role("button", name="Sign in").click()
    app.page.get_by_role("navigation").wait_for()
