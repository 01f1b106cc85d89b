"""Names of the organisation and the programme in a title; the domain name shows which is which."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from gleanery.judging.evidence.first_hand import Text
from gleanery.judging.evidence.host import Site
from gleanery.judging.evidence.title import Part
from gleanery.judging.lexicon import KEYWORD, ORGANIZATION
from gleanery.judging.transliteration import skeletons

LONGEST_NAME = 100
MOST_WORDS = 10
OWN, KIND, TOO_LONG = 3, 2, 2
SURE = 2  # points of a part that contains the name of the site or a word for a kind of organisation
COVERED = 0.6  # share of the letters of the site's name
SHORTEST = 3
LONG, SHORTENED = 6, 5  # letters: the beginning of a longer word is enough

_QUOTED: Final = re.compile('[«„“"]([^«»„“”"]{3,100})[»“”"]')
_FOLLOWED: Final = frozenset({"of", "for", "на", "за", "по"})


class Names(NamedTuple):
    """Names, empty if the title is unclear; `is_site` if the site is named after the organisation."""

    organization: str
    programme: str
    is_site: bool


NONE: Final = Names("", "", False)


class _Weighed(NamedTuple):
    text: str
    points: int
    bears_site: bool
    keywords: int


def names_in(text: Text, site: Site) -> Names:
    """Find names in titles such as `Programme - Organisation` or `Organisation: “Programme”`."""
    parts = text.title.parts
    if site.worth.group == "social":  # "… | Facebook" names the platform
        parts = [part for part in parts if not bears_name(part.words, site.label)]
    if not parts:
        return NONE
    weighed = [_weigh(part, (at, len(parts)), text, site) for at, part in enumerate(parts)]
    best = max(weighed, key=lambda part: part.points)
    if best.points < SURE or [part.points for part in weighed].count(best.points) > 1:
        return NONE
    programme = _programme([part for part in weighed if part is not best])
    return Names(_capped(best.text), _capped(programme), best.bears_site)


def _weigh(part: Part, place: tuple[int, int], text: Text, site: Site) -> _Weighed:
    at, of = place
    keywords = len(_starts(KEYWORD, part, text))
    bears_site = bears_name(part.words, site.label)
    points = OWN if bears_site else 0
    if len(part.words) > MOST_WORDS:
        points -= TOO_LONG
    elif _names_kind(part.words, _starts(ORGANIZATION, part, text)):
        points += KIND
    if of > 1:
        points += at == of - 1
    elif not bears_site:  # a title without parts may be about anybody
        points -= 1
    return _Weighed(part.text, points, bears_site, keywords)


def _starts(group: str, part: Part, text: Text) -> set[int]:
    """Return the positions in the part of the words of a group."""
    places = range(len(part.words))
    hits = text.found.get(group)
    return {at for hit in hits if hit.in_title and (at := hit.start - part.start) in places} if hits else set()


def _names_kind(words: list[str], kinds: set[int]) -> bool:
    """Return True for names such as "Фондация …", "… Foundation" or "Museum of …"."""
    if not kinds or not words[0][:1].isupper():
        return False
    last = len(words) - 1
    return any(at in (0, 1, last) or words[at + 1].casefold() in _FOLLOWED for at in kinds)


def _programme(others: list[_Weighed]) -> str:
    """Return the only part with keywords, or the quoted name in it."""
    if not others:
        return ""
    best = max(others, key=lambda part: part.keywords)
    if best.keywords == 0 or [part.keywords for part in others].count(best.keywords) > 1:
        return ""
    inside = _QUOTED.search(best.text)
    return inside[1].strip() if inside and " " in inside[1].strip() else best.text


def _capped(text: str) -> str:
    return text if len(text) <= LONGEST_NAME else ""


def bears_name(words: list[str], label: str) -> bool:
    """Return True if the site is named after these words: joined, as initials, or by most of its letters."""
    if len(label) < SHORTEST or not words:
        return False
    spelled = [spellings for word in words if (spellings := skeletons(word))]
    if _bears([each[0] for each in spelled], label):
        return True
    return any(len(each) > 1 for each in spelled) and _bears([each[-1] for each in spelled], label)


def _bears(words: list[str], label: str) -> bool:
    within = [word for word in words if word[:SHORTEST] in label]
    return bool(within and _cover(within, label)) or _are_initials(words, label)


def _are_initials(words: list[str], label: str) -> bool:
    if len(words) < SHORTEST:
        return False
    initials = "".join(word[0] for word in words if word)
    return label in (initials, f"{initials}bg")


def _cover(words: list[str], label: str) -> bool:
    rest = label
    for word in sorted(words, key=len, reverse=True):
        if len(word) >= SHORTEST and word in rest:
            rest = rest.replace(word, " ", 1)
        elif len(word) > LONG and word[:SHORTENED] in rest:  # shortened: bulgaria, bulgar
            rest = rest.replace(word[:SHORTENED], " ", 1)
    return len(rest.replace(" ", "")) <= (1 - COVERED) * len(label)
