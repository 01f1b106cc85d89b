"""Projection: the only computation of a record from its observations and edits. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from gleanery.extraction.values import clock
from gleanery.kinds import KINDS, REFERENCED
from gleanery.resolution.records.identity import Subject

NOTHING: tuple[Any, ...] = (None, "", [], {})
TIMES = frozenset({"start", "end", "occurrences"})


class SourceInfo(NamedTuple):
    """The parts of a source that the projection needs."""

    source: str
    trust: int
    asks: tuple[str, ...] = ()  # notes that hold its records back for review


class CurrentObservation(NamedTuple):
    """The current observation of a thing by one source, with the records that it names."""

    id: str
    source: str
    trust: int
    first: datetime
    external_id: str
    payload: dict[str, Any]
    place: str | None = None
    organization: str | None = None
    extractor: str = ""
    asks: tuple[str, ...] = ()  # as in SourceInfo

    @property
    def subject(self) -> Subject:
        return Subject(self.payload, self.place, self.organization, self.external_id)

    @property
    def rank(self) -> tuple[int, datetime, str, str]:
        """Sort key: highest trust first, then first observed. It is unique, and a new version does not change it."""
        return -self.trust, self.first, self.source, self.external_id


class Edited(NamedTuple):
    id: str
    field: str
    value: Any
    at: datetime


class Span(NamedTuple):
    start: datetime
    end: datetime | None
    day: date


class Projection(NamedTuple):
    fields: dict[str, Any]
    provenance: dict[str, dict[str, Any]]
    occurrences: list[Span]
    place: str | None
    organization: str | None


def project(kind: str, observations: Iterable[CurrentObservation], edits: Iterable[Edited] = ()) -> Projection:
    """Return the record made from observations and edits, whatever their order."""
    ranked = sorted(observations, key=lambda observation: observation.rank)
    fields: dict[str, Any] = {}
    provenance: dict[str, dict[str, Any]] = {}
    fold(kind, ranked, fields, provenance)
    newest = {each.field: each for each in sorted(edits, key=lambda each: (each.at, each.id))}
    for name, edit in newest.items():
        provenance[name] = {"by": "edit", "id": edit.id}
        fields[name] = edit.value
        if edit.value is None:
            del fields[name]
    place, organization = (fields.pop(name, None) for name in REFERENCED)
    said = [fields] if TIMES & newest.keys() else [observation.payload for observation in ranked]
    spans = occurrences(said, str(fields.get("country") or "")) if "start" in KINDS[kind].fields else []
    return Projection(fields, provenance, spans, place, organization)


def fold(
    kind: str, ranked: Iterable[CurrentObservation], fields: dict[str, Any], provenance: dict[str, dict[str, Any]]
) -> None:
    """Fill each missing field from the first observation that has it; references count as fields here."""
    known = KINDS[kind].fields
    for observation in ranked:
        origin = {"by": "observation", "id": observation.id, "source": observation.source, "trust": observation.trust}
        for name, value in observation.payload.items():
            if name not in fields and name in known and value not in NOTHING:
                fields[name], provenance[name] = value, origin
        for name in REFERENCED:
            if name not in fields and (record := getattr(observation, name)):
                fields[name], provenance[name] = record, origin


def add(
    kind: str, fields: dict[str, Any], provenance: dict[str, dict[str, Any]], later: Sequence[CurrentObservation]
) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Add observations that are all later than those of the record, with the same result as projecting all again.

    So a venue that a thousand events name need not be read again for each. Only for kinds without times.
    """
    fields, provenance = dict(fields), dict(provenance)
    fresh: dict[str, Any] = {}
    origins: dict[str, dict[str, Any]] = {}
    fold(kind, sorted(later, key=lambda observation: observation.rank), fresh, origins)
    for name, value in fresh.items():
        there = provenance.get(name)
        if there is None or (there["by"] == "observation" and origins[name]["trust"] > there["trust"]):
            fields[name], provenance[name] = value, origins[name]
    return fields, provenance


def occurrences(said: Iterable[dict[str, Any]], country: str) -> list[Span]:
    """Return times merged by start. A time replaces a bare day, an exact time the same local time without zone."""
    exact: dict[datetime, Span] = {}
    loose: dict[datetime, tuple[clock.Moment, Span]] = {}
    walls: set[tuple[date, Any]] = set()
    for payload in said:
        for start, end in spans_of(payload):
            moment = clock.read(start, country)
            if moment is None:
                continue
            begin = clock.instant(moment)
            last = clock.read(end, country) if end else None
            span = Span(begin, clock.instant(last) if last else None, moment.day)
            if moment.exact is None:
                loose.setdefault(begin, (moment, span))
                continue
            walls.add((moment.day, moment.wall))
            exact[begin] = _filled(exact.get(begin), span)
    timed = {day for day, _ in walls} | {moment.day for moment, _ in loose.values() if moment.wall is not None}
    for begin, (moment, span) in loose.items():
        gives_way = moment.day in timed if moment.wall is None else (moment.day, moment.wall) in walls
        if not gives_way:
            exact[begin] = _filled(exact.get(begin), span)
    return [exact[start] for start in sorted(exact)]


def _filled(there: Span | None, span: Span) -> Span:
    return span if there is None else there if there.end else there._replace(end=span.end)


def spans_of(payload: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    listed = payload.get("occurrences")
    spans = listed if isinstance(listed, list) and listed else [payload]
    for each in spans:
        if isinstance(each, dict) and isinstance(start := each.get("start"), str):
            end = each.get("end")
            yield start, end if isinstance(end, str) else ""
