"""The numbers of a session, derived from its questions and hits, so that they cannot drift."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any
from uuid import UUID

from django.db import connection

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


@dataclass(frozen=True, slots=True)
class Totals:
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
class Numbers:
    providers: tuple[ProviderNumbers, ...]

    @property
    def totals(self) -> Totals:
        """The sums over the providers, by construction."""
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
        }


def of_session(session: UUID) -> Numbers:
    with connection.cursor() as cursor:
        cursor.execute(PER_PROVIDER, {"session": session})
        return Numbers(
            tuple(
                ProviderNumbers(provider, Totals(*counts), mean_seconds, last_error)
                for provider, *counts, mean_seconds, last_error in cursor.fetchall()
            )
        )
