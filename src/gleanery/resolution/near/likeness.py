"""Updates the stored matching features of changed records, and flags records that are now like others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from gleanery import pipeline
from gleanery.matching.facts import Facts, facts
from gleanery.matching.live import candidates, stored
from gleanery.matching.live.candidates import Precomputed
from gleanery.matching.live.stored import LikenessUpdate
from gleanery.resolution.intake.record_draft import RULES, RecordDraft
from gleanery.resolution.near import flagging
from gleanery.resolution.records.quality import Doubt


def facts_of(row: RecordDraft) -> Facts:
    if row.compared is None:
        row.compared = _prepared(row) or facts(row.kind, row.fields, place=row.place, organization=row.organization)
    return row.compared


def _prepared(row: RecordDraft) -> Facts | None:
    """Return the features of the only observation, if the record has exactly its fields."""
    alone = row.joined[0] if len(row.joined) == 1 else None
    if alone is None or alone.payload != row.fields:
        return None
    return alone.observation.facts._replace(at=row.place or "", by=row.organization or "")


def valid_precomputed(rows: Iterable[RecordDraft]) -> dict[str, Precomputed]:
    """Return near duplicates found before the write lock, for records that became what was expected then."""
    found = [(row, row.joined[0].version.precomputed) for row in rows if row.is_new and len(row.joined) == 1]
    return {row.id: before for row, before in found if before is not None and before.facts == facts_of(row)}


def changed(rows: Iterable[RecordDraft], *, anyway: bool = False) -> dict[str, LikenessUpdate]:
    """Return the records to compare again, existing ones before new ones."""
    rows = sorted(rows, key=lambda row: row.is_new)
    now = {row.id: facts_of(row) for row in rows}
    return stored.changed(now, {row.id for row in rows if row.is_new}, now if anyway else (), _crowded(rows))


def _crowded(rows: Iterable[RecordDraft]) -> set[int]:
    """Return the matching keys found to be crowded before the write lock; one search covers many records."""
    looks = (each.version.precomputed.there.crowded for row in rows for each in row.joined if each.version.precomputed)
    outdated = [facts_of(row) for row in rows if row.rules != RULES and not row.is_new]
    crowded = candidates.crowded(outdated) if outdated else set()
    return crowded.union(*{id(each): each for each in looks}.values())


def flag(rows: Iterable[RecordDraft], kept: Mapping[str, LikenessUpdate]) -> None:
    """Set the warnings of these records; a new record with warnings waits for review."""
    there = {row.id: row for row in rows if row.id in kept}
    asked = {record: kept[record].facts for record in kept if there[record].near is None}
    near = flagging.near_duplicates(asked, valid_precomputed(there[record] for record in asked)) if asked else {}
    near.update((row.id, row.near) for row in there.values() if row.near)
    found = flagging.flags(
        {record: each.facts for record, each in kept.items()}, near, {row.id: row.name for row in there.values()}
    )
    for record, flags in found.items():
        there[record].flags = flags
        if there[record].is_new:
            there[record].status = "in_review"


def with_flags(rows: Iterable[RecordDraft], met: Mapping[str, Sequence[Doubt]]) -> dict[str, list[Doubt]]:
    """Return identity collisions and near duplicates per record, each other record once."""
    found = {}
    for row in rows:
        said = {each.detail.get("duplicate_of") for each in met.get(row.id, ())}
        if doubts := [
            *met.get(row.id, ()),
            *(each for each in row.flags if each.detail.get("duplicate_of") not in said),
        ]:
            found[row.id] = doubts
    return found


def withdraw(rows: Iterable[RecordDraft]) -> None:
    """Drop earlier warnings about these records, before new ones are reported."""
    pipeline.happened_to_records("compared", [UUID(row.id) for row in rows])


def release(rows: Iterable[RecordDraft]) -> None:
    """Close review items that have no warning left, after all warnings are reported."""
    pipeline.happened_to_records("weighed", [UUID(row.id) for row in rows])
