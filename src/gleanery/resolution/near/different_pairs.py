"""Finds pairs that somebody judged different, also if either was merged into another record since."""

from __future__ import annotations

from collections.abc import Collection

from gleanery.sql import rows

# Each record stands for all that were merged into it. Indexes: record_merged, verdict_of_pair, verdict_current_once.
JUDGED_DIFFERENT = """
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


def judged_different(ids: Collection[str]) -> set[frozenset[str]]:
    return (
        {frozenset(pair) for pair in rows(JUDGED_DIFFERENT, ids="{" + ",".join(ids) + "}")} if len(ids) > 1 else set()
    )
