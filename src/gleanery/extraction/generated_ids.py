"""Generated ids for things without an id on their page, built from values that stay the same between visits."""

from __future__ import annotations

import hashlib
import re

LONGEST = 500
_LETTERS = re.compile(r"[\W_]+")


def generated_id(kind: str, url: str, name: str, start: str = "") -> str:
    """Return an id built from kind, address and name. For events `start` adds the day, since many are repeated."""
    key = "\0".join((kind, url, fold_name(name), start[:10]))
    return f"{kind}-{hashlib.sha256(key.encode('utf-8', 'replace')).hexdigest()[:24]}"


def fold_name(name: str) -> str:
    """Return a name reduced to lower-case letters and digits, for comparison."""
    return _LETTERS.sub(" ", name.casefold()).strip()
