"""Spam rules: pure functions that say whether a search result is bait, and why; nothing here reads or writes."""

from __future__ import annotations

from collections.abc import Callable

from gleanery.discovery.spam.listing import keyword_list
from gleanery.discovery.spam.mismatch import domain_mismatch
from gleanery.discovery.spam.reading import Reading, read
from gleanery.discovery.spam.selling import cross_category, own_trade
from gleanery.discovery.spam.stuffing import keyword_stuffing
from gleanery.discovery.spam.verdict import Spam, quoted
from gleanery.discovery.spam.wording import score_of, telling
from gleanery.domains.names import DomainName

__all__ = ["RULES", "Spam", "find_spam"]

# The most telling reason first: the first rule that hits is the one that is kept.
RULES: tuple[Callable[[Reading], Spam | None], ...] = (
    cross_category,
    keyword_stuffing,
    keyword_list,
    domain_mismatch,
)


# Chosen so that less than one honest result in a hundred is lost, on rows whose author the weights had not seen:
# `tools/train_wording.py` prints what they do.
RULE = 0.15
SHAPE = 0.57
LIMIT = 0.15
WITHOUT_HOST = -0.1  # the text itself must not speak against it


def table_rule(reading: Reading) -> Spam | None:
    """The first of the rules that would throw the result out."""
    return next((spam for rule in RULES if (spam := rule(reading))), None)


def find_spam(title: str, description: str, domain: DomainName) -> Spam | None:
    """Why the result would be thrown out; None for an honest one. Text comes cleaned.

    What a rule finds and what the words say are added up: a rule alone does not outweigh words that speak for an honest
    page, and words alone must speak clearly. Stuffing is a matter of shape more than of words, so it counts for more;
    so does a site that sells what it is named after.
    """
    reading = read(title, description, domain)
    score = score_of(reading)
    if score + SHAPE > LIMIT and (plain := keyword_stuffing(reading) or own_trade(reading)):
        return plain
    if score + RULE <= LIMIT:
        return None  # no rule could change that, so none is asked: so it is with nearly all honest results
    ruled = table_rule(reading)
    if ruled is None and (score <= LIMIT or score_of(reading, host=False) <= WITHOUT_HOST):
        return None  # the name of a site is never enough
    return ruled or Spam("wording", f"{quoted(telling(reading))} sound like spam, and too little speaks against it.")
