"""Reading of a case: all evidence for the judges, extracted once."""

from __future__ import annotations

from typing import NamedTuple

from gleanery.judging.evidence.case import Case
from gleanery.judging.evidence.doubt import Doubt, doubt_about
from gleanery.judging.evidence.first_hand import FirstHand, Text, first_hand_signs
from gleanery.judging.evidence.geography import Place, place_of
from gleanery.judging.evidence.host import Site
from gleanery.judging.evidence.naming import Names, names_in
from gleanery.judging.evidence.title import read_title
from gleanery.judging.lexicon import Hit, Lexicon, words_in


class Reading(NamedTuple):
    """Evidence found in the text and in the domain name."""

    case: Case
    lexicon: Lexicon
    found: dict[str, list[Hit]]
    site: Site
    names: Names
    first_hand: FirstHand
    doubt: Doubt
    place: Place

    def distinct(self, group: str) -> list[Hit]:
        """Return each entry once, those in the title first; a word shared by two entries counts once."""
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
    first_hand = first_hand_signs(text)
    return Reading(
        case,
        lexicon,
        text.found,
        site,
        names_in(text, site),
        first_hand,
        doubt_about(text, site, first_hand),
        place_of(text, site, lexicon),
    )
