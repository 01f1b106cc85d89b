"""Merges new places and organisations automatically into known ones if the match is sure.

The new record is stored as merged, with the points of the match, so that the merge can be looked up, explained and
undone like one by a person.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from gleanery.accounts import journal
from gleanery.accounts.actor import system
from gleanery.accounts.journal import Entry
from gleanery.kinds import REFERENCED
from gleanery.matching.explaining import percent
from gleanery.matching.live.candidates import Near
from gleanery.matching.scoring import Match
from gleanery.resolution.decisions import merge_rows
from gleanery.resolution.decisions.merge_rows import Moved, NewMerge
from gleanery.resolution.intake import storage
from gleanery.resolution.intake.observation_draft import Assigned
from gleanery.resolution.intake.record_draft import RecordDraft
from gleanery.resolution.models import Record
from gleanery.resolution.near.different_pairs import judged_different
from gleanery.resolution.near.flagging import bounds, match_detail, near_duplicates
from gleanery.resolution.near.likeness import facts_of, valid_precomputed
from gleanery.sql import execute_with_many

INSERT_MERGED = """
    INSERT INTO record (id, kind, status, name, fields, provenance, identity_hash, published_at, merged_into_id,
                        created_at, updated_at)
    SELECT id, kind, 'merged', name, fields, provenance, decode(identity, 'hex'),
           CASE WHEN is_public THEN %(now)s::timestamptz END, survivor, %(now)s::timestamptz, %(now)s::timestamptz
    FROM json_to_recordset(%(rows)s)
        AS row (id uuid, kind text, is_public bool, name text, fields jsonb, provenance jsonb, identity text,
                survivor uuid)
"""


class AutoMerge(NamedTuple):
    loser: RecordDraft
    survivor: RecordDraft
    match: Match
    before: dict[str, Any]  # the survivor before the merge


def assign_sure_matches(new: Iterable[RecordDraft], known: dict[str, RecordDraft]) -> list[AutoMerge]:
    """Find sure matches and assign the observations of each loser to its survivor. `known`: rows of the batch by id."""
    asked = {row.id: row for row in new if row.kind in REFERENCED}
    if not asked:
        return []
    found = near_duplicates({record: facts_of(row) for record, row in asked.items()}, valid_precomputed(asked.values()))
    sure = {record: best for record, row in asked.items() if (best := _sure(row.kind, found.get(record, ())))}
    apart = judged_different({each.record for record in sure for each in found[record]})
    known.update(storage.records(ids={best.record for best in sure.values()} - known.keys()))
    joined: list[AutoMerge] = []
    ends: dict[str, str] = {}
    for record, row in asked.items():
        row.near = _with_survivors(found.get(record, []), ends, record)
        best = sure.get(record)
        if best is None:
            continue
        survivor = known[ends.get(best.record, best.record)]
        if survivor.is_live and not _needs_decision(survivor.id, row.near, apart, bounds(row.kind).review):
            ends[record] = survivor.id
            joined.append(AutoMerge(row, survivor, best.match, merge_rows.state(survivor, survivor.identity)))
            _hand_over(row, survivor)
    return joined


def _sure(kind: str, found: Iterable[Near]) -> Near | None:
    auto = bounds(kind).auto
    return next((each for each in found if each.match.probability >= auto), None)


def _needs_decision(survivor: str, found: Iterable[Near], apart: set[frozenset[str]], review: float) -> bool:
    """Return True if it also matches a record judged different from the survivor, so that a person must decide."""
    return any(each.match.probability >= review and frozenset((survivor, each.record)) in apart for each in found)


def _with_survivors(listed: list[Near], ends: Mapping[str, str], record: str) -> list[Near]:
    """Return near duplicates with losers of this batch replaced by their survivors."""
    found: dict[str, Near] = {}
    for each in listed:
        end = ends.get(each.record, each.record)
        if end != record:
            found.setdefault(end, each._replace(record=end))
    return list(found.values())


def _hand_over(loser: RecordDraft, survivor: RecordDraft) -> None:
    for each in loser.joined:
        survivor.join(Assigned(each.version, survivor.id, "merged"))


def write(joined: list[AutoMerge], source: str, now: datetime) -> None:
    """Write the losers and their merges; the survivors must be stored before."""
    if not joined:
        return
    actor = system()
    rows = [_merged(each) for each in joined]
    execute_with_many(INSERT_MERGED, rows=json.dumps(rows, ensure_ascii=False, default=str), now=now)
    merge_rows.write(actor, [_merge(each, source) for each in joined], now)
    journal.write_many(actor, Record, map(_entry, joined))


def _merged(each: AutoMerge) -> dict[str, Any]:
    loser = each.loser
    return {
        "id": loser.id,
        "kind": loser.kind,
        "is_public": loser.status == each.survivor.status == "published",
        "name": loser.name,
        "fields": loser.fields,
        "provenance": loser.provenance,
        "identity": loser.identity.hex() if loser.identity else None,
        "survivor": each.survivor.id,
    }


def _merge(each: AutoMerge, source: str) -> NewMerge:
    loser, survivor = each.loser, each.survivor
    moved = Moved(
        chains=sorted((source, each.observation.external_id) for each in loser.joined),
        loser=merge_rows.state(loser, loser.identity),
        survivor=each.before,
        match=match_detail(each.match, loser.kind),
    )
    return NewMerge(loser.id, loser.name, survivor.id, survivor.name, moved, sentence(each.match))


def _entry(each: AutoMerge) -> Entry:
    loser = each.loser
    after = {"status": "merged", "merged_into": each.survivor.id, "match": match_detail(each.match, loser.kind)}
    return Entry("merge", loser.id, loser.name, after, sentence(each.match))


def sentence(match: Match) -> str:
    """Return the match in one sentence: its probability and the points of each field."""
    points = ", ".join(f"{each.field} {each.level} {each.points:+.1f}" for each in match.points)
    return f"{percent(match.probability)} likely the same: {points}."
