"""Parser for times of day and time ranges in text, and stated UTC offsets."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import time
from functools import lru_cache

LONGEST = 6_000
MOST = 400

_AM_PM = r"(?:\s?([ap])\.?m\b\.?)"
_UNIT = r"(?:\s?(?:ч(?:аса|\.)?(?![а-я])|часа|Uhr\b|o[’']clock\b|h(?:rs?)?\b|ore\b|horas\b))"
_CLOCK = r"(?<![\d.,:/+])([01]?\d|2[0-4])"
_TIME = re.compile(
    rf"(?P<noon>(?:\b|(?<![\d:.])12\s?)(?:noon|midday)\b)|"
    rf"{_CLOCK}:([0-5]\d)(?::[0-5]\d)?(?!\d){_AM_PM}?{_UNIT}?|"  # 17:30, 5:30 pm
    rf"{_CLOCK}\s?(?:h|ч)\s?([0-5]\d)(?!\d)|"  # 9 h 30, 9h30
    rf"{_CLOCK}(?:\.|,(?=[0-5]\d\s?(?:ч|часа|Uhr)\b))([0-5]\d)(?![\d.]){_AM_PM}?(?P<dotted>{_UNIT})?|"  # 17.30 Uhr
    rf"{_CLOCK}(?!\d)(?:{_AM_PM}|(?P<unit>{_UNIT}))",  # 7pm, 18 Uhr
    re.IGNORECASE,
)
_DASH = r"\s?(?:[-–—−]|до|to|till|until|bis|à|a|al|a las|și|până la|и)\s?"
# The first time of "7-9pm", "von 9 bis 12 Uhr", "11.00 – 15.00" may be a plain number.
_BARE = re.compile(rf"{_CLOCK}(?:[.:]([0-5]\d))?(?={_DASH}(?:\d))", re.IGNORECASE)
_JOIN = re.compile(_DASH + r"$", re.IGNORECASE)
_BOTH = re.compile(r"\s?(?:и|și)\s?", re.IGNORECASE)  # "11:00 и 15:00" is twice, "между 11:00 и 15:00" is once
_BETWEEN = re.compile(r"\b(?:между|între)(?:\s\w+){0,2}\s*$", re.IGNORECASE)
_OFFSET = re.compile(r"(?:UTC|GMT)\s?([+\-−–])\s?(\d{1,2})(?::?(\d\d))?|\(([+\-−])(\d\d):(\d\d)\)")
NAMED_OFFSETS = (
    ("EEST", "+03:00"),
    ("EET", "+02:00"),
    ("CEST", "+02:00"),
    ("CET", "+01:00"),
    ("UTC", "+00:00"),
    ("GMT", "+00:00"),
)
LAST_HOUR = 23
HALF_DAY = 12


@dataclass(frozen=True, slots=True)
class Times:
    """A time or range. `certain` is False if only a date next to it makes the digits a time."""

    start: time
    end: time | None
    begin: int
    stop: int
    certain: bool = True


@dataclass(frozen=True, slots=True)
class _Clock:
    hour: int
    minute: int
    half: str
    begin: int
    stop: int
    certain: bool


def stated_offset(text: str) -> str:
    """Return the stated offset as +02:00, or ""."""
    if match := _OFFSET.search(text[:LONGEST]):
        sign, hours, minutes = (match[1], match[2], match[3]) if match[2] else (match[4], match[5], match[6])
        return f"{'+' if sign == '+' else '-'}{int(hours):02d}:{int(minutes or 0):02d}"
    return next((offset for name, offset in NAMED_OFFSETS if re.search(rf"\b{name}\b", text[:LONGEST])), "")


@lru_cache(maxsize=4096)  # several recognisers ask about the same lines
def find_times(text: str) -> list[Times]:
    text = text[:LONGEST]
    clocks = _clocks(text)
    found: list[Times] = []
    index = 0
    while index < len(clocks):
        first = clocks[index]
        second = clocks[index + 1] if index + 1 < len(clocks) else None
        if (
            second
            and _JOIN.fullmatch(text[first.stop : second.begin])
            and not (_BOTH.fullmatch(text[first.stop : second.begin]) and not _BETWEEN.search(text[: first.begin]))
            and (first.certain or second.certain or _dotted(text, first, second))
        ):
            index += 2
            span = _span(first, second)
        else:
            index += 1
            span = _alone(first)
        if span:
            found.append(span)
    return found


def _clocks(text: str) -> list[_Clock]:
    whole = {match.start(): _clock(match) for match in _TIME.finditer(text)}
    taken = [(clock.begin, clock.stop) for clock in whole.values()]
    for match in _BARE.finditer(text):
        if not any(begin <= match.start() < stop for begin, stop in taken):
            whole[match.start()] = _Clock(int(match[1]), int(match[2] or 0), "", match.start(), match.end(), False)
    return [whole[place] for place in sorted(whole)][:MOST]


def _clock(match: re.Match[str]) -> _Clock:
    if match["noon"]:
        return _Clock(HALF_DAY, 0, "", match.start(), match.end(), True)
    values = match.groups()
    hour = next(int(values[index]) for index in (1, 4, 6, 10) if values[index] is not None)
    minute = next((int(values[index]) for index in (2, 5, 7) if values[index] is not None), 0)
    half = next((values[index].lower() for index in (3, 8, 11) if values[index]), "")
    certain = match[7] is None or bool(half or match["dotted"])
    return _Clock(hour, minute, half, match.start(), match.end(), certain)


def _dotted(text: str, first: _Clock, second: _Clock) -> bool:
    """Return True for 11.00 – 15.00, which is a time range unless a currency follows."""
    written = text[first.begin : first.stop], text[second.begin : second.stop]
    return all("." in each for each in written) and not re.match(
        r"\s?[€£$%]|\s?(?:лв|евро|lei|EUR)", text[second.stop :]
    )


def _span(first: _Clock, second: _Clock) -> Times | None:
    half = first.half or (
        second.half if second.half and _hour(first.hour, second.half) <= _hour(second.hour, second.half) else ""
    )
    if not first.half and second.half == "p" and half == "p" and first.hour == HALF_DAY:
        half = "p"
    start, end = _time(first.hour, first.minute, half), _time(second.hour, second.minute, second.half)
    if start is None:
        return None
    return Times(start, end, first.begin, second.stop, first.certain or second.certain)


def _alone(clock: _Clock) -> Times | None:
    start = _time(clock.hour, clock.minute, clock.half)
    return None if start is None else Times(start, None, clock.begin, clock.stop, clock.certain)


def _hour(hour: int, half: str) -> int:
    if half and hour <= HALF_DAY:
        return hour % HALF_DAY + (HALF_DAY if half == "p" else 0)
    return hour


def _time(hour: int, minute: int, half: str) -> time | None:
    hour = _hour(hour, half)
    return time(hour, minute) if hour <= LAST_HOUR else None
