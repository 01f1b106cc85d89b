"""Reads schema.org values: event status, prices, sums, opening hours, keywords."""

from __future__ import annotations

import itertools
from typing import Any

from gleanery.extraction.structured.draft_builder import DraftBuilder
from gleanery.extraction.structured.nodes import Node, NodeGraph
from gleanery.extraction.structured.schedules import weekday
from gleanery.extraction.structured.schema_places import number
from gleanery.extraction.values.amounts import find_amounts, parse_number

LONGEST_HOURS = 500
MOST_KEYWORDS = 50
MOST_WORDS = 3  # of an entry without commas that still is a keyword

# Most specific first: an event marked both scheduled and moved was moved.
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


def status(graph: NodeGraph, node: Node) -> str:
    stated = {_last(graph, value).removeprefix("event") for value in graph.values(node, "eventStatus")}
    stated = {"cancelled" if each == "canceled" else each for each in stated}
    return next((ours for theirs, ours in STATUSES if theirs.removeprefix("Event").lower() in stated), "")


def attendance(graph: NodeGraph, node: Node, *names: str) -> str:
    stated = {MODES.get(_last(graph, value), "") for value in graph.values(node, *names)} - {""}
    if stated == {"online", "offline"}:
        return "mixed"
    return stated.pop() if len(stated) == 1 else ""


def free(graph: NodeGraph, node: Node) -> bool | None:
    """Return True if it is free, by its own flag or if all offers are free; None if unknown."""
    for value in graph.values(node, "isAccessibleForFree", "free"):
        stated = str(_bare(value)).strip().lower().rsplit("/", 1)[-1]
        if stated in {"true", "1", "yes"}:
            return True
        if stated in {"false", "0", "no"}:
            return False
    prices = [price for offer in graph.nodes(node, "offers") for price in _prices(graph, offer)]
    return not any(prices) if prices else None


def keywords(graph: NodeGraph, node: Node) -> list[str]:
    """Return keywords from a list or a comma-separated string."""
    found: dict[str, None] = {}
    for value in itertools.islice(graph.values(node, "keywords"), MOST_KEYWORDS):
        stated = graph.text_of(value, limit=2_000)
        for part in stated.split(";" if ";" in stated else ","):
            if part.strip() and len(found) < MOST_KEYWORDS:
                found[part.strip()] = None
    return list(found)


def hours(graph: NodeGraph, node: Node) -> str:
    """Return opening hours as Mo-Fr 08:30-12:00; Sa 09:00-12:30. Entries limited to certain dates are left out."""
    stated = [
        graph.text_of(value) for value in graph.values(node, "openingHours", "hoursAvailable") if isinstance(value, str)
    ]
    if not any(stated):
        nodes = itertools.chain(graph.nodes(node, "openingHoursSpecification"), graph.nodes(node, "hoursAvailable"))
        stated = [_hours_of(graph, each) for each in nodes]
    return "; ".join(dict.fromkeys(filter(None, stated)))[:LONGEST_HOURS]


def cost(graph: NodeGraph, node: Node) -> str:
    """Return the description of the first offer, else its price."""
    for offer in graph.nodes(node, "offers"):
        if stated := graph.text(offer, "description"):
            return stated
        price, currency = graph.text(offer, "price"), graph.text(offer, "priceCurrency")
        if price:
            return f"{price} {currency}".strip()
    return ""


def read_amount(builder: DraftBuilder, node: Node, name: str) -> None:
    """Read a sum; a single value is both minimum and maximum."""
    for value in builder.graph.values(node, name):
        if isinstance(value, dict):
            _read_sum(builder, value, name)
        elif (written := builder.graph.text_of(value)) and not builder.fields.keys() & {"amount_min", "amount_max"}:
            _read_words(builder, node, written, name)


def _read_sum(builder: DraftBuilder, value: Node, path: str) -> None:
    graph = builder.graph
    inner = next(graph.nodes(value, "value"), value)
    currency = graph.text(value, "currency") or graph.text(inner, "currency")
    low, high = _number(graph.text(inner, "minValue")), _number(graph.text(inner, "maxValue"))
    if low is None and high is None:
        low = high = _number(graph.text(inner, "value"))
    if low is not None and high is not None and low > high:
        return
    _put_sum(builder, low, high, currency, path)


def _read_words(builder: DraftBuilder, node: Node, written: str, path: str) -> None:
    plain = _number(written)
    if plain is not None:
        _put_sum(builder, plain, plain, builder.graph.text(node, "currency"), path)
        return
    found = find_amounts(written)
    if len(found) == 1:
        _put_sum(builder, found[0].least, found[0].most, found[0].currency, path)


def _put_sum(builder: DraftBuilder, low: float | None, high: float | None, currency: str, path: str) -> None:
    """Put a sum; zero means an empty form."""
    if not (low or high):
        return
    if low:
        builder.put("amount_min", low, path)
    builder.put("amount_max", high, path)
    if len(currency) == CURRENCY_LETTERS and currency.isalpha() and currency.isascii():
        builder.put("currency", currency.upper(), path)


def _prices(graph: NodeGraph, offer: Node) -> list[float]:
    found = []
    for name in ("price", "lowPrice", "highPrice"):
        stated = graph.text(offer, name)
        value = _number(stated.strip("€$£ ")) if stated else None
        if value is not None:
            found.append(value)
    for each in itertools.islice(graph.nodes(offer, "priceSpecification"), 20):
        value = _number(graph.text(each, "price"))
        if value is not None:
            found.append(value)
    if not found and graph.text(offer, "category").lower() in {"free", "бесплатно", "безплатно"}:
        found.append(0)
    return found


def _number(written: str) -> int | float | None:
    """Parse 12.00, 14,00 or "7 500"; whole numbers become int."""
    plain = number(written) if "," not in written or written.count(",") + written.count(".") > 1 else None
    value = plain if plain is not None else parse_number(written.strip())
    if value is None or value < 0:
        return None
    return int(value) if value == int(value) else value


def _hours_of(graph: NodeGraph, node: Node) -> str:
    if "validFrom" in node or "validThrough" in node:
        return ""
    days = sorted(
        {day for each in graph.values(node, "dayOfWeek") if (day := weekday(graph.text_of(each))) is not None}
    )
    opens, closes = (graph.text(node, name)[:5] for name in ("opens", "closes"))
    if not days or not opens or not closes or opens == closes == "00:00":
        return ""
    return f"{_spans(days)} {opens}-{closes}"


def _spans(days: list[int]) -> str:
    """Return Mo-Fr for consecutive days, Mo,We for single ones."""
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


def _last(graph: NodeGraph, value: Any) -> str:
    """Return the last part of an address in lower case: eventcancelled."""
    stated = value.get("@id", "") if isinstance(value, dict) and "@id" in value else graph.text_of(value)
    return stated.rstrip("/").rsplit("/", 1)[-1].rsplit(":", 1)[-1].strip().lower() if isinstance(stated, str) else ""


def _bare(value: Any) -> Any:
    return value.get("@value", value.get("@id")) if isinstance(value, dict) else value
