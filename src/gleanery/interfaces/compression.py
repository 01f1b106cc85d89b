"""Brotli and gzip for text that is the same for everybody."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable

import brotli  # type: ignore[import-untyped]
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

from gleanery.interfaces.public.language import COOKIE

SMALLEST = 500  # bytes; what is shorter fits into one packet anyway
TEXT = re.compile(r"text/|application/(?:[\w.-]+\+)?(?:json|xml)\b|application/x-ndjson\b|image/svg\+xml\b")
# The better one first. Both at a level that costs a millisecond for a page.
ENCODINGS: tuple[tuple[str, Callable[[bytes], bytes]], ...] = (
    ("br", lambda body: bytes(brotli.compress(body, quality=4))),
    ("gzip", lambda body: gzip.compress(body, 5, mtime=0)),
)


class Compression:
    """Middleware. Who sends a cookie or a key is never answered so: the length of a compressed answer says something
    about its content, which matters where a secret stands beside text that somebody else chose (BREACH)."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if not _may_be_packed(response):
            return response
        patch_vary_headers(response, ("Accept-Encoding",))
        accepted = request.headers.get("Accept-Encoding", "")
        if request.method == "GET" and is_anonymous(request, response):
            _pack(response, accepted)
        return response


def is_anonymous(request: HttpRequest, response: HttpResponse) -> bool:
    """Return True if neither side knows who the other is; the chosen language is no secret."""
    known = set(request.COOKIES) - {COOKIE}
    return not known and not response.cookies and "Authorization" not in request.headers


def _may_be_packed(response: HttpResponse) -> bool:
    return (
        not response.streaming
        and "Content-Encoding" not in response
        and len(response.content) >= SMALLEST
        and TEXT.match(response.get("Content-Type", "")) is not None
    )


def _pack(response: HttpResponse, accepted: str) -> None:
    wanted = weights(accepted)
    for name, pack in ENCODINGS:
        if wanted.get(name, wanted.get("*", 0.0)) > 0:
            packed = pack(response.content)
            if len(packed) < len(response.content):
                response.content = packed
                response["Content-Encoding"] = name
                response["Content-Length"] = str(len(packed))
                _weaken(response)
            return


def weights(accepted: str) -> dict[str, float]:
    """Read `gzip;q=0.5, br`; a weight that cannot be read is none."""
    found = {}
    for part in accepted.lower().split(","):
        name, _, weight = part.partition(";")
        weight = weight.strip().removeprefix("q=") or "1"
        found[name.strip()] = float(weight) if re.fullmatch(r"[01](\.\d{0,3})?", weight) else 0.0
    return found


def _weaken(response: HttpResponse) -> None:
    """The same content in other bytes."""
    if (etag := response.get("ETag", "")) and not etag.startswith("W/"):
        response["ETag"] = f"W/{etag}"
