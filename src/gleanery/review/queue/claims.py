"""Claims on review items, so that two people do not do the same work; each expires by itself."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction
from django.db.models import Case, Q, QuerySet, Value, When
from django.db.models.functions import Now

from gleanery.accounts import journal
from gleanery.accounts.actor import Actor
from gleanery.errors import Conflict, NotAllowed, NotFound
from gleanery.review.life import CLAIM_LASTS
from gleanery.review.models import Item
from gleanery.roles import DECIDER, Role, may_act

UNCLAIMED = {"claimed_by": None, "claimed_key": None, "claimed_until": None}


def find(which: UUID) -> Item:
    """Return the item with this id, or the newest item of the record with this id."""
    item = all_items().filter(Q(pk=which) | Q(record=which)).order_by("-pk").first()
    if item is None:
        raise NotFound("There is no such review item.")
    return item


def all_items() -> QuerySet[Item]:
    """Return items annotated with `is_claimed`, by the clock of the database."""
    holds = Case(When(claimed_until__gt=Now(), then=Value(True)), default=Value(False))
    return Item.objects.select_related(
        "domain__submitted_by", "record", "claimed_by", "claimed_key", "decided_by"
    ).annotate(is_claimed=holds)


@transaction.atomic
def claim(actor: Actor, item: Item) -> Item:
    """Claim an item for 15 minutes, or for 15 more if it is already yours."""
    must_decide(actor, "claim a review item")
    free = Q(claimed_until=None) | Q(claimed_until__lte=Now())
    mine = Q(claimed_by=actor.user, claimed_key=actor.key)
    rows = Item.objects.filter(free | mine, pk=item.pk, status="pending")
    changes = {"claimed_by": actor.user, "claimed_key": actor.key, "claimed_until": Now() + CLAIM_LASTS}
    was_mine = Item.objects.filter(mine, pk=item.pk, claimed_until__gt=Now()).exists()
    if not rows.update(**changes):
        raise _refusal(find(item.pk))
    if not was_mine:
        journal.write(actor, "claim", item)
    return find(item.pk)


@transaction.atomic
def release(actor: Actor, item: Item) -> Item:
    """Release a claim; an admin may release the claims of others."""
    must_decide(actor, "release a review item")
    mine = Q() if actor.role is Role.ADMIN else Q(claimed_by=actor.user, claimed_key=actor.key)
    if Item.objects.filter(mine, pk=item.pk, claimed_until__gt=Now()).update(**UNCLAIMED):
        journal.write(actor, "release", item)
        return find(item.pk)
    now = find(item.pk)
    if is_claimed(now):
        raise _refusal(now)
    return now


def must_be_free(item: Item, actor: Actor) -> None:
    """Raise Conflict if somebody else has claimed the item."""
    seen = find(item.pk)
    if is_claimed(seen) and (seen.claimed_by, seen.claimed_key) != (actor.user, actor.key):
        raise _refusal(seen)


def is_claimed(item: Item) -> bool:
    return bool(getattr(item, "is_claimed", False))


def holder_of(item: Item) -> str:
    """Return the name of who has claimed it, or an empty text."""
    return str(item.claimed_key or item.claimed_by) if is_claimed(item) else ""


def must_decide(actor: Actor, to: str) -> None:
    if not may_act(actor.who, DECIDER):
        raise NotAllowed(f"You need the role reviewer, or a key with the scope review:decide, to {to}.")


def _refusal(item: Item) -> Conflict:
    if item.status != "pending":
        return Conflict(f"This review item is already {item.status}, so it cannot be claimed.")
    until = f"{item.claimed_until:%H:%M} UTC"
    return Conflict(f"{holder_of(item)} has claimed {item} until {until}. Wait, or ask an admin to release it.")
