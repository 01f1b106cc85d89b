"""Extractor for calendar files: a draft per upcoming event, and a problem with line number for each loss."""

from __future__ import annotations

from gleanery.extraction.calendars.components import CalendarHeader, Event, events_of
from gleanery.extraction.calendars.content_lines import numbered
from gleanery.extraction.calendars.parsed_event import PAST_DAYS
from gleanery.extraction.calendars.problems import Problems
from gleanery.extraction.calendars.uid_groups import EventOutcome, GroupReader, group_key
from gleanery.extraction.draft import Extracted, PageSource

MOST_EVENTS = 20_000
MOST_DRAFTS = 5_000

__all__ = ("PAST_DAYS", "from_icalendar", "outcomes_of")


def from_icalendar(source: PageSource) -> Extracted:
    """Return drafts in file order. Never raises: unreadable parts are reported in `problems`."""
    problems = Problems()
    outcomes = outcomes_of(source, problems)
    for outcome in outcomes:
        if outcome.status == "refused":
            problems.add(outcome.line, outcome.reason)
    taken = [outcome for outcome in outcomes if outcome.draft is not None]
    for outcome in taken[MOST_DRAFTS : MOST_DRAFTS + 1]:
        problems.add(
            outcome.line, f"The last {len(taken) - MOST_DRAFTS} events were left out, since the calendar has too many."
        )
    kept = taken[:MOST_DRAFTS]
    return Extracted(
        drafts=tuple(outcome.draft for outcome in kept if outcome.draft is not None),
        contacts=tuple(dict.fromkeys(contact for outcome in kept for contact in outcome.contacts)),
        problems=problems.sentences(),
    )


def outcomes_of(source: PageSource, problems: Problems | None = None) -> list[EventOutcome]:
    """Return the outcome of every event of a calendar, in file order."""
    problems = Problems() if problems is None else problems
    headers: list[CalendarHeader] = []
    together: dict[str, list[Event]] = {}
    outcomes: list[EventOutcome] = []
    for count, event in enumerate(events_of(numbered(source.html), headers)):
        if count < MOST_EVENTS:
            together.setdefault(group_key(event), []).append(event)
        else:
            outcomes.append(EventOutcome(event.line, "refused", f"The calendar has more than {MOST_EVENTS} events."))
    reader = GroupReader(source, headers, problems)
    for events in together.values():
        outcomes.extend(reader.read(events))
    return sorted(outcomes, key=lambda outcome: outcome.line)
