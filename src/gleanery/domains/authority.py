"""Finds the part of an address that names its host, and objects to spellings about which programs disagree."""

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
    first = next(_ADDRESS.finditer(text))  # there is always one, at the beginning: every part of it may be empty
    return Address(*first.groups(""))


def objection(address: Address) -> str | None:
    """Why this spelling is not taken, or None; each is a known way to make two programs see two different hosts."""
    scheme, slashes, authority, backslash_after = address
    if scheme.lower() not in {"", "http", "https"}:
        return "is not a web address: only http and https are taken"
    if not scheme and slashes.strip("\\") not in {"", "//"}:
        return "is only the path of a page"
    if backslash_after or "\\" in slashes:
        return "has a backslash in it where web addresses have a slash"
    if "@" in authority:
        return "has a user name in it: give it without the part before the @"
    # Escaped letters of other alphabets are honest; escaped dots, slashes and Latin letters only hide something.
    if "%" in authority and _ESCAPED_ASCII.search(authority):
        return "has its host hidden behind percent signs"
    return None


def has_control_characters(text: str) -> bool:
    return _CONTROL.search(text) is not None
