"""Likeness follows the records: written with them, and whoever became like another one is flagged."""

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
    """Those of its only observation, where the record is just what that says."""
    alone = row.joined[0] if len(row.joined) == 1 else None
    if alone is None or alone.payload != row.fields:
        return None
    return alone.observation.facts._replace(at=row.place or "", by=row.organization or "")


def foreseen(rows: Iterable[RecordDraft]) -> dict[str, Precomputed]:
    """Return what was found before the write lock was taken, for records that became what was expected then."""
    found = [(row, row.joined[0].version.foreseen) for row in rows if row.is_new and len(row.joined) == 1]
    return {row.id: before for row, before in found if before is not None and before.facts == facts_of(row)}


def changed(rows: Iterable[RecordDraft], *, anyway: bool = False) -> dict[str, LikenessUpdate]:
    """Of these records those that are to be compared anew; the ones that were there before come first."""
    rows = sorted(rows, key=lambda row: row.is_new)
    now = {row.id: facts_of(row) for row in rows}
    return stored.changed(now, {row.id for row in rows if row.is_new}, now if anyway else (), _crowded(rows))


def _crowded(rows: Iterable[RecordDraft]) -> set[int]:
    """What was seen to be crowded before the turn; one look was for many."""
    looks = (each.version.foreseen.there.crowded for row in rows for each in row.joined if each.version.foreseen)
    outdated = [facts_of(row) for row in rows if row.rules != RULES and not row.is_new]
    crowded = candidates.crowded(outdated) if outdated else set()
    return crowded.union(*{id(each): each for each in looks}.values())


def flag(rows: Iterable[RecordDraft], kept: Mapping[str, LikenessUpdate]) -> None:
    """Each gets its flags; a new one that has some waits for a decision."""
    there = {row.id: row for row in rows if row.id in kept}
    asked = {record: kept[record].facts for record in kept if there[record].near is None}
    near = flagging.near(asked, foreseen(there[record] for record in asked)) if asked else {}
    near.update((row.id, row.near) for row in there.values() if row.near)
    found = flagging.flags(
        {record: each.facts for record, each in kept.items()}, near, {row.id: row.name for row in there.values()}
    )
    for record, flags in found.items():
        there[record].flags = flags
        if there[record].is_new:
            there[record].status = "in_review"


def with_flags(rows: Iterable[RecordDraft], met: Mapping[str, Sequence[Doubt]]) -> dict[str, list[Doubt]]:
    """Together with those that are met by identity: who is equal is mostly alike as well, and is told of once."""
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
    """What was found about these before is told no more; what is found now is told next."""
    pipeline.happened_to_records("compared", [UUID(row.id) for row in rows])


def release(rows: Iterable[RecordDraft]) -> None:
    """All that was found about these is told: whoever is left without a reason is asked about no more."""
    pipeline.happened_to_records("weighed", [UUID(row.id) for row in rows])
