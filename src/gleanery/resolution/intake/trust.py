"""Reprojects the records of a source whose trust changed."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.db import connection, transaction

from gleanery import pipeline
from gleanery.extraction.write_lock import take_write_lock
from gleanery.resolution.intake import reprojection, storage

AT_A_TIME = 1_000
AT_ONCE = 5_000  # records updated while the person who changed the trust waits
FIRST = UUID(int=0)

# The next records of a source, by id. Index: observation_of_record in its order for a large source,
# observation_current_once for a small one.
NEXT = """
    SELECT record::text FROM (
        SELECT DISTINCT record FROM observation
        WHERE source_id = %(source)s AND superseded_at IS NULL AND record > %(after)s
        ORDER BY record LIMIT %(most)s
    ) AS batch
"""


def follow_trust(sources: Collection[UUID]) -> None:
    """Update the first records in the transaction of the change; a job does the rest."""
    take_write_lock()
    for source in sorted(sources):
        after = _follow(source, FIRST, AT_ONCE)
        if after is not None:
            pipeline.finished("trust", source=source, after=after)


def follow_rest(source: UUID, after: UUID | None) -> None:
    """Update the remaining records, one transaction per batch, so that other writers need not wait."""
    while after is not None:
        with transaction.atomic():
            take_write_lock()
            after = _follow(source, after, AT_A_TIME)


def _follow(source: UUID, after: UUID, most: int) -> UUID | None:
    """Update up to `most` records, and return the last one if there may be more."""
    done = 0
    while done < most:
        with connection.cursor() as cursor:
            cursor.execute(NEXT, {"source": source, "after": after, "most": AT_A_TIME})
            ids = [record for (record,) in cursor.fetchall()]
        if ids:
            reprojection.reproject(ids, storage.batch_time())
            after = UUID(ids[-1])
        if len(ids) < AT_A_TIME:
            return None
        done += len(ids)
    return after
