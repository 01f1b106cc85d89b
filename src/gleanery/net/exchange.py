"""What is asked and what came back."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from multidict import CIMultiDictProxy

from gleanery.net.charset import decode

DEADLINE = 30.0
LARGEST = 10 * 1024 * 1024

CHARSET = re.compile(r"""charset\s*=\s*["']?\s*([^\s;"']+)""", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """`operator` asks for an endpoint that the environment names: private addresses and any port, no redirects.

    `cut` keeps the first `largest` bytes of a longer body instead of refusing it. Without `follow` a redirect is an
    answer like any other. With `only` the body of another media type is not read: it comes back empty. A `trial` is one
    of several addresses: that it fails is no news for the log.
    """

    url: str
    method: Literal["GET", "POST"] = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    deadline: float = DEADLINE
    largest: int = LARGEST
    cut: bool = False
    operator: bool = False
    follow: bool = True
    only: frozenset[str] = frozenset()
    trial: bool = False

    def wants(self, media_type: str) -> bool:
        return not self.only or media_type in self.only


def media_type(content_type: str) -> str:
    return content_type.partition(";")[0].strip().lower()


def json_post(url: str, payload: Any, headers: Mapping[str, str], **limits: Any) -> Request:
    body = json.dumps(payload).encode()
    return Request(url=url, method="POST", headers={**headers, "Content-Type": "application/json"}, body=body, **limits)


class Hop(NamedTuple):
    """An address that answered with a redirect."""

    url: str
    status: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """A complete answer: one that broke off is a FetchError, never a short body."""

    url: str
    status: int
    headers: CIMultiDictProxy[str]
    body: bytes
    elapsed: float
    redirects: tuple[Hop, ...]

    @property
    def media_type(self) -> str:
        """What the Content-Type header says, true or not, in lower case; empty if it says nothing."""
        return media_type(self.headers.get("Content-Type", ""))

    @property
    def charset(self) -> str | None:
        """What the Content-Type header says, true or not."""
        found = CHARSET.search(self.headers.get("Content-Type", ""))
        return found[1] if found else None

    @property
    def text(self) -> str:
        return decode(self.body, self.charset)
