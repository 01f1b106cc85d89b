"""Rarity of words, names, phones and addresses among the given records: rare ones count for more. Pure."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field

from gleanery.matching.facts import Facts, significant_words
from gleanery.matching.lists import pairs_in

BACKGROUND = 2_000  # names that the counts in ordinary.txt stand for before any record is counted
PER = 10_000  # names that the counts in ordinary.txt refer to
CROWD = 4  # different names at one phone, address or site; with more it is shared, as in a business centre
FEWEST_OF_SOURCE, BOILERPLATE = 8, 0.25  # descriptions of a source; share of them from which a word is boilerplate


@dataclass(slots=True)
class Rarity:
    """Counts: `names` per full name; `crowds` different names per phone, address or site; `words`, `about` per word."""

    total: int = 0
    words: Mapping[str, int] = field(default_factory=dict)
    names: Mapping[str, int] = field(default_factory=dict)
    crowds: Mapping[tuple[str, str], int] = field(default_factory=dict)
    shared_venue_threshold: float = 0.4  # trigram similarity of event names (DEDUP_NEAR_DUPLICATE_THRESHOLD)
    described: int = 0
    about: Mapping[str, int] = field(default_factory=dict)
    boilerplate: Mapping[str, Set[str]] = field(default_factory=dict)  # words per source
    _known: dict[str, float] = field(default_factory=dict)

    def of(self, word: str) -> float:
        """Return the rarity of a word in names: 1 if nobody else has it, near 0 if everybody has."""
        known = self._known.get(word)
        if known is None:
            many = self.words.get(word, 0) + BACKGROUND * int(pairs_in("ordinary").get(word, "0")) / PER
            whole = self.total + BACKGROUND + 1
            known = self._known[word] = max(0.0, math.log(whole / (many + 0.5)) / math.log(whole))
        return known

    def of_text(self, word: str) -> float:
        """Return the rarity of a word in descriptions."""
        return math.log((self.described + 2) / (self.about.get(word, 0) + 0.5))

    def count_of_name(self, name: str) -> int:
        return self.names.get(name, 1)

    def is_crowded(self, what: str, value: str) -> bool:
        return self.crowds.get((what, value), 0) > CROWD


def rarity(records: Iterable[Facts], sources: Iterable[str] = ()) -> Rarity:
    """Count the words and names of a table; repeated events with the same name and venue count once."""
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
        words.update(set(significant_words(one.name)))
        if one.about:
            about.update(one.about)
            known.described += 1
    known.total, known.words, known.names, known.about = names.total(), words, names, about
    known.crowds = {key: len(called) for key, called in crowds.items() if len(called) > CROWD}
    known.boilerplate = _boilerplate(listed, sources)
    return known


def shared(one: Facts) -> list[tuple[str, str]]:
    """Return what a record may share with many others: phone, address, site."""
    address = f"{one.house} {one.street} {one.town}" if one.street and one.house else ""
    return [each for each in (("phone", one.phone), ("address", address), ("site", one.site)) if each[1]]


def _boilerplate(records: Iterable[Facts], sources: Iterable[str]) -> dict[str, Set[str]]:
    """Return per source the words that many of its descriptions contain."""
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
