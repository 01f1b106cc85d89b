"""Updates the records of a domain in the transaction that blacklists it or lifts the blacklisting."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from uuid import UUID

from gleanery.extraction.models import Source
from gleanery.extraction.write_lock import take_write_lock
from gleanery.resolution.intake import reprojection, storage, withdrawal
from gleanery.sql import rows

AT_A_TIME = 1_000

# Records in these states that one of these sources has now. Indexes: observation_current_once, record_pkey.
RECORDS_OF = """
    SELECT id::text FROM record
    WHERE id IN (SELECT record FROM observation WHERE source_id = ANY(%(sources)s::uuid[]) AND superseded_at IS NULL)
      AND status = ANY(%(states)s::text[])
    ORDER BY id
"""
# Counts live records without and with another source that is not blacklisted. Index: observation_of_record.
AFFECTED = """
    SELECT count(*) FILTER (WHERE NOT has_other), count(*) FILTER (WHERE has_other)
    FROM (SELECT DISTINCT record FROM observation
          WHERE source_id = ANY(%(sources)s::uuid[]) AND superseded_at IS NULL) AS affected
         JOIN record ON record.id = affected.record AND status IN ('in_review', 'published')
         CROSS JOIN LATERAL (
             SELECT EXISTS (
                 SELECT FROM observation AS other JOIN source ON source.id = other.source_id
                        LEFT JOIN domain ON domain.id = source.domain_id
                 WHERE other.record = affected.record AND superseded_at IS NULL
                   AND NOT other.source_id = ANY(%(sources)s::uuid[])
                   AND domain.processing_status IS DISTINCT FROM 'blacklisted') AS has_other
         ) AS others
"""
Counts = dict[str, int]


def count_affected(domains: Collection[UUID]) -> Counts:
    """Return how many records would be withdrawn or lose values if these domains were blacklisted now."""
    ((withdrawn, kept),) = rows(AFFECTED, sources=_sources(domains))
    return {"records_withdrawn": withdrawn, "records_reduced": kept}


def withdraw_records(domains: Collection[UUID]) -> Counts:
    """Withdraw the records that only these domains have, and reproject the rest without them."""
    if not (sources := _sources(domains)):
        return {}
    take_write_lock()
    withdrawn = kept = 0
    for ids in _batches(sources, "in_review", "published"):
        left = len(reprojection.reproject(ids, storage.batch_time()))
        withdrawn, kept = withdrawn + len(ids) - left, kept + left
    return {"records_withdrawn": withdrawn, "records_reduced": kept}


def bring_back_records(domains: Collection[UUID]) -> Counts:
    """Bring withdrawn records of these domains back, and reproject the rest with their values."""
    if not (sources := _sources(domains)):
        return {}
    take_write_lock()
    kept = sum(
        len(reprojection.reproject(ids, storage.batch_time())) for ids in _batches(sources, "in_review", "published")
    )
    back = 0
    for ids in _batches(sources, "withdrawn"):
        back_again = storage.records(ids=set(ids) - withdrawal.only_blacklisted(ids))
        withdrawal.bring_back(back_again.values())
        reprojection.reproject(back_again, storage.batch_time(), undone=True)
        back += len(back_again)
    return {"records_brought_back": back, "records_completed": kept}


def _sources(domains: Collection[UUID]) -> list[UUID]:
    return list(Source.objects.filter(domain__in=domains).values_list("pk", flat=True))


def _batches(sources: list[UUID], *states: str) -> Iterator[list[str]]:
    ids = [record for (record,) in rows(RECORDS_OF, sources=sources, states=list(states))]
    yield from (ids[begin : begin + AT_A_TIME] for begin in range(0, len(ids), AT_A_TIME))
