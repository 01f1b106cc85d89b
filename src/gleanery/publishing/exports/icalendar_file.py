"""iCalendar: one VEVENT for each event; days, times without a known zone and instants are kept apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any, BinaryIO

from icalendar import Event

from gleanery.extraction.values import clock
from gleanery.extraction.values.clock import Moment
from gleanery.publishing.exports.contents import Contents, Row
from gleanery.publishing.exports.format import Format
from gleanery.publishing.exports.location_line import location_line
from gleanery.publishing.showing.addresses import safe_link
from gleanery.resolution.records.projection import spans_of

HEAD = b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Gleanery//Export//EN\r\n"
FOOT = b"END:VCALENDAR\r\n"
STATUSES = (("cancel", "CANCELLED"), ("postpone", "TENTATIVE"), ("reschedul", "CONFIRMED"), ("schedul", "CONFIRMED"))
IN_THE_TITLE = (("postpone", "Postponed"), ("reschedul", "Rescheduled"))  # no STATUS says so


def write(contents: Contents, out: BinaryIO) -> None:
    out.write(HEAD)
    stamp = contents.made_at.astimezone(UTC)
    for kind in contents.kinds(FORMAT.kinds):
        for row in contents.rows(kind):
            if event := _event(row, stamp):
                out.write(event.to_ical())
    out.write(FOOT)


def _event(row: Row, stamp: datetime) -> Event | None:
    """None for an event without a date, which no calendar can hold."""
    fields = row.fields()
    spans = list(_spans(fields))
    if not spans:
        return None
    event = Event()
    event.add("uid", row.id)
    event.add("dtstamp", stamp)
    _add_times(event, spans)
    for name, value in _properties(fields):
        event.add(name, value)
    return event


def _spans(fields: dict[str, Any]) -> Iterator[tuple[Moment, Moment | None]]:
    country = str(fields.get("country") or "")
    for start, end in spans_of(fields):
        if moment := clock.read(start, country):
            yield moment, clock.read(end, country) if end else None


def _add_times(event: Event, spans: list[tuple[Moment, Moment | None]]) -> None:
    """Further dates are RDATEs; each lasts as long as the first."""
    (start, end), *others = spans
    first = _value(start)
    event.add("dtstart", first)
    if end is not None and type(last := _end(end)) is type(first) and last > first:
        event.add("dtend", last)
    for further, _ in others:
        if type(value := _value(further)) is type(first) and value != first:
            event.add("rdate", value)


def _value(moment: Moment) -> datetime | date:
    if moment.exact is not None:
        return moment.exact.astimezone(UTC)
    return moment.day if moment.wall is None else datetime.combine(moment.day, moment.wall)


def _end(moment: Moment) -> datetime | date:
    """A day is included by us; to iCalendar the end is the first day after."""
    return _value(moment) if moment.wall is not None else moment.day + timedelta(days=1)


def _properties(fields: dict[str, Any]) -> Iterable[tuple[str, Any]]:
    status = str(fields.get("event_status") or "").casefold()
    title = next((f"{words}: " for part, words in IN_THE_TITLE if part in status), "")
    found = {
        "summary": f"{title}{fields['name']}",
        "description": fields.get("description"),
        "location": location_line(fields),
        "geo": (fields["lat"], fields["lon"]) if "lat" in fields and "lon" in fields else None,
        "url": safe_link(fields.get("url")),
        "categories": fields.get("keywords"),
        "status": next((word for part, word in STATUSES if part in status), ""),
        "conference": safe_link(fields.get("virtual_url")),
    }
    return ((name, value) for name, value in found.items() if value)


FORMAT = Format(
    name="ics",
    label="iCalendar",
    ending="ics",
    media_type="text/calendar; charset=utf-8",
    write=write,
    kinds=frozenset({"event"}),
    reads_back=True,
)
