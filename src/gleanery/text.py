"""The one boundary for text: what comes in is cleaned here once, so that the rest may store, compare and show it."""

from __future__ import annotations

import math
import re
import unicodedata
from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

ELLIPSIS = "…"

# No script stacks more marks on one letter; longer runs bury the line above, and normalising them takes quadratic time.
MOST_MARKS = 8

DEEPEST = 64  # levels of a JSON value: far more than any honest feed has, far less than Python's stack
MOST_BITS = 1024  # of an integer: every whole float fits, and PostgreSQL and Python both print it

# Everything here is invisible or unstorable. Tabs, line breaks and the other white space are folded, not listed.
_UNWANTED = (
    "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"  # control characters; NUL is refused by PostgreSQL
    "\ud800-\udfff"  # lone surrogates, refused by UTF-8 and jsonb
    "\ufdd0-\ufdef\ufffe\uffff"  # no characters at all; the last two are refused by XML feeds
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # turn the reading direction: "gpj.exe" is shown as "exe.jpg"
    "\u00ad\u034f\u180e\u200b\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffc"  # split words without a trace
    "\u115f\u1160\u17b4\u17b5\u3164\uffa0"  # letters without ink: a name of these looks empty
    "\ufe00-\ufe0d\U000e0000-\U000e0fff"  # variation selectors and tags: carry whole hidden messages to a model
)
_JOINERS = "\u200c\u200d"
_JOINED = "\u0600-\u1cff\u2190-\u2bff\ufb50-\ufdff\ufe0f\ufe70-\ufefe\U0001f000-\U0001faff"
_SELECTORS = "\ufe0e\ufe0f"

# Marks live in the first two planes; the long runs of ideographs and syllables between them hold none.
_MARKS = "".join(
    chr(code)
    for block in (range(0x300, 0x3100), range(0xA600, 0xAC00), range(0xFB00, 0xFF00), range(0x10000, 0x1EA00))
    for code in block
    if unicodedata.combining(chr(code))
)

_REMOVED = (
    re.compile(f"[{_UNWANTED}]"),
    # Persian, Indic and emoji need the joiners; between other letters they only make two equal words differ.
    re.compile(f"[{_JOINERS}](?:(?<![{_JOINED}][{_JOINERS}])|(?![{_JOINED}]))"),
    # One selector says "as emoji" or "as text"; a row of them spells bits.
    re.compile(f"[{_SELECTORS}](?<=[{_SELECTORS}]{{2}})"),
    re.compile(f"[{_MARKS}](?<=[{_MARKS}]{{{MOST_MARKS + 1}}})"),
)

# Whatever any of them could remove, and a little more: one quick look spares ordinary text all four.
# (The rare marks of the second plane stand here as one range: single ones would make the look fifty times slower.)
_LOW_MARKS = "".join(mark for mark in _MARKS if mark <= "\uffff")
_SUSPECT = re.compile(f"[{_UNWANTED}{_JOINERS}{_SELECTORS}{_LOW_MARKS}\U00010000-\U0001ea00]")
_BRAILLE_BLANK = "\u2800"  # looks like a space, but is none to Unicode
_EVERYDAY = re.compile("[\n -~\u00a1-\u00ac\u00ae-\u02ff\u0400-\u0482\u048a-\u052f\u2010-\u2027€№]*")
_LOOSE = ("  ", " \n", "\n ", "\n\n\n")
# What a terminal obeys instead of showing it: controls but for tab and line feed, and turns of the reading direction;
# and lone surrogates, which no stream takes.
_OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def for_a_terminal(value: str) -> str:
    """The text without what a terminal would obey; its lines stay, and all else that people see."""
    return value if value.isascii() and value.isprintable() else _OBEYED.sub("", value)


def for_json(value: str) -> str:
    """Text of a JSON document with the same characters escaped: it looks odd on a terminal, and means the same."""
    return _OBEYED.sub(lambda found: f"\\u{ord(found[0]):04x}", value)


