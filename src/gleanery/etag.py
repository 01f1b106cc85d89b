"""ETag and If-Match headers: a change names the version it is based on."""

from __future__ import annotations

from django.http import HttpRequest

from gleanery.errors import Invalid


def etag(version: int) -> str:
    return f'"{version}"'


def expected_version(request: HttpRequest, given: int | None = None) -> int | None:
    """Return the version in the body or else in the header, or None."""
    if given is not None:
        return given
    text = request.headers.get("If-Match", "").strip().removeprefix("W/").strip('"')
    if text in ("", "*"):
        return None
    if not (text.isascii() and text.isdigit() and len(text) < len("2147483647")):
        raise Invalid("If-Match must be the version from the ETag header. Nothing was changed.")
    return int(text)
