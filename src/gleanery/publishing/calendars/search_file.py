"""The calendar of a search: what clients subscribe to, streamed, with an ETag that is known before the first byte."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from uuid import UUID

from django.utils import translation
from icalendar import Calendar, Timezone

from gleanery.publishing.calendars.entries import entries_of
from gleanery.publishing.calendars.record_file import PRODUCT
from gleanery.publishing.calendars.zones import vtimezone, zones_of
from gleanery.publishing.search.filters import Filters
from gleanery.publishing.showing import reading_many
from gleanery.publishing.showing.addresses import path_of
from gleanery.publishing.syndication import selection
from gleanery.publishing.syndication.title import title_of

MOST_RECORDS = 1_000
ASK_AGAIN_AFTER = timedelta(hours=6)
END = b"END:VCALENDAR\r\n"


@dataclass(frozen=True, slots=True)
class Address:
    """Where readers find the site, this feed and the search that it follows."""

    root: str
    feed: str
    search: str


@dataclass(frozen=True, slots=True)
class SearchCalendar:
    etag: str
    head: bytes
    ids: list[UUID]
    root: str
    language: str

    def chunks(self) -> Iterator[bytes]:
        """Return the file in parts; no more than one batch of records is in memory."""
        yield self.head
        for batch in reading_many.in_batches(self.ids):
            with translation.override(self.language):
                yield b"".join(
                    event.to_ical()
                    for of in batch
                    for event in entries_of(of, self.root + path_of(of.record.pk, of.record.name))
                )
        yield END


def search_calendar(filters: Filters, today: date, site: str, address: Address) -> SearchCalendar:
    """Return the calendar of the soonest records of the search, in the language that is active now."""
    ids = selection.dated(filters, today, MOST_RECORDS).ids
    states = selection.states(ids)
    zones = [vtimezone(zone, today.year) for zone in zones_of({each.country for each in states})]
    head = _head(f"{site}: {title_of(filters)}", address, zones)
    language = translation.get_language() or "en"
    return SearchCalendar(selection.fingerprint(head, language, of=states), head, ids, address.root, language)


def _head(title: str, address: Address, zones: list[Timezone]) -> bytes:
    calendar = Calendar()
    for name, value in (
        ("version", "2.0"),
        ("prodid", PRODUCT),
        ("calscale", "GREGORIAN"),
        ("method", "PUBLISH"),
        ("name", title),
        ("x-wr-calname", title),
        ("url", address.search),
        ("source", address.feed),
        ("x-published-ttl", "PT6H"),
    ):
        calendar.add(name, value)
    calendar.add("refresh-interval", ASK_AGAIN_AFTER, parameters={"VALUE": "DURATION"})
    for zone in zones:
        calendar.add_component(zone)
    return bytes(calendar.to_ical()).removesuffix(END)
