"""Use cases of records, imported from the modules that hold them, and resolving a domain after its extraction."""

from __future__ import annotations

from uuid import UUID

from django.db import connection

from gleanery.accounts.actor import system
from gleanery.domains import services as domains
from gleanery.domains.models import Domain
from gleanery.errors import Conflict, NotFound
from gleanery.extraction.models import Source
from gleanery.resolution.decisions.delete import delete, restore
from gleanery.resolution.decisions.edit import edit, unedit
from gleanery.resolution.decisions.merge import Fields, merge, survivor_of, unmerge
from gleanery.resolution.decisions.publish import publish, withdraw
from gleanery.resolution.decisions.verdicts import give_verdict
from gleanery.resolution.intake.batch import intake, resolve, source_named
from gleanery.resolution.models import Record

__all__ = [
    "Fields",
    "delete",
    "edit",
    "find_record",
    "give_verdict",
    "intake",
    "merge",
    "publish",
    "resolve",
    "resolve_domain",
    "restore",
    "source_named",
    "survivor_of",
    "unedit",
    "unmerge",
    "withdraw",
]

# Indexes: observation_current_once, record_pkey.
HAS_RECORDS = """
    SELECT EXISTS (
        SELECT FROM observation JOIN record ON record.id = observation.record
        WHERE source_id = %(source)s AND superseded_at IS NULL AND status IN ('in_review', 'published')
    )
"""


def resolve_domain(domain_id: UUID) -> int:
    """Assign records to the observations of a domain, rate it if it was just crawled, and return the count."""
    domain = Domain.objects.filter(pk=domain_id).first()
    source = Source.objects.filter(domain=domain_id).first()
    if domain is None or source is None:
        return 0
    count = resolve(source)
    if domain.processing_status == "crawled":
        try:
            domains.rate(system(), domain, high=_has_records(source))
        except Conflict:  # the next crawl has already begun
            return count
    return count


def find_record(record_id: UUID) -> Record:
    found = Record.objects.select_related("place", "organization", "merged_into").filter(pk=record_id).first()
    if found is None:
        raise NotFound("There is no such record.")
    return found


def _has_records(source: Source) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(HAS_RECORDS, {"source": source.pk})
        ((found,),) = cursor.fetchall()
    return bool(found)
