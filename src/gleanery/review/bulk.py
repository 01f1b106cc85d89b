"""The same decision about many domains; each stands alone, and what is refused is named with its reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from gleanery.accounts.actor import Actor
from gleanery.domains import registry
from gleanery.domains.models import Domain
from gleanery.domains.services import Refusal
from gleanery.errors import GleaneryError, Invalid
from gleanery.review import sources
from gleanery.review.docket import Decision
from gleanery.text import clean_text

Outcome = tuple[list[Decision], list[Refusal]]


def approve_many(actor: Actor, given: Iterable[str]) -> Outcome:
    return each(given, lambda domain: sources.approve(actor, domain))


def reject_many(actor: Actor, given: Iterable[str], reason: str, *, blacklist: bool = False) -> Outcome:
    if not reason.strip():
        raise Invalid("This needs a reason: say why in a few words.")
    return each(given, lambda domain: sources.reject(actor, domain, reason, blacklist=blacklist))


def suspend_many(actor: Actor, given: Iterable[str], reason: str = "") -> Outcome:
    return each(given, lambda domain: sources.suspend(actor, domain, reason))


def resume_many(actor: Actor, given: Iterable[str]) -> Outcome:
    return each(given, lambda domain: sources.resume(actor, domain))


def each(given: Iterable[str], act: Callable[[Domain], Decision]) -> Outcome:
    done, refused = [], []
    for name in given:
        try:
            done.append(act(registry.find(name)))
        except GleaneryError as problem:
            refused.append(Refusal(clean_text(name, limit=200), str(problem)))
    return done, refused
