"""JSON answers with type-checked access, and a description of unexpected answers. Pure."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

from gleanery.extraction.calendars.plain_text import plain
from gleanery.feeds.platform import Answer, NotThisPlatform
from gleanery.text import clean_text

LONGEST_WORD = 500
LONGEST_WRITTEN = 40_000  # of one value, before tags and entities are removed
MOST_RECORDS = 5_000

_JSON = json.JSONDecoder(strict=False, parse_constant=lambda _: None)


def describe_answer(answer: Answer) -> str:
    """Describe the answer, as the end of a sentence."""
    start = answer.text.lstrip("\ufeff \t\r\n")[:2_000].lower()
    if not start:
        return "empty"
    if start.startswith("begin:vcalendar"):
        return "a calendar"
    if start.startswith(("<!doctype html", "<html")) or "<html" in start:
        return "a web page"
    if start.startswith("<"):
        return "XML of another kind"
    return "JSON of another kind" if start.startswith(("{", "[")) else "text of another kind"


def parse_json(answer: Answer) -> Any:
    text = answer.text.lstrip("\ufeff \t\r\n")
    if not text.startswith(("{", "[")):
        raise NotThisPlatform(f"JSON was expected, but the answer is {describe_answer(answer)}.")
    try:
        return _JSON.raw_decode(text)[0]
    except RecursionError:
        raise NotThisPlatform("The JSON is nested too deeply.") from None
    except ValueError:
        raise NotThisPlatform("The JSON is invalid.") from None


def require_list(value: Any, what: str) -> list[Any]:
    """Return the value if it is a list. `what` names it in the error."""
    if not isinstance(value, list):
        raise NotThisPlatform(f"{what} is missing or not a list.")
    return value[:MOST_RECORDS]


class Record:
    """A JSON object. Missing values and values of the wrong type are empty. `where` is its path."""

    def __init__(self, given: dict[str, Any], where: str = "") -> None:
        self.given, self.where = given, where

    def raw(self, *path: str) -> Any:
        value: Any = self.given
        for name in path:
            value = value.get(name) if isinstance(value, dict) else None
        return value

    def text(self, *path: str, limit: int = LONGEST_WORD, multiline: bool = False) -> str:
        """Return text without tags and entities; numbers become digits."""
        value = self.raw(*path)
        if isinstance(value, int | float) and not isinstance(value, bool):
            value = str(value) if not isinstance(value, int) or value.bit_length() < 64 else ""  # noqa: PLR2004
        if not isinstance(value, str):
            return ""
        return clean_text(plain(value[:LONGEST_WRITTEN]), limit=limit, multiline=multiline)

    def number(self, *path: str) -> float | None:
        value = self.raw(*path)
        if isinstance(value, bool):
            return None
        try:
            found = float(value) if isinstance(value, int | float | str) else math.nan
        except (ValueError, OverflowError):
            return None
        return found if math.isfinite(found) else None

    def flag(self, *path: str) -> bool | None:
        value = self.raw(*path)
        if isinstance(value, bool):
            return value
        return {"true": True, "1": True, "false": False, "0": False}.get(str(value)[:5].lower())

    def record(self, *path: str) -> Record:
        value = self.raw(*path)
        return Record(value if isinstance(value, dict) else {}, ".".join(filter(None, (self.where, *path))))

    def records(self, *path: str) -> Iterator[Record]:
        """Yield the objects of a list, or a single object."""
        value = self.raw(*path)
        where = ".".join(filter(None, (self.where, *path)))
        for each in value[:MOST_RECORDS] if isinstance(value, list) else [value]:
            if isinstance(each, dict):
                yield Record(each, where)
