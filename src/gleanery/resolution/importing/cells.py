"""Reads dates and amounts of money as people write them in table cells, each cell as a whole or not at all. Pure."""

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

LONGEST = 60  # characters of a cell that can be a date or an amount
SHORT = 2  # digits of a year without the century
NO_CURRENCY = "?"  # currency of an amount that names none
ENDS = {"amount_min": "least", "amount_max": "most"}  # which end of a range each field takes
_DECIMAL_COMMA = re.compile(r"-?\d+,\d+")
_THOUSANDS = re.compile(r"\d{1,3}(?:[.,' \u00a0\u2009\u202f]\d{3})+")  # amounts never have three decimals
_BARE_SITE = re.compile(r"[\w-]+(\.[\w-]+)+(/\S*)?")
_NUMERALS = re.compile(r"(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?!\w|[./-]\d)")
_YEAR_FIRST = re.compile(r"(\d{4})([./-])(\d{1,2})\2(\d{1,2})(?!\w|[./-]\d)")
_NAMED_MONTH = re.compile(r"(\d{1,2})-([^\W\d_]+)-(\d{4}|\d{2})\b")  # 17-Nov-2026, as spreadsheets export it
_CLOCK = re.compile(r",?\s+(\d{1,2}:\d{2})(?::\d{2})?")
# Serial dates of spreadsheets, for the years 1990 to 2100: always five digits, so never mistaken for a year.
_SERIAL = re.compile(r"\d{5}(?:[.,]\d+)?")
_DAY_ZERO = datetime(1899, 12, 30)  # noqa: DTZ001  # local time of the table's author
_FIRST_SERIAL, _AFTER_SERIAL = (datetime(1990, 1, 1) - _DAY_ZERO).days, (datetime(2101, 1, 1) - _DAY_ZERO).days  # noqa: DTZ001
# Two-digit years from here on belong to the previous century; founding days are mostly in the past.
_LAST_CENTURY = {MOMENT: 70, DAY: 30}
_YEAR_WORDS = frozenset({"", "г", "год", "година"})
_ZONES = frozenset(name for name, _ in NAMED_OFFSETS)
# Words that may stand before an amount in its cell; find_amounts knows which bound they set.
_BOUND_WORDS = frozenset(
    {"", "up to", "max", "maximum", "maximum of", "at most", "no more than"}
    | {"from", "between", "min", "minimum", "minimum of", "at least"}
    | {"до", "макс", "максимум", "не повече от", "от", "между", "мин", "минимум", "поне"}
    | {"bis", "bis zu", "maximal", "höchstens", "ab", "von", "mindestens"}
    | {"jusqu'à", "jusqu’à", "au plus", "à partir de", "de", "entre"}
)


def standard_spelling(value: Any, type_name: str, *, country: str = "") -> Any:
    """Return the cell in the standard spelling of its type if it is unambiguous, else unchanged."""
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
    """Return the end of a range for amount_min or amount_max, with its currency; None for plain numbers."""
    text = value.strip() if isinstance(value, str) else ""
    if field not in ENDS or not text or len(text) > LONGEST or _is_number(text) or not (found := _whole_sum(text)):
        return None
    end = getattr(found, ENDS[field])
    return None if end is None else (end, "" if found.currency == NO_CURRENCY else found.currency)


def currency_of(value: str, code: str, country: str) -> str:
    """Return the currency code, or "" for dollars of a country other than the United States."""
    is_any_dollar = code == "USD" and "US" not in value.upper()
    return "" if is_any_dollar and country_code(country) not in {"", "US"} else code


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return bool(_THOUSANDS.fullmatch(text) or _DECIMAL_COMMA.fullmatch(text))
    return True


def _whole_sum(text: str) -> Amount | None:
    found = find_amounts(text, currency=NO_CURRENCY)
    if len(found) != 1 or text[found[0].end :].strip(" ."):
        return None
    before = text[: found[0].start].strip(" .:").casefold()
    return found[0] if before in _BOUND_WORDS else None


def _moment(value: Any, type_name: str, country: str) -> str | None:
    """Return the cell in ISO 8601, without the time for a day; None if it is no date or is in ISO 8601 already."""
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
    """Return the text with a leading numeric date as year, month, day; empty if its order is unclear."""
    if found := _YEAR_FIRST.match(text):
        day = _day(int(found[1]), int(found[3]), int(found[4]))
    elif found := _NUMERALS.match(text):
        if found[2] == "-" and len(found[4]) == SHORT:
            return ""  # 12-10-05 could have any order
        day = _either_order(found, type_name, country)
    elif found := _NAMED_MONTH.match(text):
        return f"{found[1]} {found[2]} {_year(found[3], type_name)}{text[found.end() :]}"
    else:
        return text
    return f"{day.isoformat()}{text[found.end() :]}" if day else text


def _either_order(found: re.Match[str], type_name: str, country: str) -> date | None:
    """Read day first, or month first in countries that write it so; if only one order is a date, take that one."""
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
    """Return the date and time of a cell in ISO 8601; the usual plain forms take a shortcut."""
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
    """Return True if the cell is a single moment and nothing else, not a range."""
    at = found.times
    if found.end or (at and at.end):
        return False
    begin, stop = min(found.begin, at.begin if at else found.begin), max(found.stop, at.stop if at else found.stop)
    before, after = text[:begin].strip(" ,.").lower(), text[stop:].strip(" ,.")
    return (not before or before in WEEKDAY_OF) and (
        after.lower() in _YEAR_WORDS or after.lower() in WEEKDAY_OF or (at is not None and after in _ZONES)
    )
