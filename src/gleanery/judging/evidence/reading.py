"""Reading: a case read once, with all that the judges look at."""

from __future__ import annotations

from typing import NamedTuple

from gleanery.judging.evidence.case import Case
from gleanery.judging.evidence.doubt import Doubt, doubt_about
from gleanery.judging.evidence.geography import Place, place_of
from gleanery.judging.evidence.host import Site
from gleanery.judging.evidence.naming import Names, names_in
from gleanery.judging.evidence.title import read_title
from gleanery.judging.evidence.voice import Text, Voice, voice_in
from gleanery.judging.lexicon import Hit, Lexicon, words_in


class Reading(NamedTuple):
    """What was found in the text and in the name of the site."""

    case: Case
    lexicon: Lexicon
    found: dict[str, list[Hit]]
    site: Site
    names: Names
    voice: Voice
    doubt: Doubt
    place: Place

    def distinct(self, group: str) -> list[Hit]:
        """Each entry once, the one in the title before others; a word that two entries share counts once."""
        hits = self.found.get(group)
        if not hits:
            return []
        once: dict[str, Hit] = {}
        taken: set[tuple[bool, int]] = set()
        for hit in hits:
            if hit.lemma not in once and (hit.in_title, hit.start) not in taken:
                once[hit.lemma] = hit
                taken.add((hit.in_title, hit.start))
        return list(once.values())


def read(case: Case, lexicon: Lexicon) -> Reading:
    title = read_title(case.title)
    text = Text(case, title, lexicon.find(title.words, words_in(case.description)))
    site = lexicon.site(case.domain)
    voice = voice_in(text)
    return Reading(
        case,
        lexicon,
        text.found,
        site,
        names_in(text, site),
        voice,
        doubt_about(text, site, voice),
        place_of(text, site, lexicon),
    )
