"""Records whose identity became that of another: nobody joins them unasked, they are shown as possible duplicates."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from uuid import UUID

from gleanery.resolution import storage
from gleanery.resolution.identity import in_conflict
from gleanery.resolution.kinds import KINDS
from gleanery.resolution.matches.apart import told_apart
from gleanery.resolution.quality import Doubt
from gleanery.resolution.rows import Row

CODE = "potential_duplicate"
BY_IDENTITY = "identity"  # what tells these warnings from those of records that are merely alike
MOST = 5


def of(ids: Collection[UUID]) -> dict[UUID, list[Doubt]]:
    """The same for stored records; those that are not live collide with nobody."""
    rows = storage.records(ids=[str(each) for each in ids]).values()
    return {UUID(row_id): doubts for row_id, doubts in among(row for row in rows if row.is_live).items()}


def among(rows: Iterable[Row]) -> dict[str, list[Doubt]]:
    """For each of these the live records of equal identity, unless something or somebody speaks against it."""
    asked = {row.id: row for row in rows if row.identity}
    if not asked:
        return {}
    alike: defaultdict[bytes | None, list[Row]] = defaultdict(list)
    for other in storage.records(hashes={row.identity for row in asked.values() if row.identity}).values():
        if other.is_live:
            alike[other.identity].append(other)
    different = told_apart({other.id for others in alike.values() for other in others})
    found = {
        row.id: [
            _doubt(other)
            for other in sorted(alike[row.identity], key=lambda each: each.id)
            if other.id != row.id and _may_be_one(row, other) and frozenset((row.id, other.id)) not in different
        ][:MOST]
        for row in asked.values()
    }
    return {row_id: doubts for row_id, doubts in found.items() if doubts}


def _may_be_one(row: Row, other: Row) -> bool:
    return not (KINDS[row.kind].may_conflict and in_conflict(row.fields, other.fields))


def _doubt(other: Row) -> Doubt:
    detail = {"by": BY_IDENTITY, "duplicate_of": other.id, "candidate_name": other.name, "similarity_score": 1.0}
    return Doubt(CODE, f"It is now the same as “{other.name}” by all that makes one.", detail)
