"""Parser for dates and date ranges in text, with the day before the month as in Europe."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from gleanery.extraction.values.calendar_words import MONTH_OF, ROMAN, WEEKDAY_OF
from gleanery.extraction.values.countries import zone_of
from gleanery.extraction.values.times import Times, find_times, stated_offset

LONGEST = 6_000
MOST = 400
PAST_DAYS = 120  # a date without a year that is further back means next year
MAINLAND = {"ES": "Europe/Madrid", "PT": "Europe/Lisbon"}  # islands with another time state it
MONTH_FIRST = frozenset({"US", "PH"})
CENTURY = 2000
MONTHS = 12
EARLIEST, LATEST = 1800, 2200

_WORDS = sorted(MONTH_OF, key=len, reverse=True)
_MONTH = rf"(?:(?:{'|'.join(map(re.escape, _WORDS))})\b\.?)"
_DAY = r"(?:3[01]|[12]\d|0?[1-9])"
_ORD = r"(?:\s?(?:st|nd|rd|th|er|º|ª|-?(?:ви|ри|ти|ми|во|ро|то|го))\b|\.)?"
_YEAR = r"(?:(?:19|20)\d\d)"
_OF = r"(?:\s?(?:of|de|del|d[’'])\s?|\s)?"
_SEP = r"\s?(?:[-–—−]|до|to|until|through|till|bis(?:\s?zum)?|au|al|a|până(?:\s?(?:la|pe))?)\s?"
_AND = r"\s?(?:,|и|and|&|und|et|y|și|\+|/)\s?"
_WEEKDAY = rf"(?:\b(?:{'|'.join(sorted(WEEKDAY_OF, key=len, reverse=True))})\b\.?)"
_ON = rf"(?:{_WEEKDAY},?\s)?"

_NAMED = rf"(?P<d>{_DAY}){_ORD}{_OF}(?P<m>{_MONTH})(?:,?\s?(?:de\s|del\s)?(?P<y>{_YEAR}))?"
_PATTERNS = tuple(
    (name, re.compile(rf"(?<![\w/.,:-])(?:{pattern})(?![\d])", re.IGNORECASE))
    for name, pattern in (
        ("iso", rf"(?P<y>{_YEAR})-(?P<mm>0[1-9]|1[0-2])-(?P<d>0[1-9]|[12]\d|3[01])"),
        # 12–14 декември 2026, del 3 al 6 de diciembre de 2026
        ("days", rf"(?P<d1>{_DAY}){_ORD}{_SEP}{_ON}(?:the\s)?{_NAMED}"),
        # 4, 11 и 18 декември 2026
        ("list", rf"(?P<more>(?:{_DAY}{_ORD}{_AND}){{1,12}}){_NAMED}"),
        ("named", _NAMED),
        ("english", rf"(?P<m>{_MONTH})\s(?P<d>{_DAY})(?:st|nd|rd|th)?(?:{_SEP}(?P<d2>{_DAY})(?:st|nd|rd|"
rf"th)?)?(?:,?\s(?P<y>{_YEAR}))?(?!\s?(?:am|pm|:))"),
        ("short days", rf"(?P<d1>{_DAY})\.?\s?[-–—]\s?(?P<d>{_DAY})\.(?P<mm>0?[1-9]|1[0-2])\.(?P<y>{_YEAR}|\d\d)"),
        ("half", rf"(?P<d1>{_DAY})\.(?P<mm1>0?[1-9]|1[0-2])\.?\s?[-–—]\s?(?P<d>{_DAY})\.(?P<mm>0?[1-9]|"
rf"1[0-2])\.(?P<y>{_YEAR})"),
        ("dotted", rf"(?P<d>{_DAY})(?P<s>[./-])\s?(?P<mm>0?[1-9]|1[0-2])(?P=s)\s?(?P<y>{_YEAR}|\d\d(?![\d.:/-]))"),
        ("stroked", rf"(?P<mm>0?[1-9]|1[0-2])(?P<t>[./-])(?P<d>1[3-9]|2\d|3[01])(?P=t)(?P<y>{_YEAR}|\d\d(?![\d.:/-]))"),
        ("roman", rf"(?P<d>{_DAY})\.\s?(?P<r>XII|XI|X|IX|VIII|VII|VI|V|IV|III|II|I)\.\s?(?P<y>{_YEAR})"),
        ("weekday short", rf"(?P<w>{_WEEKDAY}),?\s(?P<d>{_DAY})[./](?P<mm>0?[1-9]|1[0-2])\b\.?|"
rf"(?P<d0>{_DAY})[./](?P<mm0>0?[1-9]|1[0-2])\.?(?=,?\s\(?{_WEEKDAY})"),
    )
)  # fmt: skip
_DIGIT = re.compile(r"\d")
_BARE = re.compile(rf"(?<![\d.,:/])(?P<d>{_DAY})[./](?P<mm>0?[1-9]|1[0-2])\.?(?![\d.:/])")
_NEAR_WEEKDAY = re.compile(_WEEKDAY, re.IGNORECASE)
_JOIN = re.compile(rf"{_SEP}{_ON}(?:the\s)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Dates:
    """A day or range of days at [begin, stop) of the text, with the times next to it."""

    start: date
    end: date | None
    begin: int
    stop: int
    times: Times | None = None
    yearless: bool = False
    weekday: int | None = None  # next to a date without a year


@dataclass(frozen=True, slots=True)
class Reader:
    """Context that completes partial dates."""

    today: date
    language: str = ""
    country: str = ""
    year: int | None = None  # given once for the whole page, "Programme 2027"
    month: int | None = None
    bare: bool = False  # the text is known to be dates, so 1.12 is one


@lru_cache(maxsize=4096)  # several recognisers ask about the same lines
def find_dates(text: str, reader: Reader) -> list[Dates]:
    """Return all dates in order, each with its year. Ambiguous dates are skipped."""
    if not _DIGIT.search(text):
        return []
    text = _spaced(text)
    found: list[Dates] = []
    taken = bytearray(len(text))
    patterns = (*_PATTERNS, ("bare", _BARE)) if reader.bare else _PATTERNS
    for name, pattern in patterns:
        for match in pattern.finditer(text):
            if len(found) >= MOST:
                break
            if any(taken[match.start() : match.end()]):
                continue
            days = _read(name, match, text, reader)
            if days:
                taken[match.start() : match.end()] = b"\1" * (match.end() - match.start())
                found.extend(days)
    return with_times(_joined(sorted(found, key=lambda each: each.begin), text), text)


def iso(day: date, at: time | None, *, country: str = "", offset: str = "") -> str:
    """Return an ISO date or time, with the stated offset or that of the country on that day."""
    if at is None:
        return day.isoformat()
    moment = datetime.combine(day, at)
    if offset:
        return moment.isoformat() + offset
    zone = zone_of(country) or (ZoneInfo(MAINLAND[country]) if country in MAINLAND else None)
    return moment.replace(tzinfo=zone).isoformat() if zone else moment.isoformat()


def offset_in(text: str) -> str:
    return stated_offset(text)


def _spaced(text: str) -> str:
    return re.sub(r"[\u00a0\u202f\u2009\t\n\r]", " ", text[:LONGEST])


def _read(name: str, match: re.Match[str], text: str, reader: Reader) -> list[Dates]:
    groups = match.groupdict()
    if name == "dotted" and groups["s"] == "/" and _is_ambiguous(groups, reader):
        return []
    if name == "stroked" and groups["t"] != "/" and reader.country not in MONTH_FIRST:
        return []
    month = _month(groups)
    day = groups.get("d") or groups.get("d0")
    if month is None or day is None:
        return []
    if name == "dotted" and reader.country in MONTH_FIRST and int(day) <= MONTHS:
        month, day = int(day), str(month)
    year, yearless = _year(groups.get("y")), not groups.get("y")
    weekday = _weekday_near(text, match) if yearless else None
    last = _day(int(day), month, year, weekday, reader)
    if last is None:
        return []
    whole = Dates(last, None, match.start(), match.end(), yearless=yearless, weekday=weekday)
    if groups.get("more"):
        days = [_placed(int(each), last) for each in re.findall(r"\d+", groups["more"])]
        return [replace(whole, start=each) for each in days if each] + [whole]
    return [_spanned(whole, groups)]


def _is_ambiguous(groups: dict[str, str | None], reader: Reader) -> bool:
    """Return True if day and month could be swapped: 03/04/2027 on an English page of unknown country."""
    both_small = int(groups["d"] or 0) <= MONTHS
    if reader.country in MONTH_FIRST:
        return not both_small
    return both_small and not reader.country and reader.language[:2] in ("en", "")


def _month(groups: dict[str, str | None]) -> int | None:
    if word := groups.get("m"):
        return MONTH_OF.get(word.lower().rstrip("."))
    if numeral := groups.get("r"):
        return ROMAN.index(numeral.upper()) + 1
    number = groups.get("mm") or groups.get("mm0")
    return int(number) if number else None


def _year(written: str | None) -> int | None:
    if not written:
        return None
    return int(written) + (CENTURY if len(written) == 2 else 0)  # noqa: PLR2004


def _weekday_near(text: str, match: re.Match[str]) -> int | None:
    """Return the weekday next to a date, which tells the year."""
    around = text[max(0, match.start() - 14) : match.start()], match.group(), text[match.end() : match.end() + 14]
    for piece in around:
        if near := _NEAR_WEEKDAY.search(piece):
            return WEEKDAY_OF.get(near.group().lower().rstrip("."))
    return None


def _day(day: int, month: int, year: int | None, weekday: int | None, reader: Reader) -> date | None:
    if year is not None:
        return _date(year, month, day)
    if reader.year is not None and (reader.month is None or reader.month == month):
        return _date(reader.year, month, day)
    earliest = reader.today - timedelta(days=min(PAST_DAYS, reader.today.toordinal() - 1))
    years = [_date(reader.today.year + more, month, day) for more in (-1, 0, 1)]
    candidates = [each for each in years if each and each >= earliest]
    fitting = [each for each in candidates if weekday is None or each.weekday() == weekday]
    return next(iter(fitting or candidates), None)


def _placed(day: int, last: date) -> date | None:
    return _date(last.year, last.month, day) if day > 0 else None


def _spanned(whole: Dates, groups: dict[str, str | None]) -> Dates:
    if groups.get("d2"):
        end = _placed(int(groups["d2"] or 0), whole.start)
        return replace(whole, end=end) if end and end > whole.start else whole
    if not groups.get("d1"):
        return whole
    month = int(groups.get("mm1") or whole.start.month)
    start = _date(whole.start.year - (month > whole.start.month), month, int(groups["d1"] or 0))
    return replace(whole, start=start, end=whole.start) if start and start < whole.start else whole


def _date(year: int, month: int, day: int) -> date | None:
    if not EARLIEST <= year <= LATEST:
        return None
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _joined(found: list[Dates], text: str) -> list[Dates]:
    """Join two dates with a dash or "to" between them; the first takes the year of the second."""
    joined: list[Dates] = []
    for each in found:
        before = joined[-1] if joined else None
        if before and before.end is None and each.end is None and _JOIN.fullmatch(text[before.stop : each.begin]):
            start = before.start
            if before.yearless and not each.yearless:
                start = (
                    _date(
                        each.start.year - ((start.month, start.day) > (each.start.month, each.start.day)),
                        start.month,
                        start.day,
                    )
                    or start
                )
            if start < each.start:
                joined[-1] = replace(before, start=start, end=each.start, stop=each.stop, yearless=each.yearless)
                continue
        joined.append(each)
    return joined


def with_times(found: list[Dates], text: str) -> list[Dates]:
    """Attach to each date the time right after it, else the one right before it."""
    if not found:
        return found
    free = [each for each in find_times(text) if not any(one.begin <= each.begin < one.stop for one in found)]
    timed: list[Dates] = []
    for index, each in enumerate(found):
        # The days of "4, 11 and 18 December" have one position and share their time.
        after = next((one.begin for one in found[index + 1 :] if one.begin >= each.stop), len(text))
        before = next((one.stop for one in reversed(found[:index]) if one.stop <= each.begin), 0)
        times = next(
            (
                one
                for one in free
                if each.stop <= one.begin < min(after, each.stop + 40) and _follows(text[each.stop : one.begin])
            ),
            None,
        )
        times = times or next(
            (one for one in reversed(free) if before <= one.begin < each.begin and _leads(text[one.stop : each.begin])),
            None,
        )
        timed.append(replace(each, times=times) if times else each)
    return timed


_FOLLOWING = re.compile(
    rf"(?:\s?г(?:\.|одина\b))?[\s,;:·|@(–—-]*(?:{_WEEKDAY}[\s,)]*)?(?:\(?(?:от|в|ora|orele|um|at|à|a las|ab|"
    rf"von|from|de|dès|начало(?:\sв)?|час|jusqu[’']à|starts|start|time|time:|doors)?[\s:]*)",
    re.IGNORECASE,
)
_LEADS = re.compile(
    rf"\s?(?:ч\.?|часа|h|Uhr)?[\s,).]*(?:(?:на|on|am|le|el|pe|of|of the|den|du|del)\s)?(?:{_WEEKDAY},?\s)?(?:the\s)?",
    re.IGNORECASE,
)


def _follows(between: str) -> bool:
    return _FOLLOWING.fullmatch(between) is not None


def _leads(between: str) -> bool:
    return _LEADS.fullmatch(between) is not None
