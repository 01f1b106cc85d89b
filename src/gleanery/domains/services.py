"""Use cases of domains: blacklist, lift, and the moves of a domain's life."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models.functions import Now

from gleanery.accounts import journal
from gleanery.accounts.actor import Actor
from gleanery.domains import registry
from gleanery.domains.life import PROCESSING
from gleanery.domains.models import Domain
from gleanery.errors import GleaneryError, Invalid
from gleanery.text import clean_text

LONGEST_REASON = 2000


def update_status(actor: Actor, domain: Domain, action: str, *, reason: str = "", **changes: Any) -> Domain:
    """Any move of the processing table; who lost a race gets a Conflict."""
    return journal.move(domain, PROCESSING, action, actor, reason=reason, **changes)


@transaction.atomic
def blacklist(actor: Actor, url_or_host: str, reason: str) -> Domain:
    """Never searched, shown or crawled again, until an admin lifts it. An unknown domain is made and blacklisted."""
    domain = registry.register(url_or_host)
    reason = _reason(reason)
    return update_status(
        actor,
        domain,
        "blacklist",
        reason=reason,
        blacklisted_at=Now(),
        blacklisted_by=actor.user,
        blacklist_reason=reason,
    )


def lift(actor: Actor, domain: Domain, reason: str) -> Domain:
    """The domain begins anew: discovered, and approval goes back to none."""
    return update_status(
        actor,
        domain,
        "lift",
        reason=_reason(reason),
        approval_status="none",
        blacklisted_at=None,
        blacklisted_by=None,
        blacklist_reason="",
    )


@dataclass(frozen=True, slots=True)
class Refusal:
    given: str
    reason: str


def blacklist_many(actor: Actor, given: Iterable[str], reason: str) -> tuple[list[Domain], list[Refusal]]:
    """Each stands alone: what cannot be blacklisted is named with its reason and does not stop the others."""
    reason = _reason(reason)
    done, refused = [], []
    for each in given:
        try:
            done.append(blacklist(actor, each, reason))
        except GleaneryError as problem:
            refused.append(Refusal(clean_text(each, limit=200), str(problem)))
    return done, refused


def _reason(reason: str) -> str:
    text = clean_text(reason, limit=LONGEST_REASON, multiline=True)
    if not text:
        raise Invalid("This needs a reason: say why in a few words.")
    return text
