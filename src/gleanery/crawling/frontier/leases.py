"""Leases that let one worker at a time send requests to a site, kept in the database and by its clock."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

import psycopg
from django.db import connection

from gleanery.crawling.frontier.columns import Floats, Ids, Table, columns, unnested
from gleanery.domains.names import DomainName

# Longer than any request and the parsing of its response, so it only expires if the worker is stuck or dead.
LEASE_SECONDS = 75.0


class Lease(NamedTuple):
    """Permission to send requests to one site, until it is released, lost or expired."""

    token: UUID
    crawl: UUID
    domain: UUID
    name: DomainName
    kind: str
    status: str
    max_depth: int
    max_pages: int
    rate: float
    frequency: int
    base: str


# A lease is free if it is not held, has expired, or its holder's connection is gone: a killed worker is noticed at
# once, a hanging one when its lease expires. Index: crawl_open_once.
CLAIM = """
    WITH alive AS MATERIALIZED (
        SELECT pid || '@' || coalesce(extract(epoch FROM backend_start)::text, '') AS holder FROM pg_stat_activity
    ), free AS (
        SELECT site.domain_id, crawl.id AS crawl
        FROM crawl JOIN site USING (domain_id)
        WHERE crawl.status IN ('waiting', 'running') AND site.ready_at <= now()
          AND (site.wanted_until IS NULL OR site.wanted_until <= now())
          AND (%(only)s::uuid[] IS NULL OR crawl.id = ANY(%(only)s::uuid[]))
          AND (site.lease IS NULL OR site.leased_until <= now() OR site.holder NOT IN (SELECT holder FROM alive))
        ORDER BY site.ready_at LIMIT %(most)s
        FOR UPDATE OF site SKIP LOCKED
    ), taken AS (
        UPDATE site SET lease = gen_random_uuid(), leased_until = now() + make_interval(secs => %(seconds)s),
               holder = (SELECT pid || '@' || coalesce(extract(epoch FROM backend_start)::text, '')
                         FROM pg_stat_activity WHERE pid = pg_backend_pid())
        FROM free WHERE site.domain_id = free.domain_id
        RETURNING site.lease, site.base, free.crawl
    )
    SELECT taken.lease, crawl.id, domain.id, domain.name, domain.registrable, crawl.kind, crawl.status,
           crawl.max_depth, crawl.max_pages, domain.crawl_rate_limit_seconds, domain.scrape_frequency_hours, taken.base
    FROM taken JOIN crawl ON crawl.id = taken.crawl JOIN domain ON domain.id = crawl.domain_id
"""
# Checked before every request and every write: leases that were lost, or whose crawl or domain was stopped, are
# missing from the result. Each row of `mine` has a token, a crawl and a pause.
HOLD = """
    UPDATE site SET leased_until = clock_timestamp() + make_interval(secs => %(seconds)s),
           ready_at = greatest(site.ready_at, clock_timestamp() + make_interval(secs => mine.pause))
    FROM {mine} AS mine JOIN crawl ON crawl.id = mine.crawl AND crawl.status = 'running'
         JOIN domain ON domain.id = crawl.domain_id AND domain.processing_status <> 'blacklisted'
              AND domain.approval_status = CASE crawl.kind WHEN 'preview' THEN 'pending_review' ELSE 'approved' END
    WHERE site.domain_id = crawl.domain_id AND site.lease = mine.token AND site.leased_until > clock_timestamp()
    RETURNING site.lease
"""
HOLDS: Table[tuple[Lease, float]] = {
    "token": (Ids, lambda given: given[0].token),
    "crawl": (Ids, lambda given: given[0].crawl),
    "pause": (Floats, lambda given: given[1]),
}
HOLD_ALL = HOLD.format(mine=f"(SELECT * FROM {unnested('given', HOLDS)})")  # noqa: S608 - our own words
RELEASE = """
    UPDATE site SET lease = NULL, leased_until = NULL, holder = '',
           ready_at = greatest(ready_at, now() + make_interval(secs => %(pause)s))
    WHERE lease = %(token)s
"""


def claim(most: int, only: Sequence[UUID] | None = None) -> list[Lease]:
    """Take the leases of up to `most` sites with an open crawl, longest waiting first."""
    found = rows(CLAIM, most=most, only=only, seconds=LEASE_SECONDS)
    return [_lease(*row) for row in found]


def _lease(token: UUID, crawl: UUID, domain: UUID, name: str, registrable: str, *rest: Any) -> Lease:
    kind, status, depth, pages, rate, frequency, base = rest
    named = DomainName(name, registrable)
    return Lease(token, crawl, domain, named, kind, status, depth, pages, float(rate), frequency, base)


def hold(leases: Sequence[Lease], pauses: Sequence[float]) -> set[UUID]:
    """Extend the leases and set each site's pause; return the tokens of those still held."""
    given = columns(HOLDS, list(zip(leases, pauses, strict=True)))
    return {token for (token,) in rows(HOLD_ALL, **given, seconds=LEASE_SECONDS)}


def release(lease: Lease, pause: float = 0.0) -> None:
    """Give the lease back; the site can be taken again after the pause."""
    execute(RELEASE, token=lease.token, pause=pause)


def execute(statement: str, **values: Any) -> None:
    with cursor() as running:
        running.execute(statement, values)


def rows(statement: str, **values: Any) -> list[tuple[Any, ...]]:
    with cursor() as running:
        return running.execute(statement, values).fetchall()


def cursor() -> psycopg.Cursor[tuple[Any, ...]]:
    """Return a cursor on Django's connection that binds parameters on the server, so that plans are reused."""
    connection.ensure_connection()
    return psycopg.Cursor(connection.connection)
