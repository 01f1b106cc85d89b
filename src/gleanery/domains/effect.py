"""What blacklisting a domain, or lifting that, does to the records that it speaks of: counts, and their sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gleanery import pipeline
from gleanery.domains.models import Domain

#                  how many               one                     several
COUNTS = {
    "records_withdrawn": ("{} is withdrawn", "{} are withdrawn"),
    "records_reduced": ("{} keeps only what other sources say", "{} keep only what other sources say"),
    "records_brought_back": ("{} is back", "{} are back"),
    "records_completed": ("{} has its values again", "{} have its values again"),
}


def effect_of(domain: Domain) -> dict[str, int]:
    """Return what followed from what was just done to it."""
    return {name: domain.followed.get(name, 0) for name in COUNTS}


def foreseen(domain: Domain) -> dict[str, Any]:
    """Return what would follow from blacklisting it now."""
    counts = pipeline.foresee_blacklisting([domain.pk])
    return {**counts, "said": sentence(counts) or "There are no records of it."}


def sentence(counts: Mapping[str, int]) -> str:
    """Return "Of its records 12 are withdrawn, 3 keep only what other sources say."; nothing if it has none."""
    told = [COUNTS[name][count > 1].format(count) for name, count in counts.items() if count]
    return f"Of its records {', '.join(told)}." if told else ""
