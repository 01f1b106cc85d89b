"""Pairs that somebody told apart: they are never taken for one again, whatever either was merged into since."""

from __future__ import annotations

from collections.abc import Collection

from gleanery.sql import rows

# Each of these records stands for all that ended in it. Indexes: record_merged, verdict_of_pair, verdict_current_once.
APART = """
    WITH RECURSIVE family AS (
        SELECT id AS holder, id FROM unnest(%(ids)s::uuid[]) AS id
        UNION
        SELECT family.holder, record.id FROM family JOIN record ON record.merged_into_id = family.id
    )
    SELECT DISTINCT low.holder::text, high.holder::text
    FROM family AS low
         JOIN verdict ON verdict.low_id = low.id AND verdict = 'different' AND superseded_at IS NULL
         JOIN family AS high ON high.id = verdict.high_id
    WHERE low.holder <> high.holder
"""


def told_apart(ids: Collection[str]) -> set[frozenset[str]]:
    return {frozenset(pair) for pair in rows(APART, ids="{" + ",".join(ids) + "}")} if len(ids) > 1 else set()
