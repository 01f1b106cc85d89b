"""Events of calendar files: a draft of each that lies ahead, and a sentence with its line for all that was lost."""

from __future__ import annotations

from gleanery.extraction.calendars.event import PAST_DAYS
from gleanery.extraction.calendars.file import Event, Head, events_of
from gleanery.extraction.calendars.lines import numbered
from gleanery.extraction.calendars.notes import Notes
from gleanery.extraction.calendars.reading import Fate, Reader, key_of
from gleanery.extraction.draft import Extracted, Source

MOST_EVENTS = 20_000
MOST_DRAFTS = 5_000

__all__ = ("PAST_DAYS", "fates_of", "from_icalendar")


def from_icalendar(source: Source) -> Extracted:
    """Drafts in the order of the file. Never raises: what cannot be read costs itself, and a sentence with its line."""
    notes = Notes()
    fates = fates_of(source, notes)
    for fate in fates:
        if fate.outcome == "refused":
            notes.add(fate.line, fate.reason)
    taken = [fate for fate in fates if fate.draft is not None]
    for fate in taken[MOST_DRAFTS : MOST_DRAFTS + 1]:
        notes.add(
            fate.line, f"From here on {len(taken) - MOST_DRAFTS} events were left out: the calendar has too many."
        )
    kept = taken[:MOST_DRAFTS]
    return Extracted(
        drafts=tuple(fate.draft for fate in kept if fate.draft is not None),
        contacts=tuple(dict.fromkeys(contact for fate in kept for contact in fate.contacts)),
        problems=notes.sentences(),
    )


def fates_of(source: Source, notes: Notes | None = None) -> list[Fate]:
    """What becomes of each event of a calendar, in the order of the file: none is without its line and its outcome."""
    notes = Notes() if notes is None else notes
    heads: list[Head] = []
    together: dict[str, list[Event]] = {}
    fates: list[Fate] = []
    for count, event in enumerate(events_of(numbered(source.html), heads)):
        if count < MOST_EVENTS:
            together.setdefault(key_of(event), []).append(event)
        else:
            fates.append(Fate(event.line, "refused", f"The calendar has more than {MOST_EVENTS} events."))
    reader = Reader(source, heads, notes)
    for events in together.values():
        fates.extend(reader.read(events))
    return sorted(fates, key=lambda fate: fate.line)
