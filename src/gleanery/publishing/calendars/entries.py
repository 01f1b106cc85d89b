"""VEVENTs of a record: its dates as one series with one UID, and the day on which it closes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, date, timedelta
from typing import Any

from django.utils.translation import gettext as _
from icalendar import Event

from gleanery.publishing.calendars.dates import Dated, Value, dated
from gleanery.publishing.showing.addresses import safe_link
from gleanery.publishing.showing.facts import amount, clocks_of, cost, status_of
from gleanery.publishing.showing.reading import Published
from gleanery.publishing.showing.reading_many import changed_at

LONGEST = 2_000
MOST_SOURCES = 10
STATUS = (("cancel", "CANCELLED"), ("postpone", "TENTATIVE"))


def entries_of(of: Published, link: str) -> Iterator[Event]:
    for suffix, dates in _series_of(dated(of.spans, clocks_of(of))).items():
        yield from _series(of, link, f"{of.record.pk}{suffix}", dates)
    if of.record.deadline:
        yield _deadline(of, link, of.record.deadline)


def _series_of(dates: Iterable[Dated]) -> dict[str, list[Dated]]:
    """Return the dates by what follows the id in their UID; the clearest clock has nothing there.

    Dates of one series share a clock. Some readers know a date of a series by its day alone, so the second on one day
    is of a series of its own.
    """
    known: dict[tuple[str, int], list[Dated]] = {}
    on_its_day: Counter[tuple[str, date]] = Counter()
    for each in dates:
        day = (each.form, each.day)
        known.setdefault((each.form, on_its_day[day]), []).append(each)
        on_its_day[day] += 1
    first = min((form for form, _ in known), default="")
    return {
        (f"-{form[2:]}" if form != first else "") + (f"-{number + 1}" if number else ""): known[form, number]
        for form, number in sorted(known)
    }


def _series(of: Published, link: str, uid: str, dates: list[Dated]) -> Iterator[Event]:
    """Return one event that names its other dates, and an exception for each that lasts longer or shorter."""
    first, *others = dates
    event = _event(of, link, uid, of.record.name)
    _at(event, first)
    if others:
        event.add("rdate", [each.start for each in others], parameters=_kind_of(first.start))
    yield event
    for each in others:
        if each.length != first.length:
            exception = _event(of, link, uid, of.record.name)
            exception.add("recurrence-id", each.start)
            _at(exception, each)
            yield exception


def _deadline(of: Published, link: str, day: date) -> Event:
    event = _event(of, link, f"{of.record.pk}-deadline", _("Closes: %(name)s") % {"name": of.record.name})
    event.add("dtstart", day)
    event.add("dtend", day + timedelta(days=1))
    event.add("transp", "TRANSPARENT")
    return event


def _at(event: Event, when: Dated) -> None:
    event.add("dtstart", when.start)
    if when.end is not None:
        event.add("dtend", when.end)


def _kind_of(value: Value) -> dict[str, str]:
    return {} if hasattr(value, "hour") else {"VALUE": "DATE"}


def _event(of: Published, link: str, uid: str, title: str) -> Event:
    """Return an event without its date. Its stamps change with the record and with nothing else."""
    event, changed, status = Event(), changed_at(of).astimezone(UTC), status_of(of.fields)
    event.add("uid", uid)
    event.add("dtstamp", changed)
    event.add("last-modified", changed)
    event.add("sequence", of.record.version)
    event.add("summary", f"{status}: {title}" if status else title)
    event.add("url", link)
    for name, value in (("status", _status(of.fields)), ("location", _where(of)), ("description", _about(of))):
        if value:
            event.add(name, value)
    if (point := _point(of)) is not None:
        event.add("geo", point)
    return event


def _status(fields: dict[str, Any]) -> str:
    said = str(fields.get("event_status") or "").casefold()
    return next((status for part, status in STATUS if part in said), "")


def _where(of: Published) -> str:
    parts = [of.place.name if of.place else of.fields.get("venue_name"), of.fields.get("address")]
    return ", ".join(dict.fromkeys(str(each) for each in [*parts, of.fields.get("locality")] if each))


def _about(of: Published) -> str:
    price = amount(of.fields) if of.record.kind == "funding" else cost(of.fields)
    parts = (str(of.fields.get("description") or "")[:LONGEST], price, _sources(of))
    return "\n\n".join(filter(None, parts))


def _sources(of: Published) -> str:
    """Return each source once: the address of its page, or its name."""
    links = dict.fromkeys((safe_link(each.page) or safe_link(each.url), each.source) for each in of.said)
    lines = dict.fromkeys(link or source for link, source in links)
    return "\n".join([_("Who says so") + ":", *list(lines)[:MOST_SOURCES]]) if lines else ""


def _point(of: Published) -> tuple[float, float] | None:
    """Return latitude and longitude, its own or those of its place."""
    for fields in (of.fields, of.place.fields if of.place else {}):
        lat, lon = fields.get("lat"), fields.get("lon")
        if isinstance(lat, int | float) and isinstance(lon, int | float):
            return float(lat), float(lon)
    return None
