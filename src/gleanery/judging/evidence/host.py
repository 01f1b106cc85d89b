"""Evidence in a host name: its ending and the words it consists of."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from gleanery.domains.names import DomainName
from gleanery.judging.tables import BRANDS, ENDINGS, GROUPS, JOINERS, SECOND_LEVELS, Ending
from gleanery.judging.transliteration import simplified

LONG_WORD = 6  # letters: such a word is recognised at either end of a label whatever the rest is
_PARTS: Final = re.compile(r"[a-z]+")
_ROUND_THE_CLOCK: Final = re.compile(r"(?:24|365|247|4u|24h)$")
_COUNTRY: Final = re.compile(r"[a-z]{2}|xn--.+")
_JOINERS: Final = frozenset(simplified(word) for word in JOINERS)
# Countries with a second ending in their own alphabet.
OWN_LETTERS: Final = {"bg": "xn--90ae", "ru": "xn--p1ai", "gr": "xn--qxam", "eu": "xn--e1a4c", "mk": "xn--d1alf"}


class Site(NamedTuple):
    """Evidence in the host name for a topic, read once per domain."""

    words: dict[str, str]  # group -> part of the name that contains a word of it
    worth: Ending
    sentence: str  # about its ending, without the full stop
    label: str  # the part its owner chose, in simplified spelling
    is_national: bool
    foreign: str  # ending of another country
    is_round_the_clock: bool  # 24 or 365 in the name, typical of portals and shops


def read_site(domain: DomainName, country: str, known: Mapping[str, str]) -> Site:
    chosen = domain.registrable.partition(".")[0]
    ending, worth = ending_of(domain, country)
    verb = "is" if worth.is_platform else f"ends in .{ending},"
    return Site(
        host_words(domain, known),
        worth,
        f"{domain.display} {verb} {worth.reason}",
        simplified("".join(_PARTS.findall(chosen))),
        is_of_country(domain, country),
        foreign_country(domain, country),
        bool(_ROUND_THE_CLOCK.search(chosen)),
    )


def ending_of(domain: DomainName, country: str) -> tuple[str, Ending]:
    """Return the longest listed ending; a brand counts with any ending."""
    label = domain.registrable.partition(".")[0]
    if label in BRANDS:
        return domain.registrable, GROUPS["brands"]
    labels = domain.name.split(".")
    for start in range(len(labels)):
        ending = ".".join(labels[start:])
        if ending in ENDINGS:
            return ending, ENDINGS[ending]
        # Only second levels of the registry itself: gov.uk, ac.uk, org.tr.
        if start == len(labels) - 2 and labels[start] in SECOND_LEVELS and domain.registrable.count(".") > 1:
            return ending, SECOND_LEVELS[labels[start]]
    return labels[-1], GROUPS[_group_of(labels[-1], country)]


def _group_of(ending: str, country: str) -> str:
    if country and ending in (country, OWN_LETTERS.get(country)):
        return "national"
    return "near" if _COUNTRY.fullmatch(ending) else "unknown"


def is_of_country(domain: DomainName, country: str) -> bool:
    return bool(country) and domain.name.rpartition(".")[2] in (country, OWN_LETTERS.get(country))


def foreign_country(domain: DomainName, country: str) -> str:
    """Return the ending if it belongs to another country; endings used worldwide do not count."""
    ending = domain.name.rpartition(".")[2]
    if not country or is_of_country(domain, country) or not _COUNTRY.fullmatch(ending):
        return ""
    return "" if ending in ENDINGS else ending


def host_words(domain: DomainName, known: Mapping[str, str]) -> dict[str, str]:
    """Map groups to parts of the name, for words that make up its labels."""
    found: dict[str, str] = {}
    suffix = domain.registrable.partition(".")[2]
    for part in _PARTS.findall(domain.name.removesuffix(f".{suffix}")):
        for word in _words_of(simplified(part), known):
            found.setdefault(known[word], part)
    return found


def _words_of(part: str, known: Mapping[str, str]) -> list[str]:
    if part in known:
        return [part]
    split = _split(part, known)
    if split is not None:
        return [word for word in split if word in known]
    for length in range(len(part) - 1, LONG_WORD - 1, -1):
        for word in (part[:length], part[-length:]):
            if word in known:
                return [word]
    return []


def _split(part: str, known: Mapping[str, str]) -> list[str] | None:
    """Split a part completely into known words, using as few as possible."""
    best: list[list[str] | None] = [[], *([None] * len(part))]
    for end in range(1, len(part) + 1):
        for start in range(end - 1, -1, -1):
            before, word, now = best[start], part[start:end], best[end]
            if (
                before is not None
                and (word in known or word in _JOINERS)
                and (now is None or len(before) < len(now) - 1)
            ):
                best[end] = [*before, word]
    return best[-1]
