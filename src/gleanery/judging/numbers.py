"""Statistics of judging, derived from judgements: per run, per session, and for the dashboard."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

from gleanery.sql import rows

# A domain counts as a created candidate if its first good judgement is from one of these runs. Index:
# judgement.domain_id.
OF_RUNS = """
    WITH said AS (
        SELECT *, confidence >= threshold AS good FROM judgement WHERE run_id = ANY(%(runs)s)
    ), created AS (
        SELECT domain_id, max(confidence) AS confidence FROM said
        WHERE good AND NOT EXISTS (
            SELECT FROM judgement earlier WHERE earlier.domain_id = said.domain_id AND earlier.id < said.id
            AND earlier.run_id <> ALL(%(runs)s) AND earlier.confidence >= earlier.threshold)
        GROUP BY domain_id
    ), candidates AS (
        SELECT count(*) AS created, round(avg(confidence), 2) AS average, max(confidence) AS best,
               min(confidence) AS least FROM created
    ), results AS (
        SELECT count(*) AS total, count(*) FILTER (WHERE good) AS good, count(*) FILTER (WHERE NOT good) AS low,
               count(*) FILTER (WHERE skipped = 'blacklisted') AS blacklisted,
               count(*) FILTER (WHERE skipped = 'processed_low_quality') AS low_quality,
               count(*) FILTER (WHERE skipped = 'no_funds_this_year') AS no_funds,
               count(*) FILTER (WHERE skipped = 'before_retry') AS before_retry,
               count(*) FILTER (WHERE skipped = 'failed') AS failures,
               round(avg(confidence), 2) AS average, max(confidence) AS best, min(confidence) AS least
        FROM said
    )
    SELECT total, created, good - created, low, low_quality + no_funds + before_retry, low_quality, no_funds,
           before_retry, blacklisted, failures, candidates.average, candidates.best, candidates.least,
           results.average, results.best, results.least,
           (SELECT round(extract(epoch FROM sum(completed_at - started_at)), 2)
            FROM judging_run WHERE id = ANY(%(runs)s))
    FROM candidates CROSS JOIN results
"""
STATUSES = "SELECT processing_status, count(*) FROM domain GROUP BY 1 ORDER BY 2 DESC, 1"
HISTOGRAM = """
    SELECT least(floor(confidence * 10), 9)::int AS tenth, count(*) FROM candidate GROUP BY 1 ORDER BY 1
"""
BEST = """
    SELECT domain.name, candidate.confidence, candidate.organization, candidate.status
    FROM candidate JOIN domain ON domain.id = candidate.domain_id AND domain.processing_status <> 'blacklisted'
    ORDER BY confidence DESC, domain.name LIMIT 10
"""
YIELD = """
    SELECT {by}, count(DISTINCT result.domain_id) FILTER (WHERE judgement.confidence >= judgement.threshold) AS good,
           count(DISTINCT result.domain_id) AS domains, count(*) AS results
    FROM result JOIN judgement ON judgement.result_id = result.id
    GROUP BY 1 ORDER BY good DESC, 1 LIMIT 20
"""


@dataclass(frozen=True, slots=True)
class Stats:
    """Statistics of runs; each result counts in exactly one of the fields up to `failures`.

    Confidence is given for created candidates and, in the fields `..._of_results`, for all judged results.
    """

    total: int
    created: int
    further_evidence: int  # good results of domains that were candidates already
    skipped_low_confidence: int
    skipped_domain_already_processed: int  # sum of the next three
    skipped_low_quality: int
    skipped_no_funds: int
    skipped_before_retry: int
    skipped_blacklisted: int
    failures: int
    average_confidence: Decimal | None
    max_confidence: Decimal | None
    min_confidence: Decimal | None
    average_confidence_of_results: Decimal | None
    max_confidence_of_results: Decimal | None
    min_confidence_of_results: Decimal | None
    seconds: Decimal | None

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Quality:
    """Figures of the dashboard: domains by status, confidence of candidates, yield of providers and queries."""

    statuses: list[tuple[str, int]]
    histogram: list[int]
    best: list[dict[str, Any]]
    providers: list[dict[str, Any]]
    queries: list[dict[str, Any]]


def of_run(run: UUID) -> Stats:
    return _of_runs([run])


def of_session(session: UUID) -> Stats:
    """Return the statistics of all runs of a session; a worker and a command may have shared the work."""
    return _of_runs(
        [run for (run,) in rows("SELECT id FROM judging_run WHERE session_id = %(session)s", session=session)]
    )


def _of_runs(runs: list[UUID]) -> Stats:
    (row,) = rows(OF_RUNS, runs=runs)
    return Stats(*row)


def quality() -> Quality:
    tenths = dict(rows(HISTOGRAM))
    best = ("domain", "confidence", "organization", "status")
    return Quality(
        statuses=[(name, count) for name, count in rows(STATUSES)],
        histogram=[tenths.get(tenth, 0) for tenth in range(10)],
        best=[dict(zip(best, row, strict=True)) for row in rows(BEST)],
        providers=_yield("result.provider"),
        queries=_yield("result.query"),
    )


def _yield(by: str) -> list[dict[str, Any]]:
    """Return the yield per provider or query; `by` is a constant of this module, never input."""
    names = (by.removeprefix("result."), "good", "domains", "results")
    return [dict(zip(names, row, strict=True)) for row in rows(YIELD.format(by=by))]
