"""A domain is blacklisted, or is so no longer: the records of its source follow in the same transaction."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from uuid import UUID

from gleanery.extraction.models import Source
from gleanery.extraction.write_lock import take_write_lock
from gleanery.resolution.intake import reprojection, storage, withdrawal
from gleanery.sql import rows

AT_A_TIME = 1_000

# Records of which one of these sources speaks now, in these states. Indexes: observation_current_once, record_pkey.
SPOKEN_OF = """
    SELECT id::text FROM record
    WHERE id IN (SELECT record FROM observation WHERE source_id = ANY(%(sources)s::uuid[]) AND superseded_at IS NULL)
      AND status = ANY(%(states)s::text[])
    ORDER BY id
"""
# The same, counted: of which nobody else speaks who is not silent, and the others. Index: observation_of_record.
FORESEEN = """
    SELECT count(*) FILTER (WHERE NOT is_heard), count(*) FILTER (WHERE is_heard)
    FROM (SELECT DISTINCT record FROM observation
          WHERE source_id = ANY(%(sources)s::uuid[]) AND superseded_at IS NULL) AS told
         JOIN record ON record.id = told.record AND status IN ('in_review', 'published')
         CROSS JOIN LATERAL (
             SELECT EXISTS (
                 SELECT FROM observation AS other JOIN source ON source.id = other.source_id
                        LEFT JOIN domain ON domain.id = source.domain_id
                 WHERE other.record = told.record AND superseded_at IS NULL
                   AND NOT other.source_id = ANY(%(sources)s::uuid[])
                   AND domain.processing_status IS DISTINCT FROM 'blacklisted') AS is_heard
         ) AS others
"""
Counts = dict[str, int]


def foresee(domains: Collection[UUID]) -> Counts:
    """Return what would become of the records of these domains if they were blacklisted now."""
    ((withdrawn, kept),) = rows(FORESEEN, sources=_sources(domains))
    return {"records_withdrawn": withdrawn, "records_reduced": kept}


def silence(domains: Collection[UUID]) -> Counts:
    """What only they tell of is withdrawn; the rest is projected from what others say."""
    if not (sources := _sources(domains)):
        return {}
    take_write_lock()
    withdrawn = kept = 0
    for ids in _batches(sources, "in_review", "published"):
        left = len(reprojection.reproject(ids, storage.moment()))
        withdrawn, kept = withdrawn + len(ids) - left, kept + left
    return {"records_withdrawn": withdrawn, "records_reduced": kept}


def hear(domains: Collection[UUID]) -> Counts:
    """What was withdrawn comes back; the rest has their values again."""
    if not (sources := _sources(domains)):
        return {}
    take_write_lock()
    kept = sum(
        len(reprojection.reproject(ids, storage.moment())) for ids in _batches(sources, "in_review", "published")
    )
    back = 0
    for ids in _batches(sources, "withdrawn"):
        heard = storage.records(ids=set(ids) - withdrawal.unheard(ids))
        withdrawal.bring_back(heard.values())
        reprojection.reproject(heard, storage.moment(), undone=True)
        back += len(heard)
    return {"records_brought_back": back, "records_completed": kept}


def _sources(domains: Collection[UUID]) -> list[UUID]:
    return list(Source.objects.filter(domain__in=domains).values_list("pk", flat=True))


def _batches(sources: list[UUID], *states: str) -> Iterator[list[str]]:
    ids = [record for (record,) in rows(SPOKEN_OF, sources=sources, states=list(states))]
    yield from (ids[begin : begin + AT_A_TIME] for begin in range(0, len(ids), AT_A_TIME))
