"""Requests and responses of the sample web."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Answer:
    """A response; `stream` replaces `body` for pages that are endless or too large for memory."""

    body: bytes = b""
    type: str = "text/html; charset=utf-8"
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    stream: Iterable[bytes] | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """A request as parsed from WSGI."""

    method: str
    host: str
    path: str
    query: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)  # names in lower case


def json_answer(content: dict[str, Any], status: int = 200, headers: tuple[tuple[str, str], ...] = ()) -> Answer:
    return Answer(json.dumps(content, ensure_ascii=False).encode(), "application/json", status, headers)


def redirect(location: str, status: int = 301) -> Answer:
    return Answer(b"Moved", status=status, headers=(("Location", location),))


def not_found(sentence: str = "This page does not exist.") -> Answer:
    return Answer(f"<!DOCTYPE html><title>404</title><h1>404</h1><p>{sentence}</p>".encode(), status=404)
