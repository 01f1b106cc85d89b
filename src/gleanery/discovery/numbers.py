"""Figures of a session, derived from its queries and hits, so that they cannot drift."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any
from uuid import UUID

from gleanery.sql import rows

# Indexes: question_once and result_once both begin with the session.
PER_PROVIDER = """
    WITH asked AS (
        SELECT provider, count(*) AS queries, count(*) FILTER (WHERE failure_kind <> '') AS failures,
               avg(seconds) FILTER (WHERE failure_kind = '') AS mean_seconds,
               (array_agg(failure ORDER BY asked_at DESC) FILTER (WHERE failure_kind <> ''))[1] AS last_error
        FROM question WHERE session_id = %(session)s GROUP BY provider
    ), got AS (
        SELECT provider, count(*) AS returned,
               count(*) FILTER (WHERE outcome IN ('new', 'duplicate')) AS results,
               count(*) FILTER (WHERE outcome = 'new') AS new_domains,
               count(*) FILTER (WHERE outcome = 'duplicate') AS duplicates,
               count(*) FILTER (WHERE outcome = 'spam') AS spam,
               count(*) FILTER (WHERE outcome = 'blacklisted') AS blacklisted,
               count(*) FILTER (WHERE outcome = 'invalid') AS invalid
        FROM result WHERE session_id = %(session)s GROUP BY provider
    )
    SELECT provider, coalesce(queries, 0), coalesce(returned, 0), coalesce(results, 0), coalesce(new_domains, 0),
           coalesce(duplicates, 0), coalesce(spam, 0), coalesce(blacklisted, 0), coalesce(invalid, 0),
           coalesce(failures, 0), mean_seconds, coalesce(last_error, '')
    FROM asked FULL JOIN got USING (provider) ORDER BY provider
"""
# Crawling is a later stage, so its tables are named in SQL and not imported. Visits are deleted after 30 days; their
# counts are then unknown, not 0. Indexes: crawl_of_session, visit_once.
OF_CRAWLS = """
    WITH asked AS (SELECT id, status FROM crawl WHERE session_id = %(session)s)
    SELECT count(*), count(*) FILTER (WHERE status = 'waiting'), count(*) FILTER (WHERE status = 'running'),
           count(*) FILTER (WHERE status = 'completed'), count(*) FILTER (WHERE status = 'failed'),
           count(*) FILTER (WHERE status = 'cancelled'), met.*
    FROM asked CROSS JOIN (
        SELECT sum((state = 'stored')::int), sum((state = 'unchanged')::int), sum((state = 'refused')::int),
               sum((state = 'failed')::int), sum((state = 'queued')::int), sum(size)
        FROM visit WHERE crawl_id IN (SELECT id FROM asked)
    ) AS met (stored, unchanged, refused, failed, queued, bytes)
    GROUP BY met.stored, met.unchanged, met.refused, met.failed, met.queued, met.bytes
"""


@dataclass(frozen=True, slots=True)
class DeepCrawlNumbers:
    """Figures of a deep crawl: its crawls by status, and their pages by result."""

    crawls: int
    waiting: int
    running: int
    completed: int
    failed: int
    cancelled: int
    pages_stored: int | None
    pages_unchanged: int | None
    pages_refused: int | None
    pages_failed: int | None
    pages_queued: int | None
    bytes: int | None


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over providers, or figures of one provider."""

    queries: int = 0
    returned: int = 0
    results: int = 0
    new_domains: int = 0
    duplicates: int = 0
    spam: int = 0
    blacklisted: int = 0
    invalid: int = 0
    failures: int = 0


@dataclass(frozen=True, slots=True)
class ProviderNumbers:
    provider: str
    totals: Totals
    mean_seconds: float | None
    last_error: str


@dataclass(frozen=True, slots=True)
class SessionNumbers:
    """Figures of a session; `crawls` only for a deep crawl."""

    providers: tuple[ProviderNumbers, ...]
    crawls: DeepCrawlNumbers | None = None

    @property
    def totals(self) -> Totals:
        """The sums over the providers."""
        names = [each.name for each in fields(Totals)]
        return Totals(**{name: sum(getattr(each.totals, name) for each in self.providers) for name in names})

    def as_dict(self) -> dict[str, Any]:
        return {
            **asdict(self.totals),
            "providers": [
                {
                    "provider": each.provider,
                    **asdict(each.totals),
                    "mean_seconds": None if each.mean_seconds is None else round(each.mean_seconds, 3),
                    "last_error": each.last_error,
                }
                for each in self.providers
            ],
            "crawls": asdict(self.crawls) if self.crawls else None,
        }


def of_session(session: UUID) -> SessionNumbers:
    return SessionNumbers(
        providers=tuple(
            ProviderNumbers(provider, Totals(*counts), mean_seconds, last_error)
            for provider, *counts, mean_seconds, last_error in rows(PER_PROVIDER, session=session)
        ),
        crawls=next((DeepCrawlNumbers(*counts) for counts in rows(OF_CRAWLS, session=session)), None),
    )
