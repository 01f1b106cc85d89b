"""Text of event times as sources write them; the table of occurrences has only instants. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from gleanery.extraction.values import clock
from gleanery.resolution.records.projection import Span, spans_of


@dataclass(frozen=True, slots=True)
class EventTime:
    """One time of an event. `told` is text for people: in UTC if the instant is known, else in local time."""

    start: datetime
    end: datetime | None
    start_date: date
    told: str


def times_as_text(spans: Iterable[Span], said: Iterable[Mapping[str, Any]], country: str) -> list[EventTime]:
    starts: dict[datetime, clock.Moment] = {}
    ends: dict[datetime, clock.Moment] = {}
    for payload in said:
        for start, end in spans_of(payload):
            _keep(starts, clock.read(start, country))
            _keep(ends, clock.read(end, country) if end else None)
    return [EventTime(*span, _text(span, starts, ends)) for span in spans]


def _keep(known: dict[datetime, clock.Moment], moment: clock.Moment | None) -> None:
    """Keep the most precise moment of each instant: an exact one, else a local time, else a day."""
    if moment is None:
        return
    there = known.get(at := clock.instant(moment))
    if there is None or _clearness(moment) > _clearness(there):
        known[at] = moment


def _clearness(moment: clock.Moment) -> tuple[bool, bool]:
    return moment.exact is not None, moment.wall is not None


def _text(span: Span, starts: Mapping[datetime, clock.Moment], ends: Mapping[datetime, clock.Moment]) -> str:
    start = starts.get(span.start) or clock.Moment(span.day, span.start, None)
    end = (ends.get(span.end) or clock.Moment(span.end.date(), span.end, None)) if span.end else None
    return clock.span_as_text(start, end)
