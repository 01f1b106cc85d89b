"""Updates the records that name a place or an organisation after it was merged or split."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.db import connection

from gleanery.resolution.intake import reprojection

AT_A_TIME = 1_000

# Live records that name one of these, or have an identity built on one. Indexes: record_held, record_run,
# other_identity_held, other_identity_run.
REFERERS = """
    SELECT id::text FROM record WHERE place_id = ANY(%(ids)s::uuid[]) AND status IN ('in_review', 'published')
    UNION
    SELECT id::text FROM record WHERE organization_id = ANY(%(ids)s::uuid[]) AND status IN ('in_review', 'published')
    UNION
    SELECT record_id::text FROM other_identity WHERE place_id = ANY(%(ids)s::uuid[])
    UNION
    SELECT record_id::text FROM other_identity WHERE organization_id = ANY(%(ids)s::uuid[])
    ORDER BY 1
"""


def follow_references(ids: Collection[str], now: datetime) -> list[str]:
    """Reproject all records that name one of these, since their identities change too, and return their ids."""
    with connection.cursor() as cursor:
        cursor.execute(REFERERS, {"ids": sorted(ids)})
        referers = [record for (record,) in cursor.fetchall()]
    for begin in range(0, len(referers), AT_A_TIME):
        reprojection.reproject(referers[begin : begin + AT_A_TIME], now)
    return referers
