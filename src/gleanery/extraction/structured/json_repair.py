"""Reads JSON as pages write it: broken in the ways that leave no doubt what was meant, and in no other."""

from __future__ import annotations

import html
import json
import re
from typing import Any

MOST_VALUES = 200  # run together in one script

# What old editors put around a script, so that browsers of the last century would not show it.
WRAPPINGS = (("//<![CDATA[", "//]]>"), ("/*<![CDATA[*/", "/*]]>*/"), ("<![CDATA[", "]]>"), ("<!--", "-->"))

_JSON = json.JSONDecoder(strict=False, parse_constant=lambda _: None)  # line breaks within strings, NaN
_BETWEEN = re.compile(r"[\s,;]*")
# Each alternative takes all that it has looked at, to the end of the text if need be: so the time stays linear.
_TOKEN = re.compile(
    r'(?P<string>"(?:[^"\\]|\\.)*+(?:"|\Z))|(?P<comment>//[^\n]*+|/\*.*?(?:\*/|\Z))|(?P<comma>,)|(?P<space>\s++)|(?P<rest>[^"/,\s]++|/)',
    re.DOTALL,
)


def values_in(text: str) -> list[Any]:
    """Every JSON value of a script. ValueError if it cannot be read without guessing."""
    text = _unwrapped(text.strip().lstrip("\ufeff"))
    if not text:
        return []
    for attempt in (_same, _unescaped, _tidied, _tidied_and_unescaped):
        mended = attempt(text)
        if mended is None:
            continue
        try:
            return _in_a_row(mended)
        except RecursionError:  # nesting that no honest page has
            break
        except ValueError:
            continue
    raise ValueError("this is no JSON, and what it was meant to be is not certain")


def _in_a_row(text: str) -> list[Any]:
    """One value, or several with nothing but white space, commas or semicolons between them."""
    found: list[Any] = []
    place = _end_of_gap(text, 0)
    while place < len(text) and len(found) < MOST_VALUES:
        value, place = _JSON.raw_decode(text, place)
        if found and not isinstance(value, dict | list):
            raise ValueError("words after the end of a value")
        found.append(value)
        place = _end_of_gap(text, place)
    return found


def _end_of_gap(text: str, place: int) -> int:
    gap = _BETWEEN.match(text, place)
    return gap.end() if gap else place


def _unwrapped(text: str) -> str:
    for opening, closing in WRAPPINGS:
        text = text.removeprefix(opening).removesuffix(closing).strip()
    return text


def _same(text: str) -> str | None:
    return text


def _unescaped(text: str) -> str | None:
    """Only where all of it was escaped: a quote in JSON is then never written plainly."""
    return html.unescape(text) if "&quot;" in text and '"' not in text else None


def _tidied(text: str) -> str | None:
    """Without comments, and without commas before a closing bracket."""
    kept: list[str] = []
    comma = -1  # where in `kept` a comma stands that nothing has followed yet
    for token in _TOKEN.finditer(text):
        if token["comment"] is not None:
            continue
        if token["comma"] is not None:
            comma = len(kept)
        elif token["space"] is None:
            if comma >= 0 and token[0][0] in "]}":
                kept[comma] = ""
            comma = -1
        kept.append(token[0])
    return "".join(kept)


def _tidied_and_unescaped(text: str) -> str | None:
    plain = _unescaped(text)
    return _tidied(plain) if plain is not None else None
