"""Published records read many at a time, as their pages read one: a few statements for each batch."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from uuid import UUID

from gleanery.publishing import freshness
from gleanery.publishing.showing.reading import MOST_DATES, PUBLISHED, SOURCES, Published, Said, public_fields
from gleanery.resolution.intake.storage import loaded
from gleanery.resolution.models import Record
from gleanery.sql import array, rows

A_BATCH = 100
Span = tuple[datetime, datetime | None]
# The latest, where a series has more dates than a calendar wants. Index: occurrence_once.
SPANS = """
    SELECT record_id, start, "end" FROM unnest(%(ids)s::uuid[]) AS wanted (id) CROSS JOIN LATERAL (
        SELECT record_id, start, "end" FROM occurrence WHERE record_id = wanted.id ORDER BY start DESC LIMIT %(most)s
    ) AS span ORDER BY record_id, start
"""
SAID = f"""
    SELECT wanted.record, said.* FROM unnest(%(ids)s::uuid[]) AS wanted (record)
    CROSS JOIN LATERAL ({SOURCES.replace("record = %(record)s", "observation.record = wanted.record")}) AS said
"""  # noqa: S608  # made of our own text


def in_batches(ids: Sequence[UUID]) -> Iterator[list[Published]]:
    for first in range(0, len(ids), A_BATCH):
        yield published_many(ids[first : first + A_BATCH])


def published_many(ids: Sequence[UUID], most_dates: int = MOST_DATES) -> list[Published]:
    """Return those that are still published, in the order asked for; what else is on at their places is left out."""
    found = Record.objects.select_related("place", "organization").filter(status=PUBLISHED).in_bulk(ids)
    spans, said, fresh = _spans(ids, most_dates), _said(ids), freshness.of(ids)
    return [
        Published(
            record,
            fields=public_fields(record.fields),
            spans=spans[record.pk],
            said=said[record.pk],
            place=_shown(record.place),
            organization=_shown(record.organization),
            at_place=[],
            by_organization=[],
            freshness=fresh[record.pk],
        )
        for each in ids
        if (record := found.get(each)) is not None
    ]


def changed_at(of: Published) -> datetime:
    """Return when the record, its place or its organisation last changed."""
    return max(each.updated_at for each in (of.record, of.place, of.organization) if each is not None)


def _shown(named: Record | None) -> Record | None:
    return named if named is not None and named.status == PUBLISHED else None


def _spans(ids: Sequence[UUID], most: int) -> dict[UUID, list[Span]]:
    spans: dict[UUID, list[Span]] = defaultdict(list)
    for record, start, end in rows(SPANS, ids=array(ids), most=most):
        spans[record].append((start, end))
    return spans


def _said(ids: Sequence[UUID]) -> dict[UUID, list[Said]]:
    said: dict[UUID, list[Said]] = defaultdict(list)
    for record, *row in rows(SAID, ids=array(ids)):
        said[record].append(Said._make((*row[:-1], public_fields(loaded(row[-1])))))
    return said
