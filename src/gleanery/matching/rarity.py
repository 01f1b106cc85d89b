"""How seldom words, names, phones and addresses are among the records at hand: what few have tells more. Pure."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field

from gleanery.matching.facts import Facts, telling
from gleanery.matching.lists import pairs_in

BACKGROUND = 2_000  # names in which the words of ordinary.txt are taken to have been met before any record
PER = 10_000  # names that ordinary.txt counts in
CROWD = 4  # different names at one phone, address or site; more share it as a business centre is shared
FEWEST_OF_SOURCE, BOILERPLATE = 8, 0.25  # descriptions of a source, and the share of them that says a word


@dataclass(slots=True)
class Rarity:
    """`names` counts how many have a whole name, `crowds` the different names at one phone, address or site."""

    total: int = 0
    words: Mapping[str, int] = field(default_factory=dict)
    names: Mapping[str, int] = field(default_factory=dict)
    crowds: Mapping[tuple[str, str], int] = field(default_factory=dict)
    alike_on_stage: float = 0.4  # trigram similarity of names of events at one venue (DEDUP_NEAR_DUPLICATE_THRESHOLD)
    described: int = 0
    about: Mapping[str, int] = field(default_factory=dict)
    boilerplate: Mapping[str, Set[str]] = field(default_factory=dict)  # of each source
    _known: dict[str, float] = field(default_factory=dict)

    def of(self, word: str) -> float:
        """Return 1 for a word that nobody else has, near 0 for one that everybody has."""
        known = self._known.get(word)
        if known is None:
            many = self.words.get(word, 0) + BACKGROUND * int(pairs_in("ordinary").get(word, "0")) / PER
            whole = self.total + BACKGROUND + 1
            known = self._known[word] = max(0.0, math.log(whole / (many + 0.5)) / math.log(whole))
        return known

    def of_text(self, word: str) -> float:
        """Return the same for a word of descriptions."""
        return math.log((self.described + 2) / (self.about.get(word, 0) + 0.5))

    def having(self, name: str) -> int:
        return self.names.get(name, 1)

    def is_crowded(self, what: str, value: str) -> bool:
        return self.crowds.get((what, value), 0) > CROWD


def rarity(records: Iterable[Facts], sources: Iterable[str] = ()) -> Rarity:
    """Count a table; what happens often at one venue under one name counts once."""
    known = Rarity()
    words: Counter[str] = Counter()
    names: Counter[str] = Counter()
    about: Counter[str] = Counter()
    crowds: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    seen: set[tuple[str, ...]] = set()
    listed = list(records)
    for one in listed:
        for key in shared(one):
            crowds[key].add(one.name)
        if one.kind == "event" and (each := (one.name, one.venue, one.town)) in seen:
            continue
        if one.kind == "event":
            seen.add(each)
        names[one.name] += 1
        words.update(set(telling(one.name)))
        if one.about:
            about.update(one.about)
            known.described += 1
    known.total, known.words, known.names, known.about = names.total(), words, names, about
    known.crowds = {key: len(called) for key, called in crowds.items() if len(called) > CROWD}
    known.boilerplate = _boilerplate(listed, sources)
    return known


def shared(one: Facts) -> list[tuple[str, str]]:
    """Return what a crowd may have in common with it: phone, address, site."""
    address = f"{one.house} {one.street} {one.town}" if one.street and one.house else ""
    return [each for each in (("phone", one.phone), ("address", address), ("site", one.site)) if each[1]]


def _boilerplate(records: Iterable[Facts], sources: Iterable[str]) -> dict[str, Set[str]]:
    """Return the words that many different descriptions of a source have."""
    texts: defaultdict[str, set[tuple[str, ...]]] = defaultdict(set)
    for one, source in zip(records, sources, strict=False):
        if one.about and source:
            texts[source].add(one.about)
    found: dict[str, Set[str]] = {}
    for source, different in texts.items():
        if len(different) >= FEWEST_OF_SOURCE:
            many = Counter(word for text in different for word in text)
            found[source] = {word for word, count in many.items() if count >= BOILERPLATE * len(different)}
    return found
