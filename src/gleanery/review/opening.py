"""Opens review items and closes obsolete ones; called by pipeline.py in the transaction of the event."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import LiteralString, NamedTuple
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.db.models import F, QuerySet
from django.db.models.fields.json import KT
from django.db.models.functions import Now

from gleanery.accounts import journal
from gleanery.accounts.actor import Actor, system
from gleanery.accounts.journal import Naming
from gleanery.crawling import services as crawling
from gleanery.domains.life import APPROVAL, PROCESSING
from gleanery.domains.models import Domain
from gleanery.domains.names import is_under
from gleanery.errors import Conflict
from gleanery.ids import hex7
from gleanery.judging.life import CANDIDATE
from gleanery.judging.models import Candidate
from gleanery.judging.services import CANDIDATE_OF, DOMAIN
from gleanery.resolution.intake.publication import publish_many
from gleanery.resolution.records.duplicate_sentences import others, sentences
from gleanery.resolution.records.quality import CODES, Doubt
from gleanery.review.life import ITEM
from gleanery.review.models import Item
from gleanery.review.models import Warning as Row
from gleanery.review.queue.claims import UNCLAIMED
from gleanery.review.sources.previewing import preview_some
from gleanery.review.sources.source_warnings import warn

TRUSTED = "Its domain is trusted, so no review is needed."
ANEW = "Its source is waiting for review again."
NAME_OF_ITEM: LiteralString = """
    coalesce((SELECT name FROM domain WHERE domain.id = review_item.domain_id),
             (SELECT name FROM record WHERE record.id = review_item.record_id))
"""
ITEM_OF = Naming(Item, NAME_OF_ITEM, order="domain_id, record_id")

# Undecided domains that are not in the queue; decided and blacklisted ones are left alone. Locks are always taken
# in this order: domains by name, then candidates, then items.
FRESH = """
    SELECT id, name, is_trusted FROM domain
    WHERE id = ANY(%(ids)s) AND processing_status <> 'blacklisted'
      AND (approval_status = 'none' OR approval_status = 'pending_review' AND NOT EXISTS (
           SELECT FROM review_item WHERE review_item.domain_id = domain.id AND review_item.status = 'pending'))
    ORDER BY name FOR NO KEY UPDATE
"""
# Of two concurrent writers the second finds the item: the partial unique index decides.
OPEN = """
    INSERT INTO review_item (id, kind, domain_id)
    SELECT id, 'source', domain_id FROM unnest(%(new_ids)s::uuid[], %(domains)s::uuid[]) AS fresh (id, domain_id)
    ON CONFLICT (domain_id) WHERE status = 'pending' DO NOTHING
    RETURNING id, domain_id
"""
OPEN_RECORDS = """
    INSERT INTO review_item (id, kind, record_id)
    SELECT id, 'record', record_id FROM unnest(%(new_ids)s::uuid[], %(records)s::uuid[]) AS fresh (id, record_id)
    ON CONFLICT (record_id) WHERE status = 'pending' DO NOTHING
