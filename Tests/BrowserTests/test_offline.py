"""Everything written without a network goes out once, in order, whatever happens meanwhile."""

from urllib.parse import urlsplit

import pytest

from app import App
from browsing import Browsing
from exchange import Exchange, SandboxProcess, free_port
from program import wait_until

PEOPLE = [f"+35850111000{number}" for number in range(5)]
TEXTS = [(PEOPLE[number % 5], f"Text {number + 1:02d} of 20") for number in range(20)]


@pytest.fixture
def outside(tmp_path):
    """The world in a process of its own: it outlives an exchange that is killed."""
    running = SandboxProcess(tmp_path)
    yield running
    running.end()


@pytest.fixture
def lonely(tmp_path, outside):
    """An exchange at a port that it has again after a restart."""
    running = Exchange(tmp_path, sandbox_at=outside.address, port=free_port())
    yield running
    running.end()


@pytest.fixture
def browsing(chromium, lonely, pictures):
    opened = Browsing(chromium, lonely.address, pictures)
    yield opened
    opened.close()


def test_twenty_texts_written_offline_are_sent_once_and_in_order(browsing, lonely):
    person = lonely.person()
    page = browsing.page(person=person)
    context = page.context
    app = App(page)
    app.open("/texts")
    app.wait_until_kept()

    browsing.strictness.expects_breaks()
    context.set_offline(True)
    for number, text in TEXTS[:12]:
        app.write_to(number, text)
    app.reload()
    for number, text in TEXTS[12:]:
        app.write_to(number, text)
    app.open("/outbox")
    app.sees_waiting(20)
    browsing.picture(page, "outbox.20")
    second = App(context.new_page())
    second.open("/texts")
    second.sees_waiting(20)

    # Carriers that take nothing: what an attempt that dies with the server means to a carrier is a story of its own
    # (Docs/DeliveryLife.md), and here it is about what the phone hands over.
    for carrier in ("fast", "global"):
        lonely.sandbox.faults(carrier, down=True)
    taken = []

    def killed_in_the_middle(request):
        if request.method == "POST" and urlsplit(request.url).path == "/api/v1/messages":
            taken.append(request)
            if len(taken) == 8:
                lonely.kill()

    context.on("request", killed_in_the_middle)
    context.set_offline(False)
    wait_until(lambda: page.wait_for_timeout(20) or lonely.program.process.poll() is not None,
               "the server was not killed in the middle", 30)
    assert app.waiting() > 0, "the server was killed too late: everything had gone"
    context.remove_listener("request", killed_in_the_middle)
    for carrier in ("fast", "global"):
        lonely.sandbox.faults(carrier)
    lonely.start()

    def all_gone():
        page.wait_for_timeout(100)
        return app.waiting() == 0 and len(lonely.sandbox.ledger()) >= 20

    wait_until(all_gone, "not everything was sent", 60)
    wait_until(lambda: page.wait_for_timeout(100) or second.waiting() == 0, "the second tab does not know", 5)
    identifiers = [message["id"] for message in person.call("GET", "/messages?limit=100").json["items"]]
    for identifier in identifiers:
        person.wait_for_state(identifier, "delivered", within=30)
    assert len(identifiers) == 20
    ledger = lonely.sandbox.ledger()
    assert len(ledger) == 20
    for number in PEOPLE:
        wanted = [text for to, text in TEXTS if to == number]
        assert [entry["text"] for entry in person_ledger(ledger, number)] == wanted
        assert lonely.sandbox.received_texts(number) == wanted


def person_ledger(ledger: list[dict], number: str) -> list[dict]:
    return sorted((entry for entry in ledger if entry["to"].lstrip("+") == number.lstrip("+")), key=lambda entry: entry["at"])


def test_what_waits_can_be_changed_and_dropped(browsing, lonely):
    person = lonely.person()
    page = browsing.page(person=person)
    app = App(page)
    app.open("/texts")
    app.wait_until_kept()
    browsing.strictness.expects_breaks()
    page.context.set_offline(True)
    for text in ("First", "Second", "Third"):
        app.write_to(PEOPLE[0], text)
    app.open("/outbox")
    app.sees_waiting(3)
    app.change_waiting("Second", "Second, changed")
    app.drop_waiting("Third")
    app.sees_waiting(2)
    page.context.set_offline(False)
    lonely.sandbox.wait_for_text(PEOPLE[0], "Second, changed")
    assert lonely.sandbox.received_texts(PEOPLE[0])[-2:] == ["First", "Second, changed"]


def test_the_app_opens_without_a_network_and_says_so(browsing, lonely):
    person = lonely.person()
    page = browsing.page(person=person)
    app = App(page)
    app.open("/texts")
    app.wait_until_kept()
    browsing.strictness.expects_breaks()
    page.context.set_offline(True)
    app.reload()
    app.sees_heading("Texts")
    page.get_by_role("status").get_by_text("Offline").first.wait_for()
    page.context.set_offline(False)
    page.get_by_text("Offline").first.wait_for(state="hidden")
