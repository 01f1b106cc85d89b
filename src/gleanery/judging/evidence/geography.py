"""Geography of a result: whether it names the wanted place, its country, or another place."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from gleanery.judging.evidence.case import Case
from gleanery.judging.evidence.first_hand import Text
from gleanery.judging.evidence.host import Site
from gleanery.judging.evidence.sentence import quoted
from gleanery.judging.lexicon import COUNTRY, ELSEWHERE, HERE, Hit, Lexicon

NO_PLACE_WANTED = 50
NAMED_IN_TITLE, NAMED, IN_HOST = 100, 95, 92
COUNTRY_NAMED, COUNTRY_ENDING, OWN_LANGUAGE, SILENT = 80, 72, 66, 45
FOREIGN_IN_TITLE, FOREIGN_NAMED, FOREIGN = 80, 50, 12
OTHER_FIRST, OTHER_PLACE = 15, 4

# Countries whose language is recognisable by its letters.
_LETTERS: Final = {code: re.compile("[а-я]{3}") for code in ("bg", "mk", "rs", "ru", "ua", "by", "kz")} | {
    code: re.compile("[α-ω]{3}") for code in ("gr", "cy")
}


class Place(NamedTuple):
    """Score of the place from 0 to 100, its sentence, and the other place if the result is about another."""

    score: int
    sentence: str
    elsewhere: str = ""


def place_of(text: Text, site: Site, lexicon: Lexicon) -> Place:
    if not lexicon.has_geography:
        return Place(NO_PLACE_WANTED, "The topic is not limited to a place.")
    # Places named in the query count as wanted.
    asked = lexicon.places_in(text.case.query)
    found = text.found
    named = found.get(ELSEWHERE, [])
    here = [*found.get(HERE, ()), *(hit for hit in named if hit.lemma in asked)]
    other = [hit for hit in named if hit.lemma not in asked]
    country = found.get(COUNTRY, [])
    if not lexicon.wants_town:
        here, country = [*here, *country], []
    if site.is_national:
        other = [hit for hit in other if hit.in_title or hit.lemma in lexicon.towns]
    if here:
        return _named(here, [] if country else other, site.foreign)
    if HERE in site.words and not other:
        return Place(IN_HOST, f"The domain name contains {quoted([site.words[HERE]])}.")
    if other and not country:
        return _elsewhere(other, f"It is about {quoted(_shown(other))}, not about the wanted place.")
    return _country(text.case, country, site, lexicon.country)


def _named(here: list[Hit], other: list[Hit], foreign: str) -> Place:
    names = quoted(_shown(here))
    in_title = any(hit.in_title for hit in here)
    if not in_title and any(hit.in_title for hit in other):
        return _elsewhere(other, f"It mentions {names}, but the title is about {quoted(_shown(other))}.", OTHER_FIRST)
    if foreign:
        score = FOREIGN_IN_TITLE if in_title else FOREIGN_NAMED
        return Place(score, f"It names {names}, but the domain ends in .{foreign}.")
    if in_title:
        return Place(NAMED_IN_TITLE, f"The title names {names}.")
    return Place(NAMED, f"The description names {names}.")


def _elsewhere(other: list[Hit], sentence: str, score: int = OTHER_PLACE) -> Place:
    return Place(score, sentence, _shown(other)[0])


def _country(case: Case, country: list[Hit], site: Site, code: str) -> Place:
    if country:
        return Place(FOREIGN_NAMED if site.foreign else COUNTRY_NAMED, f"It names {quoted(_shown(country))}.")
    if site.is_national:
        return Place(COUNTRY_ENDING, f"It names no place, but .{code} is the country's ending.")
    if site.foreign:
        return Place(FOREIGN, f"It does not name the wanted place, and .{site.foreign} is another country's ending.")
    letters = _LETTERS.get(code)
    if letters and letters.search(f"{case.title} {case.description}".casefold()):
        return Place(OWN_LANGUAGE, "It names no place, but it is written in the country's alphabet.")
    return Place(SILENT, "It names no place.")


def _shown(hits: list[Hit]) -> list[str]:
    return list(dict.fromkeys(hit.shown for hit in hits))
