"""The likeness of records that were there before likenesses were kept; a batch at a time, and again without harm."""

from __future__ import annotations

from gleanery.resolution.matches import stored
from gleanery.resolution.matches.candidates import crowded
from gleanery.resolution.matches.traits import traits
from gleanery.resolution.storage import loaded
from gleanery.sql import rows

AT_A_TIME = 2_000

# Live records without one, in the order of their ids. Index: record_pkey.
MISSING = """
    SELECT record.id::text, record.kind, fields, place_id::text, organization_id::text
    FROM record LEFT JOIN likeness ON likeness.record_id = record.id
    WHERE record.id > %(after)s AND status IN ('in_review', 'published') AND likeness.record_id IS NULL
    ORDER BY record.id LIMIT %(most)s
"""
FIRST = "00000000-0000-0000-0000-000000000000"


def backfill() -> int:
    """How many were missing."""
    count, after = 0, FIRST
    while found := rows(MISSING, after=after, most=AT_A_TIME):
        told = {
            record: traits(kind, loaded(fields), place=place, organization=organization)
            for record, kind, fields, place, organization in found
        }
        stored.write(stored.changed(told, told, crowded=crowded(told.values())))
        count, after = count + len(found), found[-1][0]
    return count
