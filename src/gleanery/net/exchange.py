"""HTTP requests and responses."""

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
    """A request. `operator` marks an endpoint from the environment: any port and private addresses, no redirects.

    `cut` keeps the first `largest` bytes of a longer body instead of refusing it. Without `follow` a redirect is
    returned as the response. With `only` the body of other media types is not read and is empty. A `trial` is one of
    several addresses, so its failure is not logged.
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
    """An address that responded with a redirect."""

    url: str
    status: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """A complete response; an interrupted one raises FetchError instead."""

    url: str
    status: int
    headers: CIMultiDictProxy[str]
    body: bytes
    elapsed: float
    redirects: tuple[Hop, ...]

    @property
    def media_type(self) -> str:
        """The media type of the Content-Type header in lower case, "" if there is none; it may be wrong."""
        return media_type(self.headers.get("Content-Type", ""))

    @property
    def charset(self) -> str | None:
        """The charset of the Content-Type header, if any; it may be wrong."""
        found = CHARSET.search(self.headers.get("Content-Type", ""))
        return found[1] if found else None

    @property
    def text(self) -> str:
        return decode(self.body, self.charset)
