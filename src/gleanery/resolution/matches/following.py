"""Likeness follows the records: written with them, and whoever became like another one is flagged."""

from __future__ import annotations

from collections.abc import Iterable

from gleanery.resolution.matches import candidates, flagging, stored
from gleanery.resolution.matches.stored import Kept
from gleanery.resolution.matches.traits import Traits, traits
from gleanery.resolution.rows import Row


def traits_of(row: Row) -> Traits:
    if row.traits is None:
        row.traits = traits(row.kind, row.fields, place=row.place, organization=row.organization)
    return row.traits


def changed(rows: Iterable[Row]) -> dict[str, Kept]:
    """Of these records those that are to be compared anew; the ones that were there before come first."""
    rows = sorted(rows, key=lambda row: row.is_new)
    new, back = ({row.id for row in rows if getattr(row, what)} for what in ("is_new", "is_back"))
    return stored.changed({row.id: traits_of(row) for row in rows}, new, back)


def flag(rows: Iterable[Row], kept: dict[str, Kept]) -> None:
    """Each gets its flags; a new one that has some waits for a decision."""
    there = {row.id: row for row in rows if row.id in kept}
    asked = {record: kept[record].traits for record in kept if there[record].near is None}
    near = candidates.near(asked) if asked else {}
    near.update((row.id, row.near) for row in there.values() if row.near)
    found = flagging.flags(
        {record: each.traits for record, each in kept.items()}, near, {row.id: row.name for row in there.values()}
    )
    for record, flags in found.items():
        there[record].flags = flags
        if there[record].is_new:
            there[record].status = "in_review"
