"""Spam rules: pure functions that decide whether a search result is spam, and why."""

from __future__ import annotations

from collections.abc import Callable

from gleanery.discovery.spam.listing import keyword_list
from gleanery.discovery.spam.mismatch import domain_mismatch
from gleanery.discovery.spam.result_text import ResultText, parse_result
from gleanery.discovery.spam.selling import cross_category, own_trade
from gleanery.discovery.spam.stuffing import keyword_stuffing
from gleanery.discovery.spam.verdict import Spam, quoted
from gleanery.discovery.spam.wording import score_of, strongest_words
from gleanery.domains.names import DomainName

__all__ = ["RULES", "Spam", "find_spam"]

# The first rule that hits is recorded, so the most informative reasons come first.
RULES: tuple[Callable[[ResultText], Spam | None], ...] = (
    cross_category,
    keyword_stuffing,
    keyword_list,
    domain_mismatch,
)


# Chosen to lose less than one honest result in a hundred, on rows by authors not used in training; see the output of
# `tools/train_wording.py`.
RULE = 0.15
SHAPE = 0.57
LIMIT = 0.15
WITHOUT_HOST = -0.1  # least score of the text alone, without the host name


def table_rule(result: ResultText) -> Spam | None:
    """Return the first rule that hits, if any."""
    return next((spam for rule in RULES if (spam := rule(result))), None)


def find_spam(title: str, description: str, domain: DomainName) -> Spam | None:
    """Return why a result (cleaned text) is spam; None for an honest one.

    A rule adds to the score of the words: it does not outweigh words typical of honest pages, and words alone need
    a clear score. Keyword stuffing adds more, as it shows in the text's shape; so does a site that sells what it is
    named after.
    """
    result = parse_result(title, description, domain)
    score = score_of(result)
    if score + SHAPE > LIMIT and (plain := keyword_stuffing(result) or own_trade(result)):
        return plain
    if score + RULE <= LIMIT:
        return None  # no rule could change that; true for nearly all honest results
    ruled = table_rule(result)
    if ruled is None and (score <= LIMIT or score_of(result, host=False) <= WITHOUT_HOST):
        return None  # the host name alone is never enough
    return ruled or Spam("wording", f"{quoted(strongest_words(result))} sound like spam.")
