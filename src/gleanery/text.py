"""Cleaning of incoming text, done once, so that it can be stored, compared and displayed safely."""

from __future__ import annotations

import math
import re
import unicodedata
from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

ELLIPSIS = "…"

# No script stacks more marks on one letter; longer runs cover other lines and take quadratic time to normalise.
MOST_MARKS = 8

DEEPEST = 64  # levels of a JSON value: far more than any honest feed has, far fewer than Python's stack allows
MOST_BITS = 1024  # of an integer: every whole float fits, and PostgreSQL and Python can both print it

# Invisible or unstorable characters. Tabs, line breaks and other white space are folded instead.
_UNWANTED = (
    "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"  # control characters; NUL is refused by PostgreSQL
    "\ud800-\udfff"  # lone surrogates, refused by UTF-8 and jsonb
    "\ufdd0-\ufdef\ufffe\uffff"  # noncharacters; the last two are refused by XML feeds
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # change the reading direction: "gpj.exe" is displayed as "exe.jpg"
    "\u00ad\u034f\u180e\u200b\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffc"  # split words invisibly
    "\u115f\u1160\u17b4\u17b5\u3164\uffa0"  # blank letters: a name made of these looks empty
    "\ufe00-\ufe0d\U000e0000-\U000e0fff"  # variation selectors and tags: can hide messages to a model
)
_JOINERS = "\u200c\u200d"
_JOINED = "\u0600-\u1cff\u2190-\u2bff\ufb50-\ufdff\ufe0f\ufe70-\ufefe\U0001f000-\U0001faff"
_SELECTORS = "\ufe0e\ufe0f"

# Combining marks are in the first two planes, but not among ideographs and syllables.
_MARKS = "".join(
    chr(code)
    for block in (range(0x300, 0x3100), range(0xA600, 0xAC00), range(0xFB00, 0xFF00), range(0x10000, 0x1EA00))
    for code in block
    if unicodedata.combining(chr(code))
)

_REMOVED = (
    re.compile(f"[{_UNWANTED}]"),
    # Persian, Indic scripts and emoji need joiners; between other letters they only make equal words differ.
    re.compile(f"[{_JOINERS}](?:(?<![{_JOINED}][{_JOINERS}])|(?![{_JOINED}]))"),
    # One selector means "as emoji" or "as text"; several in a row can encode hidden data.
    re.compile(f"[{_SELECTORS}](?<=[{_SELECTORS}]{{2}})"),
    re.compile(f"[{_MARKS}](?<=[{_MARKS}]{{{MOST_MARKS + 1}}})"),
)

# Superset of what the patterns above remove: one quick search spares ordinary text all four.
# (The rare marks of the second plane are one range; listing them would make the search fifty times slower.)
_LOW_MARKS = "".join(mark for mark in _MARKS if mark <= "\uffff")
_SUSPECT = re.compile(f"[{_UNWANTED}{_JOINERS}{_SELECTORS}{_LOW_MARKS}\U00010000-\U0001ea00]")
_BRAILLE_BLANK = "\u2800"  # looks like a space but is not white space in Unicode
_EVERYDAY = re.compile("[\n -~\u00a1-\u00ac\u00ae-\u02ff\u0400-\u0482\u048a-\u052f\u2010-\u2027€№]*")
_LOOSE = ("  ", " \n", "\n ", "\n\n\n")
# Control characters (except tab and line feed) and changes of reading direction that a terminal would obey, and lone
# surrogates, which no stream accepts.
_OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def for_a_terminal(value: str) -> str:
    """Return the text without characters that a terminal would obey; lines and visible text stay."""
    return value if value.isascii() and value.isprintable() else _OBEYED.sub("", value)


def for_json(value: str) -> str:
    """Return JSON text with the same characters escaped, which does not change its meaning."""
    return _OBEYED.sub(lambda found: f"\\u{ord(found[0]):04x}", value)


def clean_page(value: str) -> str:
    """Clean multi-line text whose spaces and line breaks are already folded; ordinary text is returned at once."""
    return value if _EVERYDAY.fullmatch(value) else clean_text(value, multiline=True)


def clean_text(value: str, *, limit: int | None = None, multiline: bool = False) -> str:
    """Return clean text: storable, in NFC, without hidden characters, white space folded, at most `limit` characters.

    With `multiline`, line breaks stay, with at most one empty line in a row. Cleaning is idempotent.
    """
    text = value if _is_plain(value) or (multiline and _is_plain_page(value)) else _settled(value, multiline)
    return text if limit is None or len(text) <= limit else _shortened(text, limit)


def clean_json(value: object, *, _depth: int = 0) -> Json:
    """Return a JSON value with all texts cleaned, so that jsonb stores it and returns an equal one.

    Numbers that jsonb cannot hold, and levels below DEEPEST, become null, so that no hostile page stops the work.
    Values that are not JSON, such as dates, raise TypeError.
    """
    if not isinstance(value, dict | list | tuple):
        return _clean_scalar(value)
    if _depth >= DEEPEST:
        return None
    if isinstance(value, dict):
        return _clean_object(value, _depth)
    return [clean_json(each, _depth=_depth + 1) for each in value]


def _is_plain(value: str) -> bool:
    """Return True for ordinary one-line ASCII, the most frequent case, which needs no cleaning."""
    return value.isascii() and value.isprintable() and "  " not in value and value == value.strip(" ")


def _is_plain_page(value: str) -> bool:
    """Return True for multi-line text in common letters that needs no cleaning."""
    return _EVERYDAY.fullmatch(value) is not None and value == value.strip() and not any(gap in value for gap in _LOOSE)


def _settled(text: str, multiline: bool) -> str:
    """Repeat all steps until nothing changes, because one can affect another (letters compose without a joiner)."""
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
    """Cut text with an ellipsis, never between a letter and its marks or inside a joined emoji."""
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
    raise TypeError(f"{type(value).__name__} is not a JSON value")


def _clean_float(value: float) -> float | int | None:
    if not math.isfinite(value):
        return None
    # jsonb writes 1e23 as 1 with 23 zeros, which is not the same number; the exact digits of the float are.
    return int(value) if abs(value) >= 2**53 else float(value)


def _clean_object(value: dict[object, object], depth: int) -> dict[str, Json]:
    """Clean keys and values; of keys that become equal, the first one is kept."""
    cleaned: dict[str, Json] = {}
    for key, each in value.items():
        if not isinstance(key, str):
            raise TypeError(f"{type(key).__name__} is not a JSON key")
        cleaned.setdefault(clean_text(key), clean_json(each, _depth=depth + 1))
    return cleaned


def counted(count: int, one: str, many: str = "") -> str:
    """Return a count with its noun: "1 page", "2 pages"."""
    return f"{count} {one if count == 1 else many or one + 's'}"
