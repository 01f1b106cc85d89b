"""Many records with all that their pages show, read in a few statements for a batch."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from gleanery.publishing.exports import statements
from gleanery.publishing.showing.reading import PUBLISHED, Published, Said, public_fields
from gleanery.resolution.intake.storage import loaded
from gleanery.resolution.models import Record
from gleanery.sql import array, rows

Span = tuple[datetime, datetime | None]


def whole(ids: Sequence[UUID]) -> list[Published]:
    """Return them in the order of their ids, without lists of related records."""
    found = Record.objects.select_related("place", "organization").in_bulk(list(ids))
    spans = _spans(ids)
    said = _said(ids)
    return [_published(found[each], spans.get(str(each), []), said.get(str(each), [])) for each in ids]


def _published(record: Record, spans: list[Span], said: list[Said]) -> Published:
    return Published(
        record,
        fields=public_fields(record.fields),
        spans=spans,
        said=said,
        place=_shown(record.place),
        organization=_shown(record.organization),
        at_place=[],
        by_organization=[],
    )


def _shown(named: Record | None) -> Record | None:
    return named if named is not None and named.status == PUBLISHED else None


def _spans(ids: Sequence[UUID]) -> dict[str, list[Span]]:
    found: dict[str, list[Span]] = {}
    for record, start, end in rows(statements.OCCURRENCES, ids=array(ids)):
        found.setdefault(record, []).append((start, end))
    return found


def _said(ids: Sequence[UUID]) -> dict[str, list[Said]]:
    found: dict[str, list[Said]] = {}
    for record, *facts, payload in rows(statements.SAID, ids=array(ids)):
        found.setdefault(record, []).append(Said._make((*facts, public_fields(loaded(payload)))))
    return found
