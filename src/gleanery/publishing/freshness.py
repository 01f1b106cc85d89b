"""Freshness of published records: when a source last confirmed them, and since when none lists them.

A record is unconfirmed once every source that had it was read again at least twice without it.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple
from uuid import UUID

from gleanery.publishing.models import PublicSite
from gleanery.sql import array, rows

# For lists that must not mislead anybody, such as feeds; over `search_entry AS entry`. Index: search_unconfirmed.
CONFIRMED = "entry.unconfirmed_since IS NULL"
NOT_HIDDEN = "(entry.unconfirmed_since IS NULL OR entry.unconfirmed_since >= %(hidden_before)s)"

# The reading that first missed an observation set `not_seen_since`; one after that has missed it again. What a page
# was read for last counts once that was extracted: until then nobody knows what it says.
_MISSED_TWICE = """
    NOT in_feed AND not_seen_since IS NOT NULL AND (
        EXISTS (SELECT FROM feed WHERE feed.id = observation.feed AND feed.read_at > not_seen_since)
        OR EXISTS (
            SELECT FROM page WHERE page.id = page_id AND page.last_fetched_at > not_seen_since
            AND (page.last_status IN (404, 410) OR page.current_snapshot_id = (
                SELECT snapshot_id FROM extraction WHERE extraction.page_id = page.id
                ORDER BY extracted_at DESC LIMIT 1))))
"""
# What counts of what is said about a record: blacklisted sources are silent.
_COUNTS = """
    FROM observation JOIN source ON source.id = source_id LEFT JOIN domain ON domain.id = source.domain_id
    WHERE superseded_at IS NULL AND domain.processing_status IS DISTINCT FROM 'blacklisted' AND record =
"""
# Index: observation_of_record.
OF_RECORDS = f"""
    SELECT asked.id, said.confirmed, CASE WHEN said.missed THEN said.since END
    FROM unnest(%(ids)s::uuid[]) AS asked (id) CROSS JOIN LATERAL (
        SELECT max(last_seen) AS confirmed, bool_and({_MISSED_TWICE}) AS missed, max(not_seen_since) AS since
        {_COUNTS} asked.id
    ) AS said
"""  # noqa: S608  # our own words
# Only records of which some source has lost sight are looked at, and those that were unconfirmed before; what is over
# is in no list. Indexes: observation_not_seen, search_unconfirmed, observation_of_record.
REFRESH = f"""
    WITH doubtful AS (
        SELECT record AS id FROM observation WHERE superseded_at IS NULL AND not_seen_since IS NOT NULL AND NOT in_feed
        UNION SELECT record_id FROM search_entry WHERE unconfirmed_since IS NOT NULL
    ), judged AS (
        SELECT entry.record_id, said.since
        FROM doubtful JOIN search_entry AS entry ON entry.record_id = doubtful.id CROSS JOIN LATERAL (
            SELECT CASE WHEN bool_and({_MISSED_TWICE}) THEN max(not_seen_since) END AS since
            {_COUNTS} entry.record_id
        ) AS said
        WHERE entry.last_day >= %(today)s
    )
    UPDATE search_entry AS entry SET unconfirmed_since = judged.since FROM judged
    WHERE judged.record_id = entry.record_id AND entry.unconfirmed_since IS DISTINCT FROM judged.since
    RETURNING entry.record_id
"""  # noqa: S608  # our own words
# A day goes by, and what took place on it takes place next on another, or is over. Index: search_soonest.
NEXT_DAYS = """
    UPDATE search_entry
    SET next_day = CASE WHEN last_day >= %(today)s THEN coming_day(record_id, deadline, %(today)s) END
    WHERE soon < %(today)s RETURNING record_id
"""


class Freshness(NamedTuple):
    last_confirmed: datetime | None  # nothing where no source says it, only a curator
    unconfirmed_since: datetime | None


def of(ids: Collection[UUID]) -> dict[UUID, Freshness]:
    """Freshness per record as it is now; lists go by `search_entry`, which follows within ten minutes."""
    return {record: Freshness(*rest) for record, *rest in rows(OF_RECORDS, ids=array(ids))} if ids else {}


def hidden_before(site: PublicSite, today: date) -> datetime | None:
    """Return the moment before which a record must have become unconfirmed to be in no list."""
    if site.hide_after_days is None:
        return None
    return datetime.combine(today, time.min, UTC) - timedelta(days=site.hide_after_days)


def refresh(today: date) -> tuple[int, int]:
    """Write what has become unconfirmed or confirmed, and the next days. Return how many of each."""
    return len(rows(REFRESH, today=today)), len(rows(NEXT_DAYS, today=today))
