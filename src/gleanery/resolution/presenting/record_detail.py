"""A record as shown to staff: each value with its source and other values, references, merges and history."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from gleanery.accounts.models import JournalEntry
from gleanery.extraction.models import Observation
from gleanery.feeds.models import Feed
from gleanery.kinds import KINDS, REFERENCED
from gleanery.resolution.decisions.merge import survivor_of
from gleanery.resolution.models import Edit, Merge, Record
from gleanery.resolution.records.event_times import EventTime, times_as_text
from gleanery.resolution.records.life import LIVE
from gleanery.resolution.records.projection import TIMES, Span

MOST_OBSERVATIONS = 200
MOST_NAMING = 50
MOST_HISTORY = 100
CURATOR = "curator"


@dataclass(frozen=True, slots=True)
class OtherValue:
    """Value of a field in one source that was not chosen."""

    value: Any
    source: str
    trust: int | None
    observation: UUID | None


@dataclass(frozen=True, slots=True)
class Value:
    """Current value of a field, its origin, and the values of other sources."""

    name: str
    value: Any
    by: str  # observation or edit
    source: str
    trust: int | None
    observation: UUID | None
    at: datetime | None
    others: list[OtherValue]


@dataclass(frozen=True, slots=True)
class ObservationView:
    """A current observation of the record."""

    id: UUID
    source: str
    trust: int
    external_id: str
    url: str
    version: int
    last_seen: datetime
    not_seen_since: datetime | None
    original: Any  # as the source sent it
    payload: dict[str, Any]  # the same, normalised
    silent: bool  # its source is blacklisted, so it is not used


@dataclass(frozen=True, slots=True)
class RelatedRecord:
    """A related record and its role."""

    id: UUID
    kind: str
    name: str
    status: str
    role: str


@dataclass(frozen=True, slots=True)
class MergeView:
    id: UUID
    loser: UUID
    loser_name: str
    survivor: UUID
    survivor_name: str
    by: str
    at: datetime
    undone_at: datetime | None


@dataclass(frozen=True, slots=True)
class EditView:
    field: str
    value: Any
    by: str
    at: datetime
    withdrawn_at: datetime | None


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    at: datetime
    by: str
    action: str
    before: Any
    after: Any
    reason: str


@dataclass(frozen=True, slots=True)
class RecordView:
    part_of: RelatedRecord | None  # the final survivor, if the record is merged
    values: list[Value]
    occurrences: list[EventTime]
    names: list[RelatedRecord]
    named_by: list[RelatedRecord]
    observations: list[ObservationView]
    edits: list[EditView]
    merges: list[MergeView]
    history: list[HistoryEntry]

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def shown(record: Record) -> RecordView:
    rows, edits = _observations(record), _edits(record)
    end = survivor_of(record) if record.merged_into_id else None
    said = _behind(record) if end else [each for each in rows if not each.source.is_silent] or rows
    return RecordView(
        part_of=_other(end, "survivor") if end else None,
        values=_values(record, said, edits),
        occurrences=_times(record, said, edits),
        names=[_other(each, role) for role in REFERENCED if (each := getattr(record, role)) is not None],
        named_by=_named_by(record),
        observations=[_said(each) for each in rows],
        edits=[EditView(each.field, each.value, str(each.by), each.at, each.withdrawn_at) for each in edits],
        merges=[_merged(each) for each in _merges(record)],
        history=_history(record),
    )


def full(record: Record) -> dict[str, Any]:
    """Return the record with all details for staff, as the API returns it."""
    return {"record": record, "fields": record.fields, **shown(record).as_dict()}


def _observations(record: Record) -> list[Observation]:
    """Return current observations in the order of precedence. Index: observation_of_record."""
    rows = Observation.objects.select_related("source__domain", "page").filter(record=record.pk, superseded_at=None)
    return list(rows.order_by("-source__trust", "first_observed", "source_id", "external_id")[:MOST_OBSERVATIONS])


def _behind(record: Record) -> list[Observation]:
    """Return the observations that a merged record was made of; they belong to the survivor now."""
    ids = {origin.get("id") for origin in record.provenance.values() if origin.get("by") != "edit"}
    return list(
        Observation.objects.select_related("source").filter(pk__in=ids - {None}).order_by("-source__trust", "pk")
    )


def _edits(record: Record) -> list[Edit]:
    return list(Edit.objects.select_related("by").filter(record=record).order_by("-at", "-id"))


def _values(record: Record, rows: list[Observation], edits: list[Edit]) -> list[Value]:
    """Return values in the field order of the kind, including fields cleared by an edit."""
    order = [*KINDS[record.kind].fields]
    there = {**record.fields, **{name: None for name in record.provenance if name not in record.fields}}
    names = sorted(there, key=lambda name: order.index(name) if name in order else len(order))
    by_id = {str(each.pk): each for each in rows}
    newest = {each.field: each for each in reversed(edits) if each.withdrawn_at is None}
    return [
        _value(name, there[name], record.provenance.get(name) or {}, by_id, newest)
        for name in names
        if name not in REFERENCED
    ]


def _value(
    name: str, value: Any, origin: Mapping[str, Any], rows: Mapping[str, Observation], edits: Mapping[str, Edit]
) -> Value:
    behind = rows.get(str(origin.get("id")))
    others = [
        OtherValue(each.payload[name], each.source.name, each.source.trust, each.pk)
        for each in rows.values()
        if each is not behind and each.payload.get(name) not in (None, "", value)
    ]
    if origin.get("by") == "edit":
        edit = edits.get(name)
        by, at = (str(edit.by), edit.at) if edit else (CURATOR, None)
        return Value(name, value, "edit", by, None, None, at, others)
    if behind is None:
        return Value(name, value, "observation", "", origin.get("trust"), None, None, others)
    source, trust = behind.source.name, origin.get("trust")
    return Value(name, value, "observation", source, trust, behind.pk, behind.last_seen, others)


def _times(record: Record, rows: list[Observation], edits: list[Edit]) -> list[EventTime]:
    """Return the times with their text, from the same values that the projection used."""
    spans = [Span(*each) for each in record.occurrences.order_by("start").values_list("start", "end", "start_date")]
    edited = TIMES & {each.field for each in edits if each.withdrawn_at is None}
    said = [record.fields] if edited else [each.payload for each in rows]
    return times_as_text(spans, said, str(record.fields.get("country") or ""))


def _named_by(record: Record) -> list[RelatedRecord]:
    """Return live records that name this one, like the events of a place. Indexes: record_held, record_run."""
    found = []
    for role, rows in (("place", record.held), ("organization", record.run)):
        live = rows.filter(status__in=LIVE).order_by("-id")[:MOST_NAMING]
        found += [_other(each, role) for each in live]
    return found


def _other(record: Record, role: str) -> RelatedRecord:
    return RelatedRecord(record.pk, record.kind, record.name, record.status, role)


def _address_of_feed(row: Observation) -> str:
    return Feed.objects.filter(pk=row.feed).values_list("url", flat=True).first() or "" if row.feed else ""


def _said(row: Observation) -> ObservationView:
    url = row.page.url if row.page else _address_of_feed(row)
    return ObservationView(
        row.pk,
        row.source.name,
        row.source.trust,
        row.external_id,
        url,
        row.version,
        row.last_seen,
        row.not_seen_since,
        row.original,
        row.payload,
        row.source.is_silent,
    )


def _merges(record: Record) -> QuerySet[Merge]:
    rows = Merge.objects.select_related("loser", "survivor", "by")
    return (rows.filter(survivor=record) | rows.filter(loser=record)).order_by("-id")


def _merged(merge: Merge) -> MergeView:
    loser, survivor = merge.loser, merge.survivor
    return MergeView(
        merge.pk, loser.pk, loser.name, survivor.pk, survivor.name, str(merge.by), merge.at, merge.undone_at
    )


def _history(record: Record) -> list[HistoryEntry]:
    rows = JournalEntry.objects.filter(subject_kind="record", subject_id=str(record.pk))
    rows = rows.select_related("actor", "key").order_by("-id")[:MOST_HISTORY]
    return [
        HistoryEntry(each.at, str(each.key or each.actor), each.action, each.before, each.after, each.reason)
        for each in rows
    ]
