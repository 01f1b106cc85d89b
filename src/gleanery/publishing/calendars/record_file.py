"""A record as an iCalendar file: each of its dates, and the day on which it closes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

from django.utils.translation import gettext as _
from icalendar import Calendar, Event

from gleanery.publishing.showing.facts import clocks_of, status_of
from gleanery.publishing.showing.moments import There
from gleanery.publishing.showing.reading import Published


def calendar_file(of: Published, link: str) -> bytes:
    calendar = Calendar()
    calendar.add("version", "2.0")
    calendar.add("prodid", "-//Gleanery//EN")
    for event in _events(of, link):
        calendar.add_component(event)
    return bytes(calendar.to_ical())


def _events(of: Published, link: str) -> Iterator[Event]:
    clocks = clocks_of(of)
    for number, (start, end) in enumerate(of.spans):
        event = _event(of, link, f"{of.record.pk}-{number}", of.record.name)
        first, last = clocks.at(start), clocks.at(end) if end else None
        event.add("dtstart", _value(first, start))
        if last is not None and end is not None and end > start and (last.wall is None) == (first.wall is None):
            event.add("dtend", last.day + timedelta(days=1) if last.wall is None else _value(last, end))
        if "cancel" in str(of.fields.get("event_status") or "").casefold():
            event.add("status", "CANCELLED")
        yield event
    if of.record.deadline:
        title = _("Closes: %(name)s") % {"name": of.record.name}
        event = _event(of, link, f"{of.record.pk}-deadline", title)
        event.add("dtstart", of.record.deadline)
        yield event


def _event(of: Published, link: str, uid: str, title: str) -> Event:
    event = Event()
    event.add("uid", uid)
    event.add("dtstamp", of.record.updated_at.astimezone(UTC))
    event.add("last-modified", of.record.updated_at.astimezone(UTC))
    event.add("sequence", of.record.version)
    status = status_of(of.fields)
    event.add("summary", f"{status}: {title}" if status else title)
    event.add("url", link)
    if text := str(of.fields.get("description") or ""):
        event.add("description", text[:2_000])
    parts = [of.place.name if of.place else of.fields.get("venue_name"), of.fields.get("address")]
    if where := ", ".join(str(each) for each in [*parts, of.fields.get("locality")] if each):
        event.add("location", where)
    return event


def _value(moment: There, instant: datetime) -> datetime | date:
    """A day, an instant in UTC, or a time on whatever clock is the local one."""
    if moment.wall is None:
        return moment.day
    return instant.astimezone(UTC) if moment.exact is not None else datetime.combine(moment.day, moment.wall)
