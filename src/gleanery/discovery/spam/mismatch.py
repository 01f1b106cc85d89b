"""Domain mismatch: a name that nobody can read, whose parts the text never explains, and another sign of bait."""

from __future__ import annotations

import re

from gleanery.discovery.spam.reading import Reading
from gleanery.discovery.spam.tables import THROWAWAY_ENDINGS
from gleanery.discovery.spam.verdict import Spam

RULE = "domain_mismatch"
SHORTEST = 3  # letters of a part that can be read at all
FEWEST_VOWELS = 0.2  # of the letters: Angstschweiß has 0.25
LONGEST_RUN = 5  # consonants in a row, in a part too short to be several words written as one
SEVERAL_WORDS = 11

_RUN = re.compile(rf"[bcdfghjklmnpqrstvwxz]{{{LONGEST_RUN},}}")
# Letters that no language in Latin script, nor a transliteration, puts side by side within a word.
_IMPOSSIBLE = re.compile(
    r"q[bcdfghjklmnpqrstvwxyz]|j[bcfgqvwxz]|[fghkpqvwxz]j[^aeiouy]|v[bfghjkmpqtwx]|[bcdfgjkmpqvz]x|x[bdgjkqrvz]|"
    r"[bcdfghjklmpqvx]z[bcdfghjkpqrsxz]|w[qvxz]|z[qx]|[hkw]x|jj|vv|xx|qq|[bdfgjkpqvxz]q|[cgpqx]v[^aeiouyrl]"
)
_DIGITS = re.compile(r"\d+")


def domain_mismatch(reading: Reading) -> Spam | None:
    """Initials are honest (gkhws.de), so an unreadable name needs a sign, and one that the text mentions needs two."""
    label = reading.domain.registrable.partition(".")[0]
    if not is_gibberish(label) or _are_initials(reading, label):
        return None
    signs = _signs(reading)
    if len(signs) < (2 if _is_mentioned(reading, label) else 1):
        return None
    return Spam(RULE, f"Nobody can read the name {reading.domain}, nothing in the text explains it, and it {signs[0]}.")


def is_gibberish(label: str) -> bool:
    """Whether no part of the name can be read as a word of any language in Latin letters."""
    parts = [part for part in label.split("-") if sum(map(str.isalpha, part)) >= SHORTEST]
    return bool(parts) and not label.startswith("xn--") and all(_is_unreadable(part) for part in parts)


def _is_unreadable(part: str) -> bool:
    letters = re.sub(r"\d", "", part)
    vowels = sum(letter in "aeiouy" for letter in letters)
    return (
        vowels < FEWEST_VOWELS * len(letters)
        or bool(_IMPOSSIBLE.search(letters))
        or (len(letters) <= SEVERAL_WORDS and bool(_RUN.search(letters)))
        or len(_DIGITS.findall(part)) > 1
    )


def _are_initials(reading: Reading, label: str) -> bool:
    """Whether words in a row of the text begin with the letters of the name, as in an acronym."""
    initials = "".join(token[0] for token in reading.tokens)
    return any(len(part) >= SHORTEST and part in initials for part in re.split(r"[\d-]+", label))


def _is_mentioned(reading: Reading, label: str) -> bool:
    """The whole host counts: a club on a strange platform has its own name in front."""
    return not set(reading.text.split()).isdisjoint({label, *reading.host_words})


def _signs(reading: Reading) -> list[str]:
    signs = []
    if reading.found.get("lines.offers"):
        signs.append("wants something from readers before it shows them anything")
    if reading.stray_goods:
        signs.append("advertises goods that have no place here")
    if reading.found.get("filler.empty") or len(reading.distinct("shopping.shopping")) > 1:
        signs.append("speaks in the words of searchers")
    if reading.ending in THROWAWAY_ENDINGS:
        signs.append(f"ends in .{reading.ending}, which costs next to nothing")
    return signs
