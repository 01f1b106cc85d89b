"""Which part of a name one owner registered, by the bundled public suffix list; nothing here asks the network."""

from __future__ import annotations

import re
from datetime import date
from functools import cache, lru_cache

import ada_url
import publicsuffixlist


def registrable_of(name: str) -> str | None:
    """The name just below the public suffix, private section included; None for a bare suffix.

    An ending that the list does not know counts as a suffix of one label, which is the list's own default rule:
    new endings appear faster than snapshots, and .example and .test are for demos and tests.
    """
    return _list().privatesuffix(name)


def suffix_list_date() -> date | None:
    """When the bundled list was made; None if it does not say."""
    with open(publicsuffixlist.PSLFILE, encoding="utf-8") as lines:
        head = "".join(next(lines, "") for _ in range(20))
    found = re.search(r"^// VERSION: (\d{4}-\d\d-\d\d)", head, re.MULTILINE)
    return date.fromisoformat(found[1]) if found else None


def is_under(name: str, suffix: str) -> bool:
    """Whether the name is the suffix or ends with it, label by label: evil-example.org is not under example.org."""
    ending = _a_labels(suffix)
    return bool(ending) and f".{_a_labels(name)}".endswith(f".{ending}")


@cache
def _list() -> publicsuffixlist.PublicSuffixList:
    return publicsuffixlist.PublicSuffixList()


@lru_cache(maxsize=4096)
def _a_labels(name: str) -> str:
    """Operators may write a suffix as people do: правителство.бг, .GOV.BG; what is no name at all becomes empty."""
    try:
        return ada_url.idna_to_ascii(name.strip().strip(".")).decode()
    except UnicodeEncodeError:
        return ""
