"""Withdraws records whose sources are all blacklisted, and brings them back when another source has them.

A source counts as blacklisted while its domain is: its observations are kept, but not used.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from uuid import UUID

from django.db.models import F
from django.db.models.functions import Now

from gleanery import pipeline
from gleanery.accounts import journal
from gleanery.accounts.actor import system
from gleanery.matching.live import stored
from gleanery.resolution.intake.publication import RECORD_OF
from gleanery.resolution.intake.record_draft import RecordDraft
from gleanery.resolution.models import Record
from gleanery.resolution.records.life import LIVE, RECORD
from gleanery.sql import array, rows_of_many

ALL_BLACKLISTED = "The domains of all its sources are blacklisted."
NOT_BLACKLISTED = "A source that is not blacklisted has it."
# Records that have observations, all of them from blacklisted domains. Index: observation_of_record.
ONLY_BLACKLISTED = """
    SELECT asked.id::text FROM unnest(%(ids)s::uuid[]) AS asked (id)
         CROSS JOIN LATERAL (
             SELECT bool_and(domain.processing_status IS NOT DISTINCT FROM 'blacklisted') AS all_silent
             FROM observation JOIN source ON source.id = source_id LEFT JOIN domain ON domain.id = source.domain_id
             WHERE record = asked.id AND superseded_at IS NULL
         ) AS said
    WHERE all_silent
"""


def only_blacklisted(ids: Collection[str]) -> set[str]:
    return {record for (record,) in rows_of_many(ONLY_BLACKLISTED, ids=array(ids))} if ids else set()


def take_down(ids: Collection[str]) -> None:
    """Withdraw these records: they leave review, and nothing is compared with them."""
    if not ids:
        return
    gone = _move({UUID(each) for each in ids}, "take_down", LIVE, ALL_BLACKLISTED)
    stored.forget([str(each) for each in gone])
    pipeline.happened_to_records("withdrawn", sorted(gone))


def bring_back(rows: Iterable[RecordDraft]) -> None:
    """Bring withdrawn records back to their previous state; the caller reprojects them."""
    back = {UUID(row.id): row for row in rows if row.status == "withdrawn"}
    for state in LIVE:
        wanted = {key for key, row in back.items() if row.was_published == (state == "published")}
        _move(wanted, f"bring_back_{state}", ("withdrawn",), NOT_BLACKLISTED)
        for each in wanted:
            back[each].status, back[each].is_brought_back = state, True


def _move(ids: set[UUID], action: str, states: Iterable[str], reason: str) -> set[UUID]:
    moved: set[UUID] = set()
    for state in states if ids else ():
        step = RECORD.step(state, action)
        moved |= journal.move_many(ids, RECORD, step, system(), reason=reason, naming=RECORD_OF)
    Record.objects.filter(pk__in=moved).update(version=F("version") + 1, updated_at=Now())
    return moved
