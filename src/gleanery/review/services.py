"""Decisions about a review item, be it a source or a record."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gleanery.accounts.actor import Actor
from gleanery.domains.life import BLACKLISTED
from gleanery.errors import Conflict, Invalid
from gleanery.review.life import ITEM
from gleanery.review.models import Item
from gleanery.review.queue import claims
from gleanery.review.records import record_decisions
from gleanery.review.records.record_decisions import RecordDecision
from gleanery.review.sources import source_decisions
from gleanery.review.sources.locked_source import Decision
from gleanery.roles import Role

ABOUT_SOURCES: dict[str, Callable[..., Decision]] = {
    "approve": source_decisions.approve,
    "reject": source_decisions.reject,
    "undo": source_decisions.undo,
}
ABOUT_RECORDS: dict[str, Callable[..., RecordDecision]] = {
    "approve": record_decisions.approve,
    "reject": record_decisions.reject,
    "merge": record_decisions.merge,
    "undo": record_decisions.undo,
}

OF_RECORDS = ("reason", "merge_into", "fields")


def decide(
    actor: Actor, item: Item, action: str, *, version: int | None = None, **details: Any
) -> Decision | RecordDecision:
    """Decide about an item; Conflict if it changed since it was seen, or is no longer the current one."""
    if action not in (ABOUT_SOURCES if item.domain else ABOUT_RECORDS):
        raise Invalid(f"A {item.kind} in the review queue has no action called {action}. Nothing was changed.")
    claims.must_decide(actor, f"{action} a review item")
    if version is not None and version != item.version:
        raise Conflict(f"{item} has changed since you opened it, so nothing was decided. Reload it and try again.")
    ITEM.move(item.status, action, actor.who, details.get("reason") or "")
    if item.domain is not None:
        return ABOUT_SOURCES[action](actor, item.domain, item=item, **details)
    return ABOUT_RECORDS[action](actor, item.record, item=item, **_of_records(details))


def _of_records(details: dict[str, Any]) -> dict[str, Any]:
    """Return the details for records; refuse those that are for sources only, such as the depth of a crawl."""
    given = {name: value for name, value in details.items() if value not in (None, False, [], ())}
    if strange := sorted(given.keys() - set(OF_RECORDS)):
        raise Invalid(f"A record has no {' or '.join(strange)}, so nothing was decided. Leave that out.")
    return {name: details[name] for name in OF_RECORDS if name in details}


def allowed_actions(actor: Actor, item: Item) -> list[str]:
    """Return the actions that the actor may take on this item now."""
    known = ABOUT_SOURCES if item.domain else ABOUT_RECORDS
    may = [action for action in ITEM.allowed(item.status, actor.who) if action in known]
    if "merge" in may and not record_decisions.candidates(item):
        may.remove("merge")
    if not may:
        return []
    if item.status != "pending":
        return may if _can_be_undone(item) else []
    is_mine = (item.claimed_by, item.claimed_key) == (actor.user, actor.key)
    if not claims.is_claimed(item):
        return [*may, "claim"]
    if is_mine:
        return [*may, "claim", "release"]
    return ["release"] if actor.role is Role.ADMIN else []


def _can_be_undone(item: Item) -> bool:
    """Return True for the latest decision; a blacklisted source must be taken off the blacklist first."""
    if item.record is not None:
        return record_decisions.can_be_undone(item)
    domain = item.domain
    if domain is None or domain.processing_status == BLACKLISTED:
        return False
    if Item.objects.filter(domain=domain, kind=item.kind, pk__gt=item.pk).exists():
        return False
    return domain.approval_status == ("none" if item.status == "superseded" else item.status)
