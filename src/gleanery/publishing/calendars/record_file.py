"""A record as an iCalendar file: each of its dates, and the day on which it closes."""

from __future__ import annotations

from django.utils import timezone
from icalendar import Calendar

from gleanery.publishing.calendars.entries import entries_of
from gleanery.publishing.calendars.zones import vtimezone, zones_of
from gleanery.publishing.showing.facts import country_of
from gleanery.publishing.showing.reading import Published

PRODUCT = "-//Gleanery//EN"


def calendar_file(of: Published, link: str) -> bytes:
    calendar = Calendar()
    calendar.add("version", "2.0")
    calendar.add("prodid", PRODUCT)
    for zone in zones_of([country_of(of.fields)]) if of.spans else ():
        calendar.add_component(vtimezone(zone, timezone.now().year))
    for event in entries_of(of, link):
        calendar.add_component(event)
    return bytes(calendar.to_ical())
