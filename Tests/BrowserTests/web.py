"""Requests to the exchange and to the sandbox, beside the browser."""

import json
import urllib.error
import urllib.parse
import urllib.request


class Answer:
    def __init__(self, status: int, headers, body: bytes):
        self.status = status
        self.headers = headers
        self.body = body

    @property
    def json(self):
        return json.loads(self.body)


def send(method: str, url: str, body=None, headers: dict[str, str] | None = None) -> Answer:
    """One request; a body of bytes goes as it is. What is no error of the network is an answer, whatever its status."""
    data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    request = urllib.request.Request(url, data=data, method=method, headers=headers or {})
    if data is not None and not isinstance(body, bytes):
        request.add_header("Content-Type", "application/json")
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=30) as response:
            return Answer(response.status, response.headers, response.read())
    except urllib.error.HTTPError as error:
        return Answer(error.code, error.headers, error.read())


def quoted(text: str) -> str:
    return urllib.parse.quote(text, safe="")
