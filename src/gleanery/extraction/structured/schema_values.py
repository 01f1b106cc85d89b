"""The values of schema.org that have a meaning of their own: states, prices, sums, opening hours."""

from __future__ import annotations

import itertools
from typing import Any

from gleanery.extraction.structured.schedules import weekday
from gleanery.extraction.structured.schema_places import number
from gleanery.extraction.structured.sheet import Sheet
from gleanery.extraction.structured.things import Node, Things
from gleanery.extraction.values.amounts import find_amounts, parse_number

LONGEST_HOURS = 500
MOST_KEYWORDS = 50
MOST_WORDS = 3  # of a keyword list's comma-less entry that is still a keyword

# The most telling first: an event that is said to be both scheduled and moved was moved.
STATUSES = (
    ("EventCancelled", "cancelled"),
    ("EventPostponed", "postponed"),
    ("EventMovedOnline", "moved_online"),
    ("EventRescheduled", "rescheduled"),
    ("EventScheduled", "scheduled"),
)
MODES = {
    "offlineeventattendancemode": "offline",
    "onlineeventattendancemode": "online",
    "mixedeventattendancemode": "mixed",
    "offline": "offline",
    "onsite": "offline",
    "online": "online",
    "mixed": "mixed",
    "blended": "mixed",
}
SHORT_DAYS = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")
CURRENCY_LETTERS = 3


def status(things: Things, node: Node) -> str:
    said = {_last(things, value).removeprefix("event") for value in things.values(node, "eventStatus")}
    said = {"cancelled" if each == "canceled" else each for each in said}
    return next((ours for theirs, ours in STATUSES if theirs.removeprefix("Event").lower() in said), "")


def attendance(things: Things, node: Node, *names: str) -> str:
    said = {MODES.get(_last(things, value), "") for value in things.values(node, *names)} - {""}
    if said == {"online", "offline"}:
        return "mixed"
    return said.pop() if len(said) == 1 else ""


def free(things: Things, node: Node) -> bool | None:
    """Whether it costs nothing: as the thing says itself, else by its offers, all of which must be free."""
    for value in things.values(node, "isAccessibleForFree", "free"):
        said = str(_bare(value)).strip().lower().rsplit("/", 1)[-1]
        if said in {"true", "1", "yes"}:
            return True
        if said in {"false", "0", "no"}:
            return False
    prices = [price for offer in things.nodes(node, "offers") for price in _prices(things, offer)]
    return not any(prices) if prices else None


def keywords(things: Things, node: Node) -> list[str]:
    """A list, or a string with commas between them."""
    found: dict[str, None] = {}
    for value in itertools.islice(things.values(node, "keywords"), MOST_KEYWORDS):
        said = things.said(value, limit=2_000)
        for part in said.split(";" if ";" in said else ","):
            if part.strip() and len(found) < MOST_KEYWORDS:
                found[part.strip()] = None
    return list(found)


def hours(things: Things, node: Node) -> str:
    """As schema.org spells them: Mo-Fr 08:30-12:00; Sa 09:00-12:30. Holidays with dates of their own are left out."""
    said = [
        things.said(value) for value in things.values(node, "openingHours", "hoursAvailable") if isinstance(value, str)
    ]
    if not any(said):
        nodes = itertools.chain(things.nodes(node, "openingHoursSpecification"), things.nodes(node, "hoursAvailable"))
        said = [_hours_of(things, each) for each in nodes]
    return "; ".join(dict.fromkeys(filter(None, said)))[:LONGEST_HOURS]


def cost(things: Things, node: Node) -> str:
    """What using it costs, in the words of the offer, else its price."""
    for offer in things.nodes(node, "offers"):
        if said := things.text(offer, "description"):
            return said
        price, currency = things.text(offer, "price"), things.text(offer, "priceCurrency")
        if price:
            return f"{price} {currency}".strip()
    return ""


