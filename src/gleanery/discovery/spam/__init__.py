"""Spam rules: pure functions that say whether a search result is bait, and why; nothing here reads or writes."""

from __future__ import annotations

from collections.abc import Callable

from gleanery.discovery.spam.listing import keyword_list
from gleanery.discovery.spam.mismatch import domain_mismatch
from gleanery.discovery.spam.reading import Reading, read
from gleanery.discovery.spam.selling import cross_category
from gleanery.discovery.spam.stuffing import keyword_stuffing
from gleanery.discovery.spam.verdict import Spam
from gleanery.domains.names import DomainName

__all__ = ["RULES", "Spam", "find_spam"]

# The most telling reason first: the first rule that hits is the one that is kept.
RULES: tuple[Callable[[Reading], Spam | None], ...] = (
    cross_category,
    keyword_stuffing,
    keyword_list,
    domain_mismatch,
)


def find_spam(title: str, description: str, domain: DomainName) -> Spam | None:
    """The first rule that would throw the result out, with its reason; None for an honest one. Text comes cleaned."""
    reading = read(title, description, domain)
    for rule in RULES:
        if spam := rule(reading):
            return spam
    return None
