"""The id of a thing whose page gives it none: made from what stays the same between visits."""

from __future__ import annotations

import hashlib
import re

LONGEST = 500
_LETTERS = re.compile(r"[\W_]+")


def made_id(kind: str, url: str, name: str, start: str = "") -> str:
    """Of an event the day counts too: many are held again under the same name and address."""
    told = "\0".join((kind, url, folded(name), start[:10]))
    return f"{kind}-{hashlib.sha256(told.encode('utf-8', 'replace')).hexdigest()[:24]}"


def folded(name: str) -> str:
    """A name as people compare it: letters and digits alone, in small letters."""
    return _LETTERS.sub(" ", name.casefold()).strip()
