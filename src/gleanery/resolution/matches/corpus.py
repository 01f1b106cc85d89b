"""How common words, names, phones and addresses are among the records at hand: what few have tells more. Pure."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Set
from functools import lru_cache
from typing import NamedTuple

from gleanery.resolution.matches.keys import Key, crowding
from gleanery.resolution.matches.names import name
from gleanery.resolution.matches.traits import Traits

FEWEST = 100  # of so few records nothing is learned about what is common
LEAST = 0.3
SOLE = 3  # records that may have a name which is still nobody else's
USUAL, FEWEST_USUAL = 0.04, 15  # of all records, that many say it of themselves: nobody is known by it
CROWD = 4  # different names at one phone or address; more share it as a switchboard or a business centre is shared


class Corpus(NamedTuple):
    """`words` counts by sound, `names` whole names; what is not counted is rare. `crowds`: keys that a crowd shares."""

    total: int = 0
    words: Mapping[str, int] = {}
    names: Mapping[str, int] = {}
    crowds: Collection[Key] = frozenset()
    usual: Set[str] = frozenset()  # words that descriptions often have

    def weight(self, sound: str) -> float:
        """1 for a word that few have, less for one that many have."""
        if self.total < FEWEST:
            return 1.0
        return _weight(self.total, self.words.get(sound, 1))

    def is_sole(self, text: str) -> bool:
        return self.total >= FEWEST and self.names.get(text, 1) <= SOLE


@lru_cache(maxsize=16_384)
def _weight(total: int, having: int) -> float:
    share = math.log(total / having) / math.log(total)
    return min(1.0, max(LEAST, 1.25 * share))


UNKNOWN = Corpus()


def corpus(records: Iterable[Traits]) -> Corpus:
    whole: Counter[str] = Counter()
    called: defaultdict[Key, set[str]] = defaultdict(set)
    told: Counter[str] = Counter()
    for one in records:
        whole[one.name] += 1
        told.update(one.about.split())
        for _, key in crowding(one):
            called[key].add(one.name)
    words: Counter[str] = Counter()
    for text, many in whole.items():
        for word in name(text).words:
            words[word.sound] += many
    crowds = frozenset(key for key, names in called.items() if len(names) > CROWD)
    most = max(FEWEST_USUAL, USUAL * whole.total())
    return Corpus(whole.total(), words, whole, crowds, frozenset(word for word, many in told.items() if many > most))
