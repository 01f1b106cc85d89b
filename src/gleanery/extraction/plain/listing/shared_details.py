"""Times and places stated once for all entries: "All meetings begin at 6 p.m. in Room 203"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from gleanery.extraction.plain.event_details.times_and_prices import DOORS
from gleanery.extraction.plain.event_details.venues import HALL
from gleanery.extraction.plain.layout.blocks import Block
from gleanery.extraction.plain.listing.entries import Entry
from gleanery.extraction.plain.listing.page_lines import Line
from gleanery.extraction.plain.structure.labels import role_of
from gleanery.extraction.values.addresses import Address, find_address
from gleanery.extraction.values.opening_hours import find_hours
from gleanery.extraction.values.times import Times, find_times

LONGEST = 700
LONGEST_VENUE = 90

_FOR_ALL = re.compile(
    r"\b(?:all|every|each|meetings?|meets?|sessions?|hearings?|held|begins?|starts?|commences?|convenes?|takes? place|"
    r"time|всички|всеки|всяка|заседания\w*|срещите|провежда\w*|започва\w*|начало|"
    r"alle|jeden|jeweils|sitzungen|treffen|beginn\w*|finden|toutes?|chaque|séances?|réunions?|"
    r"todas?|cada|reuniones|sesiones|toate|fiecare|ședințele|tutte|ogni)\b",
    re.IGNORECASE,
)
_HOUSE = (
    r"Room|Rooms|Hall|Chambers?|Auditorium|Cent(?:er|re)|Library|Building|School|Church|Park|Theat(?:er|re)|Museum|Headquarters|"
    r"Courthouse|Offices?|House|Arena|Club|Gallery|Campus|Annex|Plaza|Suite|Floor|Boardroom|Complex|College|University|Pavilion"
)
_VENUE = re.compile(
    rf"\b(?:[Ii]n|[Aa]t|@)\s(?:the\s|our\s)?(?P<name>(?:[A-Z0-9][\w.&’'/-]*,?\s(?:(?:of|the|and|for|&)\s)?){{0,8}}"
    rf"(?:{_HOUSE})\b(?:\s(?:[A-Z]?\d[\w/-]*|[A-Z]\b)(?:\s?[A-Z]/[A-Z])?)?)"
)


class SharedDetails:
    """Times and places stated for a section or the whole page."""

    def __init__(self, lines: Sequence[Line], country: str, entries: Sequence[Entry]) -> None:
        self._country = country
        own = {id(line) for entry in entries for line in entry.lines if entry.line.dates}
        self._lines = [line for line in lines if id(line) not in own and not line.dates and len(line.text) <= LONGEST]

    @cached_property
    def _all_times(self) -> list[tuple[Line, Times]]:
        return [(line, times) for line in self._lines if (times := _time_for_all(line.text))]

    @cached_property
    def _all_places(self) -> list[tuple[Line, tuple[str, Address | None]]]:
        return [(line, place) for line in self._lines if (place := self._place_for_all(line))]

    def time_for(self, line: Line) -> tuple[Times, str] | None:
        """Return the time of the section, else the only one on the page."""
        near = [(each, times) for each, times in self._all_times if each.heading is line.heading]
        found = near or self._all_times
        if len({times.start for _, times in found}) != 1:
            return None
        each, times = found[0]
        return times, each.text

    def place_for(self, line: Line) -> tuple[str, Address | None, str] | None:
        near = [(each, place) for each, place in self._all_places if each.heading is line.heading]
        found = near or self._all_places
        if not found or (not near and len({(name, str(address)) for _, (name, address) in found}) > 1):
            return None
        each, (name, address) = found[0]
        return name, address, each.text

    def _place_for_all(self, line: Line) -> tuple[str, Address | None] | None:
        if not _FOR_ALL.search(line.text) and not _is_labelled(line.block):
            return None
        return place_in(line.text, self._country)


def place_in(text: str, country: str) -> tuple[str, Address | None] | None:
    """Return the venue and address named in a text, or None."""
    address = find_address(text, country)
    venue = next((match["name"].strip(" ,") for match in _VENUE.finditer(text)), "")
    if not venue and (hall := HALL.search(text)):
        venue = hall.group()
    if address is not None and (address.street or address.postal_code):
        return venue or ("" if _FOR_ALL.search(address.venue) else address.venue), address
    return (venue, None) if venue and len(venue) <= LONGEST_VENUE else None


def time_in(text: str) -> Times | None:
    """Return the first certain time that is not the opening of doors."""
    return next((each for each in find_times(text) if each.certain and not DOORS.search(text[: each.begin])), None)


def _time_for_all(text: str) -> Times | None:
    times = time_in(text)
    return times if times and _FOR_ALL.search(text) and not find_hours(text) else None


def _is_labelled(block: Block) -> bool:
    return block.kind == "pair" and role_of(block.label) in ("place", "address")
