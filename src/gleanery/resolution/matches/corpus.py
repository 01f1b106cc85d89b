"""How common words and whole names are among the records at hand: what few have tells more. Pure."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from gleanery.resolution.matches.names import name

FEWEST = 300  # of so few records nothing is learned about what is common
LEAST = 0.3
SOLE = 3  # records that may have a name which is still nobody else's


class Corpus(NamedTuple):
    """`words` counts by sound, `names` whole names; what is not counted is rare."""

    total: int = 0
    words: Mapping[str, int] = {}
    names: Mapping[str, int] = {}

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


def corpus(names: Iterable[str]) -> Corpus:
    """Of names as spelling.name writes them."""
    whole = Counter(names)
    words: Counter[str] = Counter()
    for text, many in whole.items():
        for word in name(text).words:
            words[word.sound] += many
    return Corpus(whole.total(), words, whole)
