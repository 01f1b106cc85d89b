"""Finds records whose identity became equal to that of another; they are shown as possible duplicates, not merged."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from uuid import UUID

from gleanery.kinds import KINDS
from gleanery.resolution.intake import storage
from gleanery.resolution.intake.record_draft import RecordDraft
from gleanery.resolution.near.different_pairs import judged_different
from gleanery.resolution.records.conflicts import in_conflict
from gleanery.resolution.records.duplicate_sentences import BY_IDENTITY, sentences
from gleanery.resolution.records.quality import Doubt

CODE = "potential_duplicate"
MOST = 5
IDENTITY_FIELDS = (  # fields that identities are made of
    *("name", "start", "place", "organization", "virtual_url", "address", "locality", "region", "country", "url"),
    *("deadline", "year"),
)


def of(ids: Collection[UUID]) -> dict[UUID, list[Doubt]]:
    """Return doubts for stored records, by id; records that are not live have none."""
    rows = storage.records(ids=[str(each) for each in ids]).values()
    return {UUID(row_id): doubts for row_id, doubts in among(row for row in rows if row.is_live).items()}


def among(rows: Iterable[RecordDraft]) -> dict[str, list[Doubt]]:
    """Return doubts about live records of equal identity, except conflicting ones and those judged different."""
    asked = {row.id: row for row in rows if _counted(row)}
    if not asked:
        return {}
    alike: defaultdict[bytes, list[RecordDraft]] = defaultdict(list)
    there = storage.records(hashes=set().union(*map(_counted, asked.values())))
    for other in there.values():
        for each in _counted(other) if other.is_live else ():
            alike[each].append(other)
    different = judged_different(there.keys())
    found = {
        row.id: [
            _doubt(other)
            for other in _in_order(alike[each] for each in _counted(row))
            if other.id != row.id and _may_be_one(row, other) and frozenset((row.id, other.id)) not in different
        ][:MOST]
        for row in asked.values()
    }
    return {row_id: doubts for row_id, doubts in found.items() if doubts}


def _counted(row: RecordDraft) -> set[bytes]:
    """Return the firm identities of a record; only its own if a curator edited a field of the identity."""
    if row.identity and any(row.provenance.get(name, {}).get("by") == "edit" for name in IDENTITY_FIELDS):
        return {row.identity}
    return row.firm


def _in_order(found: Iterable[list[RecordDraft]]) -> list[RecordDraft]:
    """Return each record once, in the order of ids."""
    rows = {row.id: row for listed in found for row in listed}
    return [rows[record] for record in sorted(rows)]


def _may_be_one(row: RecordDraft, other: RecordDraft) -> bool:
    return not (KINDS[row.kind].may_conflict and in_conflict(row.fields, other.fields))


def _doubt(other: RecordDraft) -> Doubt:
    detail = {"by": BY_IDENTITY, "duplicate_of": other.id, "candidate_name": other.name, "similarity_score": 1.0}
    (sentence,) = sentences([detail], {other.id: other.name})
    return Doubt(CODE, sentence, detail)
