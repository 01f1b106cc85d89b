"""A source with all its rows locked while a decision about it is made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import F
from django.db.models.functions import Now

from gleanery.accounts import journal
from gleanery.accounts.actor import Actor, system
from gleanery.crawling.models import Crawl
from gleanery.domains.life import APPROVAL, BLACKLISTED, PROCESSING
from gleanery.domains.models import Domain
from gleanery.errors import Conflict
from gleanery.judging.life import CANDIDATE
from gleanery.judging.models import Candidate
from gleanery.review import opening
from gleanery.review.life import ITEM
from gleanery.review.models import Item
from gleanery.review.queue import claims
from gleanery.roles import SYSTEM

# What to do instead if the state does not allow the action.
INSTEAD = {
    "approved": "it is already approved. Suspend it to pause crawling, or undo the approval",
    "rejected": "it was rejected. Undo that first",
    "suspended": "it is suspended. Resume it first",
    "pending_review": "nobody has decided about it yet",
    "none": "nobody has decided about it yet",
}


@dataclass(frozen=True, slots=True)
class Decision:
    """State of a source after a decision, and a sentence for the reviewer."""

    domain: Domain
    candidate: Candidate | None
    item: Item | None
    said: str
    crawl: Crawl | None = None


@dataclass(slots=True)
class Docket:
    """Source with its rows locked, always in the same order, so that concurrent decisions cannot deadlock."""

    actor: Actor
    domain: Domain
    candidate: Candidate | None
    item: Item | None  # the pending one, else the one decided last

    @classmethod
    def take(cls, actor: Actor, seen: Domain, item: Item | None = None) -> Docket:
        """Lock the rows; Conflict if they are newer than `seen` and `item`, which the reviewer has open."""
        claims.must_decide(actor, "decide about a source")
        domain = Domain.objects.select_for_update(no_key=True).get(pk=seen.pk)
        candidate = Candidate.objects.select_for_update(no_key=True).filter(domain=domain).first()
        items = Item.objects.select_for_update(no_key=True).filter(domain=domain, kind="source")
        current = items.filter(status="pending").first() or items.order_by("-id").first()
        docket = cls(actor, domain, candidate, current)
        docket._refuse_the_stale(seen, item)
        return docket

    def _refuse_the_stale(self, seen: Domain, item: Item | None) -> None:
        now, name = self.item, self.domain.display
        if item is not None and (now is None or (now.pk, now.version) != (item.pk, item.version)):
            raise Conflict(f"{name} has changed since you opened it, so nothing was decided. Reload it and try again.")
        if seen.approval_status != self.domain.approval_status:
            raise Conflict(f"{name} has changed since you opened it, so nothing was decided. Reload it and try again.")
        if now is not None and now.status == "pending":
            claims.must_be_free(now, self.actor)

    def refuse_blacklisted(self) -> None:
        if self.domain.processing_status == BLACKLISTED:
            reason = self.domain.blacklist_reason
            raise Conflict(
                f"{self.domain.display} is blacklisted ({reason}). An admin must take it off the blacklist first."
            )

    def move(self, action: str, reason: str = "", **changes: Any) -> None:
        """Change the approval of the domain; Conflict says what to do instead if the state does not allow it."""
        name, state = self.domain.display, self.domain.approval_status
        self.refuse_blacklisted()
        if action not in {move.action for move in APPROVAL.moves if move.before == state}:
            raise Conflict(f"Cannot {action} {name}: {INSTEAD[state]}.")
        journal.move(self.domain, APPROVAL, action, self.actor, reason=reason, **changes)

    def submit(self) -> None:
        """Submit a domain that was only found, because deciding about it implies that."""
        if self.domain.approval_status == "none":
            kind = "system" if self.actor.who == SYSTEM else "admin"
            self.move("submit", submitted_by=self.actor.user, submitter_type=kind)
        if self.domain.processing_status == "discovered":
            journal.move(self.domain, PROCESSING, "propose", system())

    def settle(self, action: str, reason: str = "") -> None:
        """Apply the decision to the candidate and the item too."""
        if self.candidate is not None:
            self._carry(self.candidate, action, reason)
        if self.item is not None and self.item.status == "pending":
            Item.objects.filter(pk=self.item.pk).update(reason=reason)  # first, because a rejected item must have one
            self._move_item(self.item, action, reason, decided_at=Now(), decided_by=self.actor.user)

    def reopen(self) -> None:
        if self.candidate is not None and "undo" in CANDIDATE.allowed(self.candidate.status, SYSTEM):
            journal.move(self.candidate, CANDIDATE, "undo", self.actor, rejection_reason="")
        if self.item is None:
            self.item = opening.open_item(self.domain)
        elif self.item.status != "pending":
            self._move_item(self.item, "undo", "", decided_at=None, decided_by=None)

    def _carry(self, candidate: Candidate, action: str, reason: str) -> None:
        """Move the candidate; a skipped one is lifted first, because people overrule the judges."""
        first_action = {"skipped_low_confidence": "lift", "approved": "undo", "rejected": "undo"}.get(candidate.status)
        if CANDIDATE.step("pending_crawl", action).after == candidate.status:
            return
        if first_action:
            journal.move(candidate, CANDIDATE, first_action, system(), reason="Its domain was decided.")
        changes: dict[str, Any] = {"rejection_reason": reason} if action == "reject" else {}
        journal.move(candidate, CANDIDATE, action, self.actor, reason=reason, **changes)

    def _move_item(self, item: Item, action: str, reason: str, **changes: Any) -> None:
        grown: dict[str, Any] = {"version": F("version") + 1, **claims.UNCLAIMED}
        journal.move(item, ITEM, action, self.actor, reason=reason, **grown, **changes)

    def decided(self, said: str, crawl: Crawl | None = None) -> Decision:
        self.domain.refresh_from_db()  # stopping a crawl may have changed it
        item = claims.find(self.item.pk) if self.item else None
        return Decision(self.domain, self.candidate, item, said, crawl)
