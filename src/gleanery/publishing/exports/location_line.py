"""An address as the one line that a calendar has for it, in the order that its country writes. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from babel import Locale

STATE = re.compile(r"[A-Z]{2,3}")  # what America and Australia write between town and code
_NAMES = Locale("en").territories


def location_line(fields: Mapping[str, Any]) -> str:
    return ", ".join(part for part in _parts({name: str(value) for name, value in fields.items()}) if part)


def _parts(fields: Mapping[str, str]) -> Iterator[str]:
    yield fields.get("venue_name", "")
    yield fields.get("address", "")
    yield from _town(fields.get("locality", ""), fields.get("region", ""), fields.get("postal_code", ""))
    country = fields.get("country", "")
    yield _NAMES.get(country, country)


def _town(town: str, region: str, code: str) -> Iterator[str]:
    if STATE.fullmatch(region):
        yield town
        yield f"{region} {code}".strip()
    elif code[:1].isdigit():
        yield f"{code} {town}".strip()
    else:
        yield town
        yield code
