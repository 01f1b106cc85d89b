"""Number of live records per source and note, counted in one statement."""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from gleanery.sql import rows

# Indexes: record_notes, observation_of_record.
COUNTED = """
    SELECT source.id, source.name, note, count(DISTINCT record.id) AS records
    FROM record
         CROSS JOIN LATERAL unnest(notes) AS note
         JOIN observation ON observation.record = record.id AND superseded_at IS NULL
         JOIN source ON source.id = source_id
    WHERE notes <> '{}' AND status IN ('in_review', 'published')
    GROUP BY source.id, source.name, note
    ORDER BY records DESC, source.name, note
"""


class NoteCount(NamedTuple):
    source_id: UUID
    source: str
    note: str
    records: int


def note_counts() -> list[NoteCount]:
    return [NoteCount(*row) for row in rows(COUNTED)]
