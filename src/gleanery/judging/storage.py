"""SQL of judging, set-based: reads a batch, stores its judgements, creates or updates candidates."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple
from uuid import UUID

from gleanery.sql import rows

# Results of a session without a judgement, oldest first. Indexes: result_once, unique result of judgement.
UNJUDGED = """
    SELECT result.id, result.title, result.description, result.query, domain.id, domain.name, domain.registrable,
           CASE WHEN domain.processing_status IN ('blacklisted', 'processed_low_quality') THEN domain.processing_status
                WHEN domain.processing_status = 'no_funds_this_year'
                     AND domain.no_funds_year >= extract(year FROM now()) THEN 'no_funds_this_year'
                WHEN domain.processing_status = 'processing_failed' AND domain.retry_after > now() THEN 'before_retry'
                ELSE '' END
    FROM result JOIN domain ON domain.id = result.domain_id
    WHERE result.session_id = %(session)s AND result.outcome IN ('new', 'duplicate') AND result.id > %(after)s
      AND NOT EXISTS (SELECT FROM judgement WHERE judgement.result_id = result.id)
    ORDER BY result.id LIMIT %(most)s
"""
# Judgements of these domains in earlier sessions. The current session is left out, so that the order of its results
# does not matter.
HISTORY = """
    SELECT judgement.domain_id, count(*) FILTER (WHERE confidence >= threshold),
           count(*) FILTER (WHERE confidence < threshold)
    FROM judgement JOIN result ON result.id = judgement.result_id
    WHERE judgement.domain_id = ANY(%(domains)s) AND confidence IS NOT NULL
      AND result.session_id IS DISTINCT FROM %(session)s::uuid
    GROUP BY judgement.domain_id
"""
# Decisions lock the domain before its candidate; the same order here avoids deadlocks.
LOCK = "SELECT count(*) FROM (SELECT FROM domain WHERE id = ANY(%(domains)s) ORDER BY name FOR NO KEY UPDATE) locked"
# The best judgement of each domain creates or updates its candidate; the status of an existing one is not changed.
STORE = """
    WITH said AS (
        INSERT INTO judgement (id, result_id, run_id, domain_id, confidence, threshold, scores, organization,
                               programme, skipped)
        SELECT id, result_id, %(run)s, domain_id, confidence, %(threshold)s, scores, organization, programme, skipped
        FROM json_to_recordset(%(rows)s)
             AS row (id uuid, result_id uuid, domain_id uuid, confidence numeric(3, 2), scores jsonb,
                     organization text, programme text, skipped text)
        ON CONFLICT (result_id) DO NOTHING
        RETURNING id, domain_id, confidence, threshold, organization, programme
    ), best AS (
        SELECT DISTINCT ON (domain_id) * FROM said WHERE confidence IS NOT NULL ORDER BY domain_id, confidence DESC, id
    ), raised AS (
        INSERT INTO candidate (id, domain_id, topic_id, run_id, status, confidence, organization, programme)
        SELECT fresh.id, domain_id, %(topic)s, %(run)s,
               CASE WHEN confidence >= threshold THEN 'pending_crawl' ELSE 'skipped_low_confidence' END,
               confidence, organization, programme
        FROM best JOIN unnest(%(domains)s::uuid[], %(new_ids)s::uuid[]) AS fresh (domain_id, id) USING (domain_id)
        ORDER BY domain_id
        ON CONFLICT (domain_id) DO UPDATE
            SET confidence = excluded.confidence, topic_id = excluded.topic_id,
                organization = excluded.organization, programme = excluded.programme
            WHERE excluded.confidence > candidate.confidence
              AND candidate.status IN ('skipped_low_confidence', 'pending_crawl')
    )
    SELECT count(*) FROM said
"""
# Candidates of domains with a good judgement in this batch.
GOOD = "SELECT domain_id, id, status FROM candidate WHERE domain_id = ANY(%(domains)s)"
# Three or more pages judged low in any session, and none high. Addresses that differ only in scheme, www, query or
# fragment count as one page, so that a source is not dismissed too early.
LOW = r"""
    SELECT judgement.domain_id FROM judgement JOIN result ON result.id = judgement.result_id
         JOIN domain ON domain.id = judgement.domain_id AND domain.processing_status = 'discovered'
    WHERE judgement.domain_id = ANY(%(domains)s) AND judgement.confidence IS NOT NULL
    GROUP BY judgement.domain_id
    HAVING count(DISTINCT regexp_replace(result.url, '^https?://(www\.)?|/?([?#].*)?$', '', 'gi')) >= 3
       AND bool_and(confidence < threshold)
"""


FIRST = UUID(int=0)


class Unjudged(NamedTuple):
    result: UUID
    title: str
    description: str
    query: str
    domain: UUID
    name: str
    registrable: str
    skip: str


class Good(NamedTuple):
    domain: UUID
    candidate: UUID
    status: str


def unjudged(session: UUID, most: int, after: UUID = FIRST) -> list[Unjudged]:
    """Return the next batch; `after` is the last result of the previous one, so that no result is read twice."""
    return [Unjudged(*row) for row in rows(UNJUDGED, session=session, most=most, after=after)]


def history(session: UUID | None, domains: Iterable[UUID]) -> dict[UUID, tuple[int, int]]:
    found = rows(HISTORY, session=session, domains=list(set(domains)))
    return {domain: (high, low) for domain, high, low in found}


def lock(domains: list[UUID]) -> None:
    rows(LOCK, domains=domains)


def store(said: list[dict[str, Any]], **values: Any) -> int:
    ((count,),) = rows(STORE, rows=json.dumps(said, ensure_ascii=False), **values)
    return int(count)


def good(domains: list[UUID]) -> list[Good]:
    return [Good(*row) for row in rows(GOOD, domains=domains)]


def low(domains: list[UUID]) -> list[UUID]:
    return [domain for (domain,) in rows(LOW, domains=domains)]
