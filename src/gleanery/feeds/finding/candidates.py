"""Chooses feed candidates from the signs on pages: few guesses, no files of single events. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gleanery.domains.names import domain_of
from gleanery.errors import InvalidDomain
from gleanery.feeds.addresses import LONGEST
from gleanery.feeds.platform import Platform, Sign
from gleanery.feeds.platforms import PLATFORMS
from gleanery.feeds.platforms.icalendar import ICALENDAR
from gleanery.feeds.platforms.syndication import SYNDICATION

MOST = 50
MOST_GUESSES = 5
MOST_COVERED = 50  # per feed
MOST_GENERAL = 5  # calendars and RSS; sites with more have one per event or post
GENERAL = (ICALENDAR, SYNDICATION)

_ORDER = {platform.name: place for place, platform in enumerate(PLATFORMS)}


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenSign:
    """A sign found on one page; `depth` counts links from the homepage."""

    platform: Platform
    sign: Sign
    page: str
    depth: int


@dataclass(slots=True, kw_only=True)
class Candidate:
    """An address that may be a feed, with facts from all pages that show it."""

    platform: Platform
    url: str
    host: str
    title: str
    is_guess: bool
    covers: set[str]
    page: str
    depth: int
    pages: int

    @property
    def rank(self) -> tuple[int, bool, int, int, str]:
        return _ORDER[self.platform.name], self.is_guess, -self.pages, self.depth, self.url


def choose_candidates(signs_seen: Iterable[SeenSign], known: frozenset[str] = frozenset()) -> list[Candidate]:
    """Return the candidates to keep. `known` addresses are stored already and count towards the total."""
    ranked = sorted(_candidates(signs_seen).values(), key=lambda each: each.rank)
    kept: list[Candidate] = []
    guesses, general = 0, dict.fromkeys((each.name for each in GENERAL), 0)
    for each in ranked:
        if each.url not in known:
            if each.platform.name in general:
                general[each.platform.name] += 1
            guesses += each.is_guess
            too_many = general.get(each.platform.name, 0) > MOST_GENERAL or (each.is_guess and guesses > MOST_GUESSES)
            if too_many or len(known) + len(kept) >= MOST:
                continue
        kept.append(each)
    return kept


def host_of(url: str) -> str:
    """Return the normalised domain of an address, or ""."""
    try:
        return domain_of(url).name
    except InvalidDomain:
        return ""


def _candidates(signs_seen: Iterable[SeenSign]) -> dict[str, Candidate]:
    found: dict[str, Candidate] = {}
    for each in signs_seen:
        url = each.sign.url
        known = found.get(url)
        if known is None:
            host = host_of(url) if len(url) <= LONGEST else ""
            if host:
                found[url] = _candidate(each, host)
            continue
        known.pages += 1
        known.is_guess &= each.sign.guess
        known.title = known.title or each.sign.title
        if len(known.covers) < MOST_COVERED:
            known.covers.update(each.sign.covers)
        if each.depth < known.depth:
            known.page, known.depth = each.page, each.depth
        if _ORDER[each.platform.name] < _ORDER[known.platform.name]:
            known.platform = each.platform
    return found


def _candidate(seen: SeenSign, host: str) -> Candidate:
    sign = seen.sign
    return Candidate(
        platform=seen.platform,
        url=sign.url,
        host=host,
        title=sign.title,
        is_guess=sign.guess,
        covers=set(sign.covers),
        page=seen.page,
        depth=seen.depth,
        pages=1,
    )