def clean_page(value: str) -> str:
    """`clean_text` of many lines, for text whose spaces and line breaks are folded already; tabs need not be."""
    return value if _EVERYDAY.fullmatch(value) else clean_text(value, multiline=True)


def clean_text(value: str, *, limit: int | None = None, multiline: bool = False) -> str:
    """The text as people see it: storable, in NFC, without tricks, white space folded, at most `limit` characters.

    With `multiline` line breaks stay, at most one empty line in a row. Cleaning twice changes nothing more.
    """
    text = value if _is_plain(value) or (multiline and _is_plain_page(value)) else _settled(value, multiline)
    return text if limit is None or len(text) <= limit else _shortened(text, limit)


def clean_json(value: object, *, _depth: int = 0) -> Json:
    """The value with every text in it clean, so that jsonb stores it and gives back an equal one.

    A number that JSON or jsonb cannot hold, and whatever lies deeper than DEEPEST, becomes null: no page, however
    hostile, stops the work. What is no JSON at all, a date for example, is a mistake of the caller: TypeError.
    """
    if not isinstance(value, dict | list | tuple):
        return _clean_scalar(value)
    if _depth >= DEEPEST:
        return None
    if isinstance(value, dict):
        return _clean_object(value, _depth)
    return [clean_json(each, _depth=_depth + 1) for each in value]


def _is_plain(value: str) -> bool:
    """Ordinary one-line ASCII needs no work, and is most of what comes in."""
    return value.isascii() and value.isprintable() and "  " not in value and value == value.strip(" ")


def _is_plain_page(value: str) -> bool:
    """The same for the text of whole pages in everyday letters, none of which composes with another or hides."""
    return _EVERYDAY.fullmatch(value) is not None and value == value.strip() and not any(gap in value for gap in _LOOSE)


def _settled(text: str, multiline: bool) -> str:
    """Each step can make work for another (a removed joiner lets letters compose), so they run until nothing moves."""
    fold = _folded_lines if multiline else _folded
    while True:
        cleaned = fold(unicodedata.normalize("NFC", _without_tricks(text)))
        if cleaned == text:
            return text
        text = cleaned


def _without_tricks(text: str) -> str:
    if _SUSPECT.search(text):
        for pattern in _REMOVED:
            text = pattern.sub("", text)
    return text


def _folded(text: str) -> str:
    return " ".join(text.replace(_BRAILLE_BLANK, " ").split())


def _folded_lines(text: str) -> str:
    lines = "\n".join(_folded(line) for line in text.splitlines())
    return re.sub("\n{3,}", "\n\n", lines).strip("\n")


def _shortened(text: str, limit: int) -> str:
    """Cut before the last whole letter: never between a letter and its marks, nor inside a joined emoji."""
    if limit < 1:
        return ""
    end = limit - 1
    for _ in range(MOST_MARKS):
        if end == 0 or not _continues(text, end):
            break
        end -= 1
    return text[:end].rstrip(" \n" + _JOINERS) + ELLIPSIS


def _continues(text: str, index: int) -> bool:
    return unicodedata.category(text[index])[0] == "M" or not {text[index], text[index - 1]}.isdisjoint(_JOINERS)


def _clean_scalar(value: object) -> Json:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return clean_text(value, multiline=True)
    if isinstance(value, int):
        return int(value) if value.bit_length() <= MOST_BITS else None
    if isinstance(value, float):
        return _clean_float(value)
    raise TypeError(f"{type(value).__name__} is not part of JSON")


def _clean_float(value: float) -> float | int | None:
    if not math.isfinite(value):
        return None
    # jsonb spells 1e23 as 1 with 23 zeros, which is another number than the float; the float's own digits come back.
    return int(value) if abs(value) >= 2**53 else float(value)


def _clean_object(value: dict[object, object], depth: int) -> dict[str, Json]:
    """Of keys that become equal when cleaned the first one stays."""
    cleaned: dict[str, Json] = {}
    for key, each in value.items():
        if not isinstance(key, str):
            raise TypeError(f"{type(key).__name__} is no key in JSON")
        cleaned.setdefault(clean_text(key), clean_json(each, _depth=depth + 1))
    return cleaned
