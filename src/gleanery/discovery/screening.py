"""Cleans and checks a hit, and finds the first reason to filter it out."""

from __future__ import annotations

from dataclasses import dataclass, replace

from gleanery.discovery.hit import Hit
from gleanery.discovery.spam import find_spam
from gleanery.domains.names import DomainName, domain_of
from gleanery.errors import InvalidDomain
from gleanery.text import clean_text

LONGEST_URL = 2000
LONGEST_QUERY = 500
LONGEST_TITLE = 500
LONGEST_DESCRIPTION = 1000


@dataclass(frozen=True, slots=True)
class ScreenedHit:
    """A cleaned hit; `outcome` is empty unless it is invalid or spam."""

    query: str
    url: str
    title: str
    description: str
    position: int
    domain: DomainName | None = None
    outcome: str = ""
    rule: str = ""
    reason: str = ""


def screen(hit: Hit) -> ScreenedHit:
    clean = ScreenedHit(
        query=clean_text(hit.query, limit=LONGEST_QUERY),
        url=clean_text(hit.url, limit=LONGEST_URL),
        title=clean_text(hit.title, limit=LONGEST_TITLE),
        description=clean_text(hit.description, limit=LONGEST_DESCRIPTION),
        position=max(hit.position, 1),
    )
    try:
        domain = _checked(hit, clean)
    except InvalidDomain as problem:
        return replace(clean, outcome="invalid", reason=str(problem))
    spam = find_spam(clean.title, clean.description, domain)
    if spam is None:
        return replace(clean, domain=domain)
    return replace(clean, domain=domain, outcome="spam", rule=spam.rule, reason=spam.reason)


def _checked(hit: Hit, clean: ScreenedHit) -> DomainName:
    """Return the domain, or raise InvalidDomain with the first problem."""
    if len(hit.url) > LONGEST_URL:
        raise InvalidDomain(f"The address is longer than {LONGEST_URL} characters.")
    if not (clean.title or clean.description):
        raise InvalidDomain("There is neither a title nor a description.")
    if hit.position <= 0:
        raise InvalidDomain(f"The position is {hit.position}, but positions count from 1.")
    return domain_of(hit.url)
