"""Addresses of the public site, and which addresses of others it links to. Pure."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any
from urllib.parse import unquote, urlsplit
from uuid import UUID

from anyascii import anyascii
from django.urls import reverse

from gleanery.text import clean_text

LONGEST_SLUG, LONGEST_PATH = 80, 40
_APART = re.compile(r"[^a-z0-9]+")


def slug_of(name: str) -> str:
    """The name in small Latin letters; empty for what has none."""
    return _APART.sub("-", anyascii(name[: 2 * LONGEST_SLUG]).lower()).strip("-")[:LONGEST_SLUG].strip("-")


@lru_cache(maxsize=8_192)  # lists and static copies name the same records again and again
def path_of(record: UUID, name: str) -> str:
    slug = slug_of(name)
    return reverse("record", args=[record, slug]) if slug else reverse("record-by-id", args=[record])


def safe_link(url: Any) -> str:
    """The address if it leads to a web page, else nothing: no script, no file, no relative path."""
    if not isinstance(url, str):
        return ""
    try:
        parts = urlsplit(url.strip())
        return url.strip() if parts.scheme in ("http", "https") and parts.hostname else ""
    except ValueError:
        return ""


def host_of(url: str) -> str:
    return (urlsplit(url).hostname or "").removeprefix("www.")


def with_path(name: str, url: str) -> str:
    """Return "town.example/whats-on": what tells two pages of one site apart."""
    return name + clean_text(unquote(urlsplit(url).path).rstrip("/"), limit=LONGEST_PATH)
