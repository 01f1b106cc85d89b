"""How two records agree in their region, whatever the parts of their country are called. Pure."""

from __future__ import annotations

from functools import lru_cache

from gleanery.extraction.values.countries import country_code
from gleanery.resolution.matches import lexicon, likeness, named
from gleanery.resolution.matches.names import STATES
from gleanery.resolution.matches.traits import Traits

ALIKE = ("same", "close", "part", "alike")
_DIVISIONS = """
    co county comte comitat condado contea region regione regiao regiunea oblast obl kraj krai rayon rn okrug province
    provincia provincie prov departement judetul judet jud wojewodztwo woj kreis landkreis lkr kanton canton state land
    city grad stolitsa metropolitan area district distrikt okres zhupanija zupanija fylke lan of
"""
DIVISIONS = frozenset(_DIVISIONS.split())  # what parts of a country are called
WIDE = frozenset(["munster", "leinster", "connacht", "ulster", "british isles"])  # and England, which is a country


def compare(one: Traits, other: Traits) -> str:
    here, there = _without_division(one.region), _without_division(other.region)
    if not here or not there or here.isascii() != there.isascii():
        return ""
    return "same" if likeness.plainly(here, there).level in ALIKE else "other"


def of_towns(one: Traits, other: Traits) -> str:
    """Of what is in towns of one name: there are two Dungarvans. That it is one region too tells nothing."""
    return "other" if compare(one, other) == "other" and named.town(one, other) == "same" else ""


@lru_cache(maxsize=4_096)
def _without_division(region: str) -> str:
    """Co. Mayo and County Mayo, Sofia-city, NSW, Sachsen; nothing for what has many of them: England, Munster."""
    if region in STATES or region in STATES.values():
        return str(STATES.get(region, region))
    told = " ".join(word for word in region.split() if word not in DIVISIONS) or region
    return "" if country_code(told) or told in WIDE else lexicon.town(told)
