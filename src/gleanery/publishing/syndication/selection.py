"""Records that the feeds of a search list, and the state by which a client learns that something changed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import NamedTuple
from uuid import UUID

from gleanery.publishing.search import statements
from gleanery.publishing.search.filters import Filters
from gleanery.publishing.search.positions import located
from gleanery.sql import array, rows

# In the order that was asked for. A new name of its place or organisation changes a record too, and so does another
# source. Indexes: record_pkey, observation_of_record.
STATES = """
    SELECT record.id, record.version, greatest(record.updated_at, place.updated_at, organization.updated_at),
           coalesce(record.fields->>'country', ''),
           (SELECT md5(string_agg(said.id::text, ',' ORDER BY said.id)) FROM observation AS said
            WHERE said.record = record.id AND superseded_at IS NULL)
    FROM unnest(%(ids)s::uuid[]) WITH ORDINALITY AS wanted (id, number)
         JOIN record USING (id)
         LEFT JOIN record AS place ON place.id = record.place_id
         LEFT JOIN record AS organization ON organization.id = record.organization_id
    ORDER BY number
"""


class State(NamedTuple):
    record: UUID
    version: int
    changed: datetime
    country: str
    said: str | None


class Picked(NamedTuple):
    ids: list[UUID]
    next_cursor: str


def followed(filters: Filters) -> Filters:
    """Return the filters as feeds and e-mails use them: the one place that leaves out what search pages still show."""
    return located(replace(filters, confirmed=True))


def dated(filters: Filters, today: date, most: int) -> Picked:
    """Return the records that have a date or a deadline, the soonest first."""
    found, following = statements.hits(replace(followed(filters), sort="soon"), today, most=most)
    return Picked([each.id for each in found if each.start or each.deadline], following)


def newest(filters: Filters, today: date, cursor: str, most: int) -> Picked:
    found, following = statements.hits(replace(followed(filters), sort="new"), today, cursor, most)
    return Picked([each.id for each in found], following)


def states(ids: Sequence[UUID]) -> list[State]:
    return [State._make(row) for row in rows(STATES, ids=array(ids))]


def fingerprint(*parts: object, of: Iterable[State]) -> str:
    """Return a strong ETag that changes with any of the records, and with whatever else is shown."""
    text = repr((parts, [tuple(each) for each in of]))
    return f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'
