"""Effect of blacklisting a domain, or lifting that, on its records: counts and a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gleanery import pipeline
from gleanery.domains.models import Domain

#                  how many               one                     several
COUNTS = {
    "records_withdrawn": ("{} is withdrawn", "{} are withdrawn"),
    "records_reduced": ("{} keeps only what other sources say", "{} keep only what other sources say"),
    "records_brought_back": ("{} is restored", "{} are restored"),
    "records_completed": ("{} has its values again", "{} have its values again"),
}


def effect_of(domain: Domain) -> dict[str, int]:
    """Return the counts of the last change of this domain."""
    return {name: domain.followed.get(name, 0) for name in COUNTS}


def foreseen(domain: Domain) -> dict[str, Any]:
    """Return the counts that blacklisting it would have now."""
    counts = pipeline.foresee_blacklisting([domain.pk])
    return {**counts, "said": sentence(counts) or "It has no records."}


def sentence(counts: Mapping[str, int]) -> str:
    """Return "Of its records 12 are withdrawn, 3 keep only what other sources say.", or an empty text."""
    parts = [COUNTS[name][count > 1].format(count) for name, count in counts.items() if count]
    return f"Of its records {', '.join(parts)}." if parts else ""
