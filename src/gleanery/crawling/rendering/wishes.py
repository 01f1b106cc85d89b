"""What a page asks for while it is rendered, what it may have, and how both travel between the two processes."""

from __future__ import annotations

import base64
import json
import time
from collections import OrderedDict
from dataclasses import asdict, dataclass, field
from http import HTTPStatus
from typing import Any

from gleanery.net.exchange import Response

# Of all that a page loads, what can change its text. Frames, pictures, films and fonts are not loaded.
KINDS = frozenset({"script", "xhr", "fetch"})
# What a script may add to a request: cookies are never sent, and who asks is said by the client.
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
class Wish:
    url: str
    kind: str
    method: str
    headers: dict[str, str]

    @property
    def told_headers(self) -> dict[str, str]:
        return {
            name: value for name, value in self.headers.items() if name in PASSED_ON or name.startswith(OWN_HEADERS)
        }


@dataclass(frozen=True, slots=True)
class Gift:
    """An answer as the browser gets it."""

    status: int
    headers: dict[str, str]
    body: bytes

    @classmethod
    def of(cls, response: Response) -> Gift:
        headers = {name.lower(): value for name, value in response.headers.items() if name.lower() in GIVEN_BACK}
        return cls(response.status, headers, response.body)


@dataclass(slots=True)
class Allowance:
    """How much of it one page has used up."""

    requests: int = 0
    size: int = 0

    def grants(self, wish: Wish) -> bool:
        return wish.kind in KINDS and wish.method == "GET" and self.requests < MOST_REQUESTS and self.size < MOST_BYTES

    def take(self, gift: Gift | None) -> None:
        self.requests += 1
        self.size += len(gift.body) if gift else 0


@dataclass(slots=True)
class Scripts:
    """Scripts that one page got are not asked for again by the next, for an hour; the oldest go first."""

    _kept: OrderedDict[str, tuple[float, Gift]] = field(default_factory=OrderedDict)
    _size: int = 0

    def get(self, wish: Wish) -> Gift | None:
        since, gift = self._kept.get(wish.url, (0.0, None))
        return gift if wish.kind == "script" and gift and time.monotonic() - since < SCRIPTS_LAST else None

    def keep(self, wish: Wish, gift: Gift) -> None:
        if wish.kind != "script" or gift.status != HTTPStatus.OK:
            return
        self._forget(wish.url)
        self._kept[wish.url] = time.monotonic(), gift
        self._size += len(gift.body)
        while self._size > SCRIPTS_KEPT:
            self._forget(next(iter(self._kept)))

    def _forget(self, url: str) -> None:
        if url in self._kept:
            self._size -= len(self._kept.pop(url)[1].body)


def line(**values: Any) -> bytes:
    """JSON, since what a browser says may be hostile; the end of the line ends it."""
    return json.dumps(values, default=lambda each: base64.b64encode(each).decode()).encode() + b"\n"


def wish_of(told: dict[str, Any]) -> Wish:
    return Wish(**told)


def gift_line(gift: Gift | None) -> bytes:
    return line(gift=asdict(gift) if gift else None)


def gift_of(told: dict[str, Any] | None) -> Gift | None:
    return None if told is None else Gift(told["status"], told["headers"], base64.b64decode(told["body"]))
