"""Registrable part of a domain name, by the bundled public suffix list; makes no requests."""

from __future__ import annotations

import re
from datetime import date
from functools import cache, lru_cache

import ada_url
import publicsuffixlist


def registrable_of(name: str) -> str | None:
    """Return the name just below the public suffix, private section included; None for a bare suffix.

    An unknown ending counts as a suffix of one label, which is the default rule of the list: new endings appear
    faster than snapshots, and demos and tests use .example and .test.
    """
    return _list().privatesuffix(name)


def suffix_list_date() -> date | None:
    """Return the date of the bundled list; None if it has none."""
    with open(publicsuffixlist.PSLFILE, encoding="utf-8") as lines:
        head = "".join(next(lines, "") for _ in range(20))
    found = re.search(r"^// VERSION: (\d{4}-\d\d-\d\d)", head, re.MULTILINE)
    return date.fromisoformat(found[1]) if found else None


def is_under(name: str, suffix: str) -> bool:
    """Return True if the name is the suffix or ends with it by labels: evil-example.org is not under example.org."""
    ending = _a_labels(suffix)
    return bool(ending) and f".{_a_labels(name)}".endswith(f".{ending}")


@cache
def _list() -> publicsuffixlist.PublicSuffixList:
    return publicsuffixlist.PublicSuffixList()


@lru_cache(maxsize=4096)
def _a_labels(name: str) -> str:
    """Return the ASCII form of a suffix as people may write it, like .GOV.BG; an empty text if it is invalid."""
    try:
        return ada_url.idna_to_ascii(name.strip().strip(".")).decode()
    except UnicodeEncodeError:
        return ""
