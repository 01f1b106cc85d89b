"""The domain mismatch rule: an unreadable name that the text does not explain, and another sign of spam."""

from __future__ import annotations

import re

from gleanery.discovery.spam.result_text import ResultText
from gleanery.discovery.spam.tables import THROWAWAY_ENDINGS
from gleanery.discovery.spam.verdict import Spam

RULE = "domain_mismatch"
SHORTEST = 3  # letters of a part that is checked
FEWEST_VOWELS = 0.2  # share of the letters; Angstschweiß has 0.25
LONGEST_RUN = 5  # consonants in a row, in a part too short for several joined words
SEVERAL_WORDS = 11

_RUN = re.compile(rf"[bcdfghjklmnpqrstvwxz]{{{LONGEST_RUN},}}")
# Letter pairs that do not occur within words of languages in Latin script or transliterations.
_IMPOSSIBLE = re.compile(
    r"q[bcdfghjklmnpqrstvwxyz]|j[bcfgqvwxz]|[fghkpqvwxz]j[^aeiouy]|v[bfghjkmpqtwx]|[bcdfgjkmpqvz]x|x[bdgjkqrvz]|"
    r"[bcdfghjklmpqvx]z[bcdfghjkpqrsxz]|w[qvxz]|z[qx]|[hkw]x|jj|vv|xx|qq|[bdfgjkpqvxz]q|[cgpqx]v[^aeiouyrl]"
)
_DIGITS = re.compile(r"\d+")


def domain_mismatch(result: ResultText) -> Spam | None:
    """Hit for an unreadable name with another sign, or two if the text mentions it; initials (gkhws.de) are fine."""
    label = result.domain.registrable.partition(".")[0]
    if not is_gibberish(label) or _are_initials(result, label):
        return None
    signs = _signs(result)
    if len(signs) < (2 if _is_mentioned(result, label) else 1):
        return None
    return Spam(RULE, f"The name {result.domain} is unreadable, the text does not explain it, and it {signs[0]}.")


def is_gibberish(label: str) -> bool:
    """Return True if no part of the name is readable as a word in Latin letters."""
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


def _are_initials(result: ResultText, label: str) -> bool:
    """Return True if consecutive words of the text begin with the letters of the name, as in an acronym."""
    initials = "".join(token[0] for token in result.tokens)
    return any(len(part) >= SHORTEST and part in initials for part in re.split(r"[\d-]+", label))


def _is_mentioned(result: ResultText, label: str) -> bool:
    """Return True if the text contains a word of the host, including subdomains."""
    return not set(result.text.split()).isdisjoint({label, *result.host_words})


def _signs(result: ResultText) -> list[str]:
    signs = []
    if result.found.get("lines.offers"):
        signs.append("asks for something before it shows anything")
    if result.stray_goods:
        signs.append("advertises unrelated goods")
    if result.found.get("filler.empty") or len(result.distinct("shopping.shopping")) > 1:
        signs.append("uses phrases that people type into search engines")
    if result.ending in THROWAWAY_ENDINGS:
        signs.append(f"ends in .{result.ending}, a very cheap ending")
    return signs
