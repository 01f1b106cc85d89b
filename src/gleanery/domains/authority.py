"""Splits addresses, and refuses spellings that programs interpret differently."""

from __future__ import annotations

import re
from typing import NamedTuple

# A word and a colon are a scheme, unless a port follows: example.org:8080 is a host.
_ADDRESS = re.compile(
    r"(?:(?P<scheme>[a-z][a-z0-9+.-]*):(?!\d+(?:[/?#\\]|$)))?(?P<slashes>[/\\]*)(?P<authority>[^/?#\\]*)(?P<after>\\?)",
    re.ASCII | re.IGNORECASE,
)
_ESCAPED_ASCII = re.compile(r"%(?![89a-f][0-9a-f])", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


class Address(NamedTuple):
    scheme: str
    slashes: str
    authority: str
    backslash_after: str


def split_address(text: str) -> Address:
    first = next(_ADDRESS.finditer(text))  # always matches, because every part may be empty
    return Address(*first.groups(""))


def objection(address: Address) -> str | None:
    """Return why this spelling is refused, or None; each is a known way to make two programs see different hosts."""
    scheme, slashes, authority, backslash_after = address
    if scheme.lower() not in {"", "http", "https"}:
        return "is not a web address: it must begin with http:// or https://"
    if not scheme and slashes.strip("\\") not in {"", "//"}:
        return "is only the path of a page, without its site"
    if backslash_after or "\\" in slashes:
        return "contains a backslash: write / instead"
    if "@" in authority:
        return "contains a user name: leave out everything up to the @"
    # Escaped letters of other alphabets are legitimate; escaped ASCII only serves to deceive.
    if "%" in authority and _ESCAPED_ASCII.search(authority):
        return "has percent signs in its host: write the host as plain text"
    return None


def has_control_characters(text: str) -> bool:
    return _CONTROL.search(text) is not None
