"""How two records as sources tell them come out."""

from __future__ import annotations

from typing import Any

from gleanery.resolution.matches.comparing import compare
from gleanery.resolution.matches.corpus import UNKNOWN, Corpus
from gleanery.resolution.matches.scoring import score
from gleanery.resolution.matches.traits import traits

Fields = dict[str, Any]


def levels(kind: str, one: Fields, other: Fields, among: Corpus = UNKNOWN) -> dict[str, str]:
    return compare(traits(kind, one), traits(kind, other), among).levels


def likely(kind: str, one: Fields, other: Fields) -> float:
    return score(traits(kind, one), traits(kind, other)).probability
