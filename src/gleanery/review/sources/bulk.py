"""One decision about many domains; each is decided separately, and refusals are listed with their reasons."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from gleanery.accounts.actor import Actor
from gleanery.domains import registry
from gleanery.domains import services as domains
from gleanery.domains.models import Domain
from gleanery.domains.services import Refusal, each_alone
from gleanery.errors import Invalid
from gleanery.review.sources import source_decisions


class Wish(NamedTuple):
    """Reason and year, for the actions that need them."""

    reason: str = ""
    year: int = 0


ACTS: dict[str, Callable[[Actor, str, Wish], Domain]] = {
    "approve": lambda actor, name, wish: source_decisions.approve(actor, registry.find(name)).domain,
    "reject": lambda actor, name, wish: source_decisions.reject(actor, registry.find(name), wish.reason).domain,
    "suspend": lambda actor, name, wish: source_decisions.suspend(actor, registry.find(name), wish.reason).domain,
    "resume": lambda actor, name, wish: source_decisions.resume(actor, registry.find(name)).domain,
    "trust": lambda actor, name, wish: source_decisions.trust(actor, registry.find(name)).domain,
    "no-funds": lambda actor, name, wish: domains.no_funds(actor, registry.find(name), wish.year),
    "blacklist": lambda actor, name, wish: domains.blacklist(actor, name, wish.reason),
    "lift": lambda actor, name, wish: domains.lift(actor, registry.find(name), wish.reason),
}
NEED_A_REASON = ("reject", "blacklist", "lift")


def decide(actor: Actor, action: str, names: Iterable[str], wish: Wish) -> tuple[list[Domain], list[Refusal]]:
    """Act on each domain; a missing reason is refused once, before anything is done."""
    if action in NEED_A_REASON and not wish.reason.strip():
        raise Invalid("Nothing was changed, because there is no reason. Say why in a few words.")
    return each_alone(names, lambda name: ACTS[action](actor, name, wish))