"""
RESOLVED = "Its record was decided elsewhere."
WITHDRAWN = "All sources of its record are blacklisted."
CLEAR = "No doubts are left."
LONGEST_SENTENCE = 500
NAMES = ("candidate_name", "names")


class Fresh(NamedTuple):
    id: UUID
    name: str
    is_trusted: bool


def open_sources(domains: list[UUID]) -> None:
    """Approve and crawl trusted domains at once; put all others into the queue, with warnings and a preview."""
    fresh = _fresh(domains)
    if not fresh:
        return
    actor, trusted = system(), {each.id for each in fresh if _is_trusted(each)}
    everyone = {each.id for each in fresh}
    journal.move_many(everyone, PROCESSING, PROCESSING.step("discovered", "propose"), actor, reason="", naming=DOMAIN)
    if trusted:
        _approve_trusted(trusted, actor)
    if others := everyone - trusted:
        _queue(others, actor)


def supersede_sources(domains: list[UUID]) -> None:
    """Close the items of domains that were blacklisted."""
    _supersede(Item.objects.filter(domain__in=domains, status="pending"), "The domain was blacklisted.")


def open_records(found: Mapping[UUID, Sequence[Doubt]]) -> None:
    """Open items for these records with the reasons; items that are open already get the current reasons."""
    items = open_items(found)
    fresh = [warning(items[record], each) for record in sorted(found) for each in found[record]]
    current = {(row.item_id, row.code, row.sentence) for row in fresh}
    existing = Row.objects.filter(item__in=items.values(), code__in=CODES).values_list(
        "pk", "item_id", "code", "sentence"
    )
    Row.objects.filter(pk__in=[row_id for row_id, *key in existing if tuple(key) not in current]).delete()
    _drop_older_pairs(fresh)
    Row.objects.bulk_create(fresh, ignore_conflicts=True)


def _drop_older_pairs(fresh: Sequence[Row]) -> None:
    """Delete older warnings about the same pairs, so that each pair has one, with its current score."""
    pairs = {(row.item_id, row.code, row.detail.get("duplicate_of")) for row in fresh if "model" in row.detail}
    if pairs:
        older = Row.objects.filter(item__in={item for item, *_ in pairs}, detail__has_key="model")
        # KT: a JSON path in a plain lookup makes Django raise and keep an exception, and with it the whole batch.
        found = older.annotate(other=KT("detail__duplicate_of")).values_list("pk", "item_id", "code", "other")
        Row.objects.filter(pk__in=[row_id for row_id, *pair in found if tuple(pair) in pairs]).delete()


def drop_likenesses(records: Collection[UUID]) -> None:
    """Delete the possible duplicates found for these records before; they are about to be compared again."""
    Row.objects.filter(item__record__in=records, item__status="pending", detail__has_key="model").delete()


def open_items(records: Collection[UUID]) -> dict[UUID, UUID]:
    """Return the pending item of each record, made if there is none."""
    ids = sorted(records)
    with connection.cursor() as cursor:
        cursor.execute(OPEN_RECORDS, {"new_ids": [hex7() for _ in ids], "records": ids})
    return dict(Item.objects.filter(record__in=ids, status="pending").values_list("record_id", "pk"))


def warning(item: UUID, doubt: Doubt) -> Row:
    """Return the warning for a doubt, without names of other records, which are read when it is shown."""
    detail = {key: value for key, value in doubt.detail.items() if key not in NAMES}
    sentence = sentences([detail], {})[0] if others(detail) else doubt.sentence[:LONGEST_SENTENCE]
    return Row(item_id=item, code=doubt.code, sentence=sentence, detail=detail)


def clear_records(records: Collection[UUID]) -> None:
    """Delete the quality warnings of these records, and publish them if no other warnings are left."""
    Row.objects.filter(item__record__in=records, item__status="pending", code__in=CODES).delete()
    release(records)


def release(records: Collection[UUID]) -> None:
    """Close items without warnings, and publish their records."""
    items = Item.objects.filter(record__in=records, status="pending")
    held = set(items.filter(warnings__isnull=False).values_list("record_id", flat=True))
    clear = set(records) - held
    supersede_records(clear, CLEAR)
    publish_many(system(), clear, CLEAR)


def supersede_records(records: Collection[UUID], reason: str = RESOLVED) -> None:
    """Close the items of records that were decided elsewhere."""
    _supersede(Item.objects.filter(record__in=records, status="pending"), reason)


def supersede_withdrawn(records: Collection[UUID]) -> None:
    supersede_records(records, WITHDRAWN)


def begin_anew(domains: list[UUID]) -> None:
    """Reset the candidates of domains that were taken off the blacklist."""
    move_candidates(domains, system(), "Its domain was taken off the blacklist.", "undo")


def open_item(domain: Domain) -> Item:
    """Open an item for a domain that is under review but not in the queue."""
    _open({domain.pk})
    return Item.objects.get(domain=domain, status="pending")


def move_candidates(domains: Collection[UUID], actor: Actor, reason: str, *actions: str) -> None:
    """Apply the actions in turn to the candidates of these domains, where their state allows it."""
    ids = set(Candidate.objects.filter(domain__in=domains).values_list("pk", flat=True))
    steps = [move for action in actions for move in CANDIDATE.moves if move.action == action]
    for step in steps if ids else ():
        journal.move_many(ids, CANDIDATE, step, actor, reason=reason, naming=CANDIDATE_OF)


def _supersede(items: QuerySet[Item], reason: str) -> None:
    actor, ids = system(), set(items.values_list("pk", flat=True))
    if not ids:
        return
    moved = journal.move_many(ids, ITEM, ITEM.step("pending", "supersede"), actor, reason=reason, naming=ITEM_OF)
    Item.objects.filter(pk__in=moved).update(
        decided_at=Now(), decided_by=actor.user, reason=reason, version=F("version") + 1, **UNCLAIMED
    )


def _fresh(domains: Collection[UUID]) -> list[Fresh]:
    with connection.cursor() as cursor:
        cursor.execute(FRESH, {"ids": list(domains)})
        return [Fresh(*row) for row in cursor.fetchall()]


def _is_trusted(domain: Fresh) -> bool:
    return domain.is_trusted or any(is_under(domain.name, each) for each in settings.ENVIRONMENT.trusted_suffixes)


def _approve_trusted(domains: set[UUID], actor: Actor) -> None:
    for before in ("none", "pending_review"):
        journal.move_many(domains, APPROVAL, APPROVAL.step(before, "pass"), actor, reason=TRUSTED, naming=DOMAIN)
    rows = Domain.objects.filter(pk__in=domains)
    rows.update(reviewed_by=actor.user, reviewed_at=Now())
    move_candidates(domains, actor, TRUSTED, "lift", "undo", "approve")
    for domain in rows.order_by("name"):
        with suppress(Conflict):  # it is already being crawled
            crawling.request_crawl(actor, domain, "full")


def _queue(domains: set[UUID], actor: Actor) -> None:
    journal.move_many(domains, APPROVAL, APPROVAL.step("none", "propose"), actor, reason="", naming=DOMAIN)
    move_candidates(domains, actor, ANEW, "undo")
    crawling.stop_crawls(domains)  # in case it was approved until now
    preview_some(_open(domains))


def _open(domains: Collection[UUID]) -> set[UUID]:
    """Open items with their warnings, and return the domains that did not have one."""
    with connection.cursor() as cursor:
        ids = sorted(domains)
        cursor.execute(OPEN, {"new_ids": [hex7() for _ in ids], "domains": ids})
        items = {domain: item for item, domain in cursor.fetchall()}
    warn(items)
    return set(items)
