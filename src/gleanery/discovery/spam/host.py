"""Rates host names; never enough for a verdict, but other signs count more on doubtful names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from gleanery.discovery.spam.letters import fold
from gleanery.discovery.spam.tables import HOST_WORDS, LURES, THROWAWAY_ENDINGS
from gleanery.domains.names import DomainName

MOST = 3
# Endings that anybody can register at once, unlike most of those of countries, schools and states.
_OPEN_ENDINGS = frozenset({"com", "net", "info", "org", "online", "site", "eu", "us", "co"})
_SOLD_BELOW = re.compile(r"\.(?:com|net|org|uk|de|us|eu|in|ru|br|se|jpn)\.(?:com|net|org)$|\.(?:uk|us|de|eu)\.com$")


@dataclass(frozen=True, slots=True)
class Host:
    """Ratings of a name: doubt (0 to 3), trust (0 to 2, how hard it is to register), and trades it mentions."""

    doubt: int
    trust: int
    trades: frozenset[str]


# Endings of institutions, and country endings that are mostly sold for their meaning as words.
_INSTITUTION = re.compile(r"\.(?:gov|edu|ac|mil|int|museum|k12|sch|bel|lib|nhs)(?:\.[a-z]{2})?$|\.gouv\.fr$|\.k12\.")
_SOLD_AS_WORDS = frozenset(
    {"co", "io", "to", "su", "me", "tv", "us", "cc", "ws", "tk", "ml", "ga", "cf", "gq", "pw", "eu"}
)


def _trust(name: str, ending: str) -> int:
    if _INSTITUTION.search(name):
        return 2
    return int(len(ending) == 2 and ending not in _SOLD_AS_WORDS)  # noqa: PLR2004 - two letters are a country


@lru_cache(maxsize=4096)
def host_of(domain: DomainName) -> Host:
    ending = domain.name.rpartition(".")[2]
    label = fold(domain.registrable.partition(".")[0])
    words = re.split(r"[-\d]+", label)
    doubt = (
        (2 if ending in THROWAWAY_ENDINGS else 0)
        + (not LURES.isdisjoint(words) or bool(re.search(r"(?:24|365|247|4u|2u)$|\d{4}$", label)))
        + (label.count("-") > 1 and ending in _OPEN_ENDINGS)
        + bool(_SOLD_BELOW.search(domain.name))
    )
    return Host(
        min(doubt, MOST),
        _trust(domain.name, ending),
        frozenset(trade for trade, named in HOST_WORDS.items() if named.search(label)),
    )
