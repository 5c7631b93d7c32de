"""The exchange with a sandbox, its people, and the world outside as a test sees it."""

import itertools
import json
import socket
import urllib.parse
from pathlib import Path

from program import Program, binary, run, wait_until
from web import quoted, send


class Sandbox:
    """Carriers and phones that are not real, by their interface."""

    def __init__(self, address: str):
        self.address = address

    def get(self, path: str):
        return send("GET", f"{self.address}/sandbox{path}").json

    def put(self, path: str, body):
        answer = send("PUT", f"{self.address}/sandbox{path}", body)
        assert answer.status < 300, answer.body
        return answer

    def received(self, phone: str) -> list[dict]:
        """What a phone got, the oldest first."""
        return self.get(f"/phones/{quoted(phone)}/messages")

    def received_texts(self, phone: str) -> list[str]:
        return [message["text"] for message in self.received(phone)]

    def wait_for_text(self, phone: str, contains: str, within: float = 20.0) -> dict:
        def found():
            return next((message for message in self.received(phone) if contains in message["text"]), None)

        return wait_until(found, f"{phone} got no text with '{contains}'", within)

    def answer(self, phone: str, to: str, text: str):
        """The phone writes to one of our numbers."""
        answer = send("POST", f"{self.address}/sandbox/phones/{quoted(phone)}/messages", {"to": to, "text": text})
        assert answer.status < 300, answer.body

    def phone(self, phone: str, **behaviour):
        """What a phone does by itself: `receipt`, `answers`, `answerDelayMs`."""
        self.put(f"/phones/{quoted(phone)}", behaviour)

    def faults(self, carrier: str, **faults):
        """All the faults of a carrier; none when nothing is said."""
        self.put(f"/carriers/{carrier}/faults", faults)

    def advance(self, milliseconds: int):
        self.put("/clock", {"advanceMs": milliseconds})

    def ledger(self) -> list[dict]:
        """What all carriers accepted, in the order of each."""
        lines = []
        for carrier in ("fast", "global"):
            body = send("GET", f"{self.address}/sandbox/carriers/{carrier}/ledger").body.decode()
            lines += [json.loads(line) for line in body.splitlines()]
        return lines


class Person:
    """An account. Its password is known here, so that a browser can sign in with it."""

    def __init__(self, exchange: "Exchange", phone: str, password: str, identifier: str | None = None):
        self.exchange = exchange
        self.phone = phone
        self.password = password
        self.identifier = identifier
        self._key = None
        self._session = None

    @property
    def key(self) -> str:
        """An API key of the account, made when first wanted."""
        if self._key is None:
            printed = run(
                ["key", "create", "--account", self.identifier, "--scopes", "*", "--json",
                 "--data", str(self.exchange.data)])
            self._key = json.loads(printed)["key"]
        return self._key

    def call(self, method: str, path: str, body=None, **headers):
        return send(
            method, f"{self.exchange.address}/api/v1{path}", body, {"Authorization": f"Bearer {self.key}"} | headers)

    def text(self, to: str, text: str, **more) -> str:
        """Sends a text through the interface, and gives its id."""
        answer = self.call("POST", "/messages", {"to": to, "text": text} | more)
        assert answer.status == 202, answer.body
        return answer.json["id"]

    def message(self, identifier: str) -> dict:
        return self.call("GET", f"/messages/{identifier}").json

    def wait_for_state(self, identifier: str, *states: str, within: float = 20.0) -> dict:
        def found():
            message = self.message(identifier)
            return message if message["state"] in states else None

        return wait_until(found, f"the message is not {' or '.join(states)}", within)

    def session(self) -> str:
        """The value of a session's cookie, as signing in gives it."""
        answer = send(
            "POST", f"{self.exchange.address}/api/v1/sessions", {"phone": self.phone, "password": self.password},
            {"Origin": self.exchange.address})
        assert answer.status == 201, answer.body
        return answer.headers["Set-Cookie"].split(";")[0].partition("=")[2]

    def known_session(self) -> str:
        """One session for all that do not end it: a password takes its time to check."""
        self._session = self._session or self.session()
        return self._session


class Exchange:
    """`switchboard serve` with a data folder of its own. Its sandbox runs inside, or stands at `sandbox_at`."""

    _numbers = itertools.count(1)

    def __init__(self, folder: Path, words: list[str] | None = None, sandbox_at: str | None = None, port: int = 0):
        self.folder = folder
        self.data = folder / "data"
        self.words = words or []
        self.sandbox_at = sandbox_at
        self.port = port
        self.start()

    def push(self, phone: str, to: str, text: str):
        """A carrier brings a text as it is, however long: what no phone could send."""
        carrier = json.loads(run(["carrier", "show", "global", "--json", "--data", str(self.data)]))
        form = urllib.parse.urlencode({"to": to.lstrip("+"), "from": phone.lstrip("+"), "msg": text, "date": ""})
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        return send("POST", self.address + carrier["callback"], form.encode(), headers)

    def start(self):
        """Starts it, at the same port as before when it ran already."""
        sandbox = ["--sandbox-at", self.sandbox_at] if self.sandbox_at else ["--sandbox", "--sandbox-listen", "127.0.0.1:0"]
        self.program = Program(
            [binary(), "serve", "--data", str(self.data), "--listen", f"127.0.0.1:{self.port}", *sandbox,
             # Everybody here signs up from one address.
             "--sign-ups-per-address", "100000", "--sign-up-daily-codes", "100000", *self.words],
            self.folder / f"server-{next(self._numbers)}.txt")
        runs = self.program.wait_until_printed(r"Switchboard runs at (\S+), its sandbox at (\S+)\.")
        self.address = runs.group(1)
        self.port = int(self.address.rpartition(":")[2])
        self.sandbox = Sandbox(runs.group(2))
        demo = self.program.wait_until_printed(r"demo account is (\+\d+) with the password (\S+) ")
        self.operator = Person(self, demo.group(1), demo.group(2))
        self.operator._key = self.program.wait_until_printed(r"Bearer (sb_[\w-]+)'").group(1)

    def person(self, name: str = "Mikko Korhonen", role: str = "user") -> Person:
        """A new account of a number that nobody else has."""
        phone = f"+35840222{next(self._numbers):04d}"
        password = "a good long password"
        printed = run(
            ["account", "create", "--phone", phone, "--name", name, "--role", role, "--region", "FI",
             "--password-stdin", "--json", "--data", str(self.data)], typed=password + "\n")
        return Person(self, phone, password, json.loads(printed)["id"])

    def fresh_phone(self) -> str:
        """A number in use in Finland that no test has used."""
        return f"+35841333{next(self._numbers):04d}"

    def kill(self):
        self.program.kill()

    def end(self):
        self.program.end()


class SandboxProcess:
    """`switchboard sandbox`: the outside world in a process of its own, which outlives an exchange that is killed."""

    def __init__(self, folder: Path):
        self.program = Program(
            [binary(), "sandbox", "--listen", "127.0.0.1:0", "--data", str(folder / "world")], folder / "sandbox.txt")
        self.address = self.program.wait_until_printed(r"The sandbox runs at (http:\S+)\.\n").group(1)

    def end(self):
        self.program.end()


def free_port() -> int:
    """A port that was free a moment ago."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]
