"""Filtered lists of records with their source counts, and look-up by the beginning of an id."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from uuid import UUID

from django.db.models import Count, Max, QuerySet

from gleanery.domains.life import BLACKLISTED
from gleanery.extraction.models import Observation
from gleanery.resolution.models import Record
from gleanery.resolution.records.life import LIVE

DIGITS = 32  # digits of an id without dashes


def filtered(
    *,
    kind: str | None = None,
    status: str | None = None,
    containing: str | None = None,
    source: str | None = None,
    note: str | None = None,
) -> QuerySet[Record]:
    """Return matching records, newest first. Without a status only live ones are included.

    Indexes: record_list, record_notes.
    """
    rows = Record.objects.filter(status=status) if status else Record.objects.filter(status__in=LIVE)
    rows = rows.filter(kind=kind) if kind else rows
    rows = rows.filter(name__icontains=containing) if containing else rows
    rows = of_source(rows, source) if source else rows
    rows = rows.filter(notes__contains=[note]) if note else rows
    return rows.order_by("-id")


def of_source(records: QuerySet[Record], name: str) -> QuerySet[Record]:
    """Return the records with a current observation of this source. Index: observation_current_once."""
    current = Observation.objects.filter(source__name=name, superseded_at=None, record__isnull=False)
    return records.filter(pk__in=current.values("record"))


def with_source_counts(records: Iterable[Record]) -> Sequence[Record]:
    """Return the records with `n_sources` and `last_seen` set, by one query for all."""
    rows = list(records)
    counts = source_counts([each.pk for each in rows])
    for each in rows:
        each.n_sources, each.last_seen = counts.get(each.pk, (0, None))  # type: ignore[attr-defined]
    return rows


def source_counts(ids: Sequence[UUID]) -> dict[UUID, tuple[int, object]]:
    """Return number of sources and time last seen per record. Index: observation_of_record."""
    current = Observation.objects.filter(record__in=ids, superseded_at=None).order_by()
    current = current.exclude(source__domain__processing_status=BLACKLISTED)
    counted = current.values_list("record").annotate(Count("source", distinct=True), Max("last_seen"))
    return {record: (count, seen) for record, count, seen in counted if record}


def beginning_with(text: str) -> list[Record]:
    """Return at most two records whose id begins so, enough to see if one is unique. A range uses the primary key."""
    digits = "".join(letter for letter in text if letter in "0123456789abcdef")
    if not digits or len(digits) > DIGITS or digits != text.replace("-", ""):
        return []
    first, last = UUID(digits.ljust(DIGITS, "0")), UUID(digits.ljust(DIGITS, "f"))
    return list(Record.objects.filter(pk__gte=first, pk__lte=last).order_by("pk")[:2])
