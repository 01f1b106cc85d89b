"""Warnings about sources, found for many items at once when they are opened."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple
from uuid import UUID

from django.db import connection

from gleanery.domains.lookalikes import shown
from gleanery.domains.models import Domain
from gleanery.review.models import Warning as Row
from gleanery.review.queue.warning_codes import DEEP_CRAWL, LOOKALIKE, SIBLING_APPROVED, SIBLING_REJECTED
from gleanery.text import clean_text

DEEP = 4
MOST_NAMES = 10
LONGEST = 500

# Decisions about other domains of the same registrable name: one row per name and verdict, so that a thousand new
# domains of one owner do not each count the thousand old ones. Index: domain_registrable.
SIBLINGS = """
    SELECT registrable, code, count(*), (array_agg(name ORDER BY name))[1:%(most)s]
    FROM (
        SELECT registrable, name,
               CASE WHEN processing_status = 'blacklisted' OR approval_status = 'rejected' THEN 'sibling_rejected'
                    ELSE 'sibling_approved' END AS code
        FROM domain
        WHERE registrable = ANY(%(names)s)
          AND (processing_status = 'blacklisted' OR approval_status IN ('approved', 'rejected'))
    ) decided
    GROUP BY registrable, code ORDER BY code
"""
VERDICTS = {SIBLING_REJECTED: "rejected or blacklisted", SIBLING_APPROVED: "already approved"}


class Siblings(NamedTuple):
    code: str
    many: int
    names: list[str]


class SourceWarning(NamedTuple):
    code: str
    sentence: str
    detail: dict[str, object]


def warn(items: dict[UUID, UUID]) -> None:
    """Add warnings to new items, given by the id of their domain; existing warnings stay."""
    domains = list(Domain.objects.filter(pk__in=items))
    siblings = _siblings({domain.registrable for domain in domains})
    rows = [
        Row(item_id=items[domain.pk], code=found.code, sentence=found.sentence, detail=found.detail)
        for domain in domains
        for found in _found(domain, siblings[domain.registrable])
    ]
    Row.objects.bulk_create(rows, ignore_conflicts=True)


def _found(domain: Domain, siblings: list[Siblings]) -> Iterator[SourceWarning]:
    for each in siblings:
        yield SourceWarning(each.code, _about(each, domain), {"count": each.many, "domains": each.names})
    if domain.max_crawl_depth >= DEEP:
        sentence = f"It would be crawled {domain.max_crawl_depth} links deep, which may mean very many pages."
        yield SourceWarning(DEEP_CRAWL, sentence, {"depth": domain.max_crawl_depth})
    if "xn--" in shown(domain.name):
        sentence = "Its name has letters that look like others, so it may imitate another site."
        yield SourceWarning(LOOKALIKE, sentence, {"name": domain.name})


def _about(siblings: Siblings, domain: Domain) -> str:
    verdict = VERDICTS[siblings.code]
    first = siblings.names[0]
    if siblings.many == 1:
        return clean_text(f"{first}, also of {domain.registrable}, is {verdict}.", limit=LONGEST)
    others = siblings.many - 1
    return clean_text(f"{first} and {others} more of {domain.registrable} are {verdict}.", limit=LONGEST)


def _siblings(names: set[str]) -> defaultdict[str, list[Siblings]]:
    found = defaultdict(list)
    with connection.cursor() as cursor:
        cursor.execute(SIBLINGS, {"names": sorted(names), "most": MOST_NAMES})
        for registrable, code, many, some in cursor.fetchall():
            found[registrable].append(Siblings(code, many, some))
    return found