def read_amount(sheet: Sheet, node: Node, name: str) -> None:
    """A sum that is given as one value is least and most at once."""
    for value in sheet.things.values(node, name):
        if isinstance(value, dict):
            _read_sum(sheet, value, name)
        elif (written := sheet.things.said(value)) and not sheet.fields.keys() & {"amount_min", "amount_max"}:
            _read_words(sheet, node, written, name)


def _read_sum(sheet: Sheet, value: Node, path: str) -> None:
    things = sheet.things
    inner = next(things.nodes(value, "value"), value)
    currency = things.text(value, "currency") or things.text(inner, "currency")
    low, high = _number(things.text(inner, "minValue")), _number(things.text(inner, "maxValue"))
    if low is None and high is None:
        low = high = _number(things.text(inner, "value"))
    if low is not None and high is not None and low > high:
        return
    _put_sum(sheet, low, high, currency, path)


def _read_words(sheet: Sheet, node: Node, written: str, path: str) -> None:
    plain = _number(written)
    if plain is not None:
        _put_sum(sheet, plain, plain, sheet.things.text(node, "currency"), path)
        return
    found = find_amounts(written)
    if len(found) == 1:
        _put_sum(sheet, found[0].least, found[0].most, found[0].currency, path)


def _put_sum(sheet: Sheet, low: float | None, high: float | None, currency: str, path: str) -> None:
    """Sums of nothing are forms that nobody filled in."""
    if not (low or high):
        return
    if low:
        sheet.put("amount_min", low, path)
    sheet.put("amount_max", high, path)
    if len(currency) == CURRENCY_LETTERS and currency.isalpha() and currency.isascii():
        sheet.put("currency", currency.upper(), path)


def _prices(things: Things, offer: Node) -> list[float]:
    found = []
    for name in ("price", "lowPrice", "highPrice"):
        said = things.text(offer, name)
        value = _number(said.strip("€$£ ")) if said else None
        if value is not None:
            found.append(value)
    for each in itertools.islice(things.nodes(offer, "priceSpecification"), 20):
        value = _number(things.text(each, "price"))
        if value is not None:
            found.append(value)
    if not found and things.text(offer, "category").lower() in {"free", "бесплатно", "безплатно"}:
        found.append(0)
    return found


def _number(written: str) -> int | float | None:
    """12.00 and 14,00 and "7 500"; whole numbers as such."""
    plain = number(written) if "," not in written or written.count(",") + written.count(".") > 1 else None
    value = plain if plain is not None else parse_number(written.strip())
    if value is None or value < 0:
        return None
    return int(value) if value == int(value) else value


def _hours_of(things: Things, node: Node) -> str:
    if "validFrom" in node or "validThrough" in node:
        return ""
    days = sorted({day for each in things.values(node, "dayOfWeek") if (day := weekday(things.said(each))) is not None})
    opens, closes = (things.text(node, name)[:5] for name in ("opens", "closes"))
    if not days or not opens or not closes or opens == closes == "00:00":
        return ""
    return f"{_spans(days)} {opens}-{closes}"


def _spans(days: list[int]) -> str:
    """Mo-Fr for five days in a row, Mo,We for single ones."""
    spans: list[list[int]] = []
    for day in days:
        if spans and spans[-1][-1] == day - 1:
            spans[-1].append(day)
        else:
            spans.append([day])
    joined = []
    for span in spans:
        names = [SHORT_DAYS[day] for day in span]
        joined.append(f"{names[0]}-{names[-1]}" if len(names) > 2 else ",".join(names))  # noqa: PLR2004 - in a row
    return ",".join(joined)


def _last(things: Things, value: Any) -> str:
    """EventCancelled of https://schema.org/EventCancelled, in small letters."""
    said = value.get("@id", "") if isinstance(value, dict) and "@id" in value else things.said(value)
    return said.rstrip("/").rsplit("/", 1)[-1].rsplit(":", 1)[-1].strip().lower() if isinstance(said, str) else ""


def _bare(value: Any) -> Any:
    return value.get("@value", value.get("@id")) if isinstance(value, dict) else value
