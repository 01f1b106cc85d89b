"""Fixtures for the sample web: requests without sockets, and recorded instead of real delays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

import pytest

from gleanery.demo.web import SampleWeb

TODAY = date(2026, 11, 15)


@dataclass(frozen=True)
class Seen:
    status: int
    headers: dict[str, str]
    body: bytes


def look(web: SampleWeb, url: str, method: str = "GET", **headers: str) -> Seen:
    """The response of the WSGI application, called as in PEP 3333."""
    parts = urlsplit(url)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": method,
        "HTTP_HOST": parts.netloc,
        "PATH_INFO": unquote_to_bytes(parts.path).decode("latin-1"),
        "QUERY_STRING": parts.query,
        **{f"HTTP_{name.upper()}": value for name, value in headers.items()},
    }
    started: list[tuple[str, dict[str, str]]] = []

    def start(status: str, given: list[tuple[str, str]], _: object = None, /) -> Callable[[bytes], object]:
        started.append((status, dict(given)))
        return lambda chunk: None

    body = b"".join(web(environ, start))
    return Seen(int(started[0][0].split()[0]), started[0][1], body)


@pytest.fixture(autouse=True)
def naps(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Record the seconds that slow sites would sleep."""
    taken: list[float] = []
    monkeypatch.setattr("time.sleep", lambda seconds: taken.append(seconds) if seconds else None)
    return taken


@pytest.fixture
def visit() -> Callable[..., Seen]:
    web = SampleWeb(TODAY)
    return lambda url, method="GET", **headers: look(web, url, method, **headers)
