"""Firefox by WebDriver BiDi (https://w3c.github.io/webdriver-bidi/), which it speaks by itself: no driver is needed."""

import base64
import itertools
import json
import shutil
from pathlib import Path

from websockets.sync.client import connect

from exchange import free_port
from program import Program
from strictness import LISTENER

# Nothing of its own may go out or come in between.
PREFERENCES = {
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "datareporting.policy.dataSubmissionEnabled": False,
    "dom.serviceWorkers.enabled": True,
    "extensions.update.enabled": False,
    "intl.accept_languages": "en-GB, en",
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "remote.active-protocols": 1,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
}


class Firefox:
    """One tab of one Firefox with a profile of its own."""

    name = "firefox"

    def __init__(self, folder: Path):
        path = shutil.which("firefox-esr")
        assert path, "firefox-esr is not installed: Scripts/setup tests"
        profile = folder / "profile"
        profile.mkdir(parents=True)
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items()]
        (profile / "user.js").write_text("\n".join(lines))
        port = free_port()
        self.program = Program(
            [path, "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", str(port)],
            folder / "firefox.txt", {"HOME": str(folder), "MOZ_HEADLESS": "1"})
        self.program.wait_until_printed(r"WebDriver BiDi listening on")
        self._ids = itertools.count(1)
        self._events: list[dict] = []
        self._socket = connect(f"ws://127.0.0.1:{port}/session", max_size=None, open_timeout=20)
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["log.entryAdded"])
        self.ask("script.addPreloadScript", functionDeclaration="() => {" + LISTENER + "}")
        self._tab = self.ask("browsingContext.getTree")["contexts"][0]["context"]
        self.ask("browsingContext.setViewport", context=self._tab, viewport={"width": 390, "height": 844},
                 devicePixelRatio=3)

    def ask(self, method: str, **parameters) -> dict:
        """One command and its result. Events that come meanwhile are kept."""
        number = next(self._ids)
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._socket.recv(timeout=30))
            if message.get("id") == number:
                assert message["type"] == "success", f"{method}: {message.get('message')}"
                return message["result"]
            self._events.append(message)

    def open(self, url: str):
        self.ask("browsingContext.navigate", context=self._tab, url=url, wait="complete")

    def run(self, script: str):
        """The value of an expression in the page, by way of JSON."""
        result = self.ask(
            "script.evaluate", expression=f"Promise.resolve({script}).then(value => JSON.stringify(value ?? null))",
            target={"context": self._tab}, awaitPromise=True, userActivation=True)
        assert result["type"] == "success", result.get("exceptionDetails", {}).get("text")
        return json.loads(result["result"]["value"])

    def has(self, role: str, name: str) -> bool:
        return bool(self._nodes(role, name))

    def click(self, role: str, name: str):
        self._act(role, name, lambda node: [{
            "type": "pointer", "id": "mouse", "actions": [
                {"type": "pointerMove", "x": 0, "y": 0, "origin": {"type": "element", "element": node}},
                {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]}])

    def type(self, name: str, text: str, role: str = "textbox"):
        self.click(role, name)
        keys = [{"type": kind, "value": letter} for letter in text for kind in ("keyDown", "keyUp")]
        self.ask("input.performActions", context=self._tab, actions=[{"type": "key", "id": "keys", "actions": keys}])

    def _nodes(self, role: str, name: str) -> list[dict]:
        def located(value: dict) -> list[dict]:
            return self.ask("browsingContext.locateNodes", context=self._tab, locator={
                "type": "accessibility", "value": value})["nodes"]

        nodes = located({"role": role, "name": name})
        if not nodes and role == "textbox":
            # A field for a password has no role in ARIA.
            nodes = [node for node in located({"name": name}) if node["value"]["localName"] == "input"]
        return nodes

    def _act(self, role: str, name: str, actions):
        nodes = self._nodes(role, name)
        assert nodes, f"there is no {role} '{name}'"
        node = {"sharedId": nodes[0]["sharedId"]}
        self.ask("script.callFunction", functionDeclaration="node => node.scrollIntoView({block: 'center'})",
                 arguments=[node], target={"context": self._tab}, awaitPromise=False)
        self.ask("input.performActions", context=self._tab, actions=actions(node))

    def picture(self, path: Path):
        path.write_bytes(base64.b64decode(self.ask("browsingContext.captureScreenshot", context=self._tab)["data"]))

    def errors(self) -> list[str]:
        """Errors of the console and of scripts, and violations of the policy, since the last time."""
        self.ask("session.status")
        found = [
            event["params"]["text"] for event in self._events
            if event.get("method") == "log.entryAdded" and event["params"]["level"] == "error"]
        self._events.clear()
        return found

    def end(self):
        self._socket.close()
        self.program.end()
