"""Cells as people write them in a table, dates and sums of money: each is read as a whole or not at all. Pure."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from typing import Any

from gleanery.extraction.values import clock
from gleanery.extraction.values.amounts import Amount, find_amounts
from gleanery.extraction.values.calendar_words import WEEKDAY_OF
from gleanery.extraction.values.countries import country_code
from gleanery.extraction.values.dates import CENTURY, MONTH_FIRST, Dates, Reader, find_dates, offset_in
from gleanery.extraction.values.times import NAMED_OFFSETS
from gleanery.kinds import DAY, LATITUDE, LONGITUDE, MOMENT, NUMBER, URL

LONGEST = 60  # of a cell that is a date or a sum and nothing else
SHORT = 2  # digits of a year without its century
UNSAID = "?"  # the currency of a sum that tells none
ENDS = {"amount_min": "least", "amount_max": "most"}  # which end of a sum each field asks for
_DECIMAL_COMMA = re.compile(r"-?\d+,\d+")
_THOUSANDS = re.compile(r"\d{1,3}(?:[.,' \u00a0\u2009\u202f]\d{3})+")  # no amount has three decimals
_BARE_SITE = re.compile(r"[\w-]+(\.[\w-]+)+(/\S*)?")
_NUMERALS = re.compile(r"(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?!\w|[./-]\d)")
_YEAR_FIRST = re.compile(r"(\d{4})([./-])(\d{1,2})\2(\d{1,2})(?!\w|[./-]\d)")
_NAMED_MONTH = re.compile(r"(\d{1,2})-([^\W\d_]+)-(\d{4}|\d{2})\b")  # 17-Nov-2026, as spreadsheets export it
_CLOCK = re.compile(r",?\s+(\d{1,2}:\d{2})(?::\d{2})?")
# Days as spreadsheets count them, of the years 1990 to 2100: five digits, so that a year is never one of them.
_SERIAL = re.compile(r"\d{5}(?:[.,]\d+)?")
_DAY_ZERO = datetime(1899, 12, 30)  # noqa: DTZ001  # the clock of whoever wrote the table
_FIRST_SERIAL, _AFTER_SERIAL = (datetime(1990, 1, 1) - _DAY_ZERO).days, (datetime(2101, 1, 1) - _DAY_ZERO).days  # noqa: DTZ001
# A year of two digits from here on is of the century before: of founding days more lie behind us than ahead.
_LAST_CENTURY = {MOMENT: 70, DAY: 30}
_YEAR_WORDS = frozenset({"", "г", "год", "година"})
_ZONES = frozenset(name for name, _ in NAMED_OFFSETS)
# What may stand before a sum in its cell; which bound it sets is known where sums are read.
_BOUND_WORDS = frozenset(
    {"", "up to", "max", "maximum", "maximum of", "at most", "no more than"}
    | {"from", "between", "min", "minimum", "minimum of", "at least"}
    | {"до", "макс", "максимум", "не повече от", "от", "между", "мин", "минимум", "поне"}
    | {"bis", "bis zu", "maximal", "höchstens", "ab", "von", "mindestens"}
    | {"jusqu'à", "jusqu’à", "au plus", "à partir de", "de", "entre"}
)


def spelled(value: Any, type_name: str, *, country: str = "") -> Any:
    """The value of a cell in the spelling of its type where it can mean only one thing, else as it is."""
    if type_name in {MOMENT, DAY}:
        return _moment(value, type_name, country) or value
    if not isinstance(value, str):
        return value
    text = value.strip()
    if type_name == NUMBER and _THOUSANDS.fullmatch(text):
        return re.sub(r"\D", "", text)
    if type_name in {NUMBER, LATITUDE, LONGITUDE} and _DECIMAL_COMMA.fullmatch(text):
        return text.replace(",", ".")
    if type_name == URL and _BARE_SITE.fullmatch(text):
        return f"https://{text}"
    return value


def sum_of(value: Any, field: str) -> tuple[int | float, str] | None:
    """The end of a sum that amount_min or amount_max asks for, and its currency; a mere number needs no reading."""
    text = value.strip() if isinstance(value, str) else ""
    if field not in ENDS or not text or len(text) > LONGEST or _is_number(text) or not (found := _whole_sum(text)):
        return None
    end = getattr(found, ENDS[field])
    return None if end is None else (end, "" if found.currency == UNSAID else found.currency)


def currency_told(value: str, code: str, country: str) -> str:
    """The dollars of another country are not those of the United States."""
    is_any_dollar = code == "USD" and "US" not in value.upper()
    return "" if is_any_dollar and country_code(country) not in {"", "US"} else code


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return bool(_THOUSANDS.fullmatch(text) or _DECIMAL_COMMA.fullmatch(text))
    return True


def _whole_sum(text: str) -> Amount | None:
    found = find_amounts(text, currency=UNSAID)
    if len(found) != 1 or text[found[0].end :].strip(" ."):
        return None
    before = text[: found[0].start].strip(" .:").casefold()
    return found[0] if before in _BOUND_WORDS else None


def _moment(value: Any, type_name: str, country: str) -> str | None:
    """In ISO 8601; None for what is none, or is one already. A field that asks for a day does without the time."""
    text = str(value).strip() if isinstance(value, str | int | float) and not isinstance(value, bool) else ""
    if not text or len(text) > LONGEST:
        return None
    if _SERIAL.fullmatch(text):
        read = _from_serial(float(text.replace(",", ".")))
    elif clock.read(text):
        read = text if type_name == DAY and len(text) > clock.DAY_LENGTH else None
    else:
        read = _written(_in_order(text, type_name, country))
    found = clock.read(read) if read else None
    return found.day.isoformat() if found and type_name == DAY else read if found else None


def _from_serial(days: float) -> str | None:
    minutes = round(days * 24 * 60)
    if not _FIRST_SERIAL <= minutes / 24 / 60 < _AFTER_SERIAL:
        return None
    at = _DAY_ZERO + timedelta(minutes=minutes)
    return at.isoformat(timespec="minutes") if minutes % (24 * 60) else at.date().isoformat()


def _in_order(text: str, type_name: str, country: str) -> str:
    """The same, with a date in numerals at its beginning as year, month, day."""
    if found := _YEAR_FIRST.match(text):
        day = _day(int(found[1]), int(found[3]), int(found[4]))
    elif found := _NUMERALS.match(text):
        if found[2] == "-" and len(found[4]) == SHORT:
            return ""  # 12-10-05 may be of any order
        day = _either_order(found, type_name, country)
    elif found := _NAMED_MONTH.match(text):
        return f"{found[1]} {found[2]} {_year(found[3], type_name)}{text[found.end() :]}"
    else:
        return text
    return f"{day.isoformat()}{text[found.end() :]}" if day else text


def _either_order(found: re.Match[str], type_name: str, country: str) -> date | None:
    """Day first, except with strokes where the month is; if only one order gives a date, it is that one."""
    first, second, year = int(found[1]), int(found[3]), _year(found[4], type_name)
    if found[2] == ".":
        return _day(year, second, first)
    orders = [_day(year, second, first), _day(year, first, second)]
    if country and country_code(country) in MONTH_FIRST:
        orders.reverse()
    return orders[0] or orders[1]


def _year(written: str, type_name: str) -> int:
    if len(written) > SHORT:
        return int(written)
    return int(written) + CENTURY - 100 * (int(written) >= _LAST_CENTURY[type_name])


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _written(text: str) -> str | None:
    """Most cells are a day alone or with a plain time, which needs no long look."""
    day, rest = text[: clock.DAY_LENGTH], text[clock.DAY_LENGTH :]
    at_clock = _CLOCK.fullmatch(rest)
    if (at_clock or not rest) and clock.read(day):
        return f"{day}T{at_clock[1]:0>5}" if at_clock else day
    found = find_dates(text, Reader(date.min))
    if len(found) != 1 or found[0].yearless or not _is_whole(found[0], text):
        return None
    at = found[0].times
    offset = offset_in(text) if at else ""
    return found[0].start.isoformat() + (f"T{at.start.isoformat(timespec='minutes')}{offset}" if at else "")


def _is_whole(found: Dates, text: str) -> bool:
    """Whether the cell is one moment and nothing else; from when to when is not one."""
    at = found.times
    if found.end or (at and at.end):
        return False
    begin, stop = min(found.begin, at.begin if at else found.begin), max(found.stop, at.stop if at else found.stop)
    before, after = text[:begin].strip(" ,.").lower(), text[stop:].strip(" ,.")
    return (not before or before in WEEKDAY_OF) and (
        after.lower() in _YEAR_WORDS or after.lower() in WEEKDAY_OF or (at is not None and after in _ZONES)
    )
