"""Recomputes records of older rule versions, a batch at a time, while the system is in use."""

from __future__ import annotations

from django.db import transaction

from gleanery.extraction.write_lock import take_write_lock
from gleanery.resolution.intake import reprojection, storage
from gleanery.resolution.intake.record_draft import RULES
from gleanery.sql import rows

AT_A_TIME = 500
# Index: record_rules.
OUTDATED = """
    SELECT id::text FROM record
    WHERE rules < %(rules)s AND status IN ('in_review', 'published')
    ORDER BY rules LIMIT %(most)s
"""


def catch_up() -> int:
    """Recompute all outdated records and return their number; those that no longer have a doubt are published."""
    count = 0
    while many := _compute_some():
        count += many
    return count


@transaction.atomic
def _compute_some() -> int:
    take_write_lock()
    ids = [record for (record,) in rows(OUTDATED, rules=RULES, most=AT_A_TIME)]
    if ids:
        reprojection.reproject(ids, storage.batch_time())
    return len(ids)
