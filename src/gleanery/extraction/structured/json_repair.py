"""Tolerant JSON reader that repairs only unambiguous mistakes."""

from __future__ import annotations

import html
import json
import re
from typing import Any

MOST_VALUES = 200  # in one script

# Wrappers that hide scripts from very old browsers.
WRAPPINGS = (("//<![CDATA[", "//]]>"), ("/*<![CDATA[*/", "/*]]>*/"), ("<![CDATA[", "]]>"), ("<!--", "-->"))

_JSON = json.JSONDecoder(strict=False, parse_constant=lambda _: None)  # line breaks within strings, NaN
_BETWEEN = re.compile(r"[\s,;]*")
# Possessive alternatives keep the time linear.
_TOKEN = re.compile(
    r'(?P<string>"(?:[^"\\]|\\.)*+(?:"|\Z))|(?P<comment>//[^\n]*+|/\*.*?(?:\*/|\Z))|(?P<comma>,)|(?P<space>\s++)|(?P<rest>[^"/,\s]++|/)',
    re.DOTALL,
)


def values_in(text: str) -> list[Any]:
    """Return all JSON values of a script. Raises ValueError if a repair would be a guess."""
    text = _unwrapped(text.strip().lstrip("\ufeff"))
    if not text:
        return []
    for attempt in (_unchanged, _unescaped, _tidied, _tidied_and_unescaped):
        mended = attempt(text)
        if mended is None:
            continue
        try:
            return _decode_all(mended)
        except RecursionError:  # hostile nesting
            break
        except ValueError:
            continue
    raise ValueError("this is not valid JSON and could not be repaired")


def _decode_all(text: str) -> list[Any]:
    """Decode one value, or several separated by white space, commas or semicolons."""
    found: list[Any] = []
    place = _end_of_gap(text, 0)
    while place < len(text) and len(found) < MOST_VALUES:
        value, place = _JSON.raw_decode(text, place)
        if found and not isinstance(value, dict | list):
            raise ValueError("text after the end of a value")
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


def _unchanged(text: str) -> str | None:
    return text


def _unescaped(text: str) -> str | None:
    """Unescape HTML entities if the whole text was escaped, that is, has no plain quotes."""
    return html.unescape(text) if "&quot;" in text and '"' not in text else None


def _tidied(text: str) -> str | None:
    """Remove comments and trailing commas."""
    kept: list[str] = []
    comma = -1  # index in `kept` of a comma that nothing follows yet
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
