"""ETag and If-Match: whoever changes something says which version of it they saw."""

from __future__ import annotations

from django.http import HttpRequest

from gleanery.errors import Invalid


def etag(version: int) -> str:
    return f'"{version}"'


def expected_version(request: HttpRequest, given: int | None = None) -> int | None:
    """The version in the body counts before the header; None if neither names one."""
    if given is not None:
        return given
    text = request.headers.get("If-Match", "").strip().removeprefix("W/").strip('"')
    if text in ("", "*"):
        return None
    if not (text.isascii() and text.isdigit() and len(text) < len("2147483647")):
        raise Invalid("If-Match takes the version, as the ETag gives it.")
    return int(text)
