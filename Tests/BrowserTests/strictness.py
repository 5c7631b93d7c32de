"""What no page may do, whatever the test is about."""

import re
from urllib.parse import urlsplit

# Says what the browser tells only the page itself.
LISTENER = """
addEventListener("securitypolicyviolation", event =>
  console.error(`policy violation: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`))
addEventListener("unhandledrejection", event => console.error(`unhandled rejection: ${event.reason}`))
"""

# The browser's own line about an answer of 400 and more; the answer itself is judged instead.
FAILED_TO_LOAD = re.compile(r"^Failed to load resource")


class Strictness:
    """Collects errors of the console and of pages, violations of the policy, requests to other hosts, and requests
    that failed. A test says beforehand what it makes fail."""

    def __init__(self, hosts: set[str]):
        self.hosts = hosts
        self.findings: list[str] = []
        self._statuses: list[tuple[re.Pattern, int]] = []
        self._breaks = False

    def expects(self, path: str, status: int):
        """The test makes requests to `path` (a regular expression) fail with `status`."""
        self._statuses.append((re.compile(path), status))

    def expects_breaks(self, expected: bool = True):
        """The test takes the network or the server away, so that requests may fail."""
        self._breaks = expected

    def watch(self, context):
        context.add_init_script(LISTENER)
        context.on("console", self._console)
        context.on("weberror", lambda error: self._add(f"page error: {error.error}"))
        context.on("request", self._request)
        context.on("requestfailed", self._failed)
        context.on("response", self._response)

    def _add(self, finding: str):
        self.findings.append(finding)

    def _console(self, message):
        if message.type == "error" and not FAILED_TO_LOAD.match(message.text):
            if self._breaks and "net::ERR_" in message.text:
                return
            self._add(f"console: {message.text}")

    def _request(self, request):
        url = urlsplit(request.url)
        if url.scheme in ("http", "https", "ws", "wss") and url.netloc not in self.hosts:
            self._add(f"a request to another host: {request.url}")

    def _failed(self, request):
        # A page that goes away closes its event stream and drops what it was reading.
        if self._breaks or request.failure == "net::ERR_ABORTED":
            return
        self._add(f"{request.method} {request.url} failed: {request.failure}")

    def _response(self, response):
        if response.status < 400:
            return
        path = urlsplit(response.url).path
        if any(pattern.search(path) and status == response.status for pattern, status in self._statuses):
            return
        if self._breaks and response.status in (502, 503, 504):
            return
        self._add(f"{response.request.method} {path} was answered with {response.status}")

    def verify(self):
        findings, self.findings = self.findings, []
        assert not findings, "the page did what it may not:\n" + "\n".join(dict.fromkeys(findings))
