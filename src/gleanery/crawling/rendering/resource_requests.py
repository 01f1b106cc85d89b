"""Resource requests of a page being rendered: which are allowed, and the messages between the two processes."""

from __future__ import annotations

import base64
import json
import time
from collections import OrderedDict
from dataclasses import asdict, dataclass, field
from http import HTTPStatus
from typing import Any

from gleanery.net.exchange import Response

# Resource types that can change the page's text. Frames, images, videos and fonts are not loaded.
KINDS = frozenset({"script", "xhr", "fetch"})
# Headers a script may set; cookies are never sent, and the client sets the user agent.
PASSED_ON = frozenset({"accept", "authorization", "content-type", "origin"})
OWN_HEADERS = "x-"
GIVEN_BACK = frozenset({"content-type", "access-control-allow-origin", "access-control-allow-credentials"})

MOST_REQUESTS = 30
MOST_BYTES = 12 << 20
LARGEST = 4 << 20
LONGEST_MESSAGE = 2 * MOST_BYTES

SCRIPTS_KEPT = 24 << 20  # bytes
SCRIPTS_LAST = 3600.0  # seconds


@dataclass(frozen=True, slots=True)
class ResourceRequest:
    """A request of the browser."""

    url: str
    kind: str
    method: str
    headers: dict[str, str]

    @property
    def allowed_headers(self) -> dict[str, str]:
        return {
            name: value for name, value in self.headers.items() if name in PASSED_ON or name.startswith(OWN_HEADERS)
        }


@dataclass(frozen=True, slots=True)
class ResourceResponse:
    """A response as the browser gets it."""

    status: int
    headers: dict[str, str]
    body: bytes

    @classmethod
    def of(cls, response: Response) -> ResourceResponse:
        headers = {name.lower(): value for name, value in response.headers.items() if name.lower() in GIVEN_BACK}
        return cls(response.status, headers, response.body)


@dataclass(slots=True)
class Allowance:
    """Requests and bytes that one page has used, with their limits."""

    requests: int = 0
    size: int = 0

    def grants(self, request: ResourceRequest) -> bool:
        return (
            request.kind in KINDS
            and request.method == "GET"
            and self.requests < MOST_REQUESTS
            and self.size < MOST_BYTES
        )

    def take(self, response: ResourceResponse | None) -> None:
        self.requests += 1
        self.size += len(response.body) if response else 0


@dataclass(slots=True)
class Scripts:
    """Cache of scripts for later pages: kept for an hour, oldest dropped first."""

    _kept: OrderedDict[str, tuple[float, ResourceResponse]] = field(default_factory=OrderedDict)
    _size: int = 0

    def get(self, request: ResourceRequest) -> ResourceResponse | None:
        since, response = self._kept.get(request.url, (0.0, None))
        return response if request.kind == "script" and response and time.monotonic() - since < SCRIPTS_LAST else None

    def keep(self, request: ResourceRequest, response: ResourceResponse) -> None:
        if request.kind != "script" or response.status != HTTPStatus.OK:
            return
        self._forget(request.url)
        self._kept[request.url] = time.monotonic(), response
        self._size += len(response.body)
        while self._size > SCRIPTS_KEPT:
            self._forget(next(iter(self._kept)))

    def _forget(self, url: str) -> None:
        if url in self._kept:
            self._size -= len(self._kept.pop(url)[1].body)


def line(**values: Any) -> bytes:
    """Return a message as one line of JSON, since what a browser sends may be hostile."""
    return json.dumps(values, default=lambda each: base64.b64encode(each).decode()).encode() + b"\n"


def request_of(message: dict[str, Any]) -> ResourceRequest:
    return ResourceRequest(**message)


def response_line(response: ResourceResponse | None) -> bytes:
    return line(response=asdict(response) if response else None)


def response_of(message: dict[str, Any] | None) -> ResourceResponse | None:
    return (
        None
        if message is None
        else ResourceResponse(message["status"], message["headers"], base64.b64decode(message["body"]))
    )
