"""Values of fields as cells of a table, each in the one spelling that an import reads back. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from gleanery.kinds import KINDS
from gleanery.publishing.showing.reading import STAFF_ONLY
from gleanery.resolution.importing.spreadsheets import guarded

SOURCES: Final = ("sources", "last_confirmed")
_THREE_DECIMALS = re.compile(r"-?\d{1,3}\.\d{3}")


def columns(kinds: Sequence[str]) -> list[str]:
    """The columns that records of these kinds need, in one order for all."""
    names = dict.fromkeys(name for kind in kinds for name in KINDS[kind].fields)
    return ["id", "kind", *(name for name in names if name not in STAFF_ONLY)]


def cells(fields: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    return [guarded(_cell(fields[name])) if name in fields else "" for name in names]


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return _listed(value)
    return _number(value)


def _listed(values: list[Any]) -> str:
    """Words with commas between them; whatever could not be read back from that as JSON."""
    if all(isinstance(each, str) and each and "," not in each for each in values) and not values[0].startswith("["):
        return ",".join(values)
    return json.dumps(values, ensure_ascii=False)


def _number(value: float) -> str:
    """12.345 would be read as twelve thousand: some write it so."""
    text = str(value)
    return f"{text}0" if _THREE_DECIMALS.fullmatch(text) else text
