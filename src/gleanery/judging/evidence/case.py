"""Case: what the judges are given, a search result with its domain and its past, and the words of the topic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from gleanery.discovery.weights import Weight
from gleanery.domains.names import DomainName


@dataclass(frozen=True, slots=True)
class History:
    """How many earlier results of this domain were judged high and low."""

    high: int
    low: int


@dataclass(frozen=True, slots=True)
class Case:
    """One search result to be judged; its text comes cleaned."""

    title: str
    description: str
    query: str
    domain: DomainName
    history: History | None = None


@dataclass(frozen=True, slots=True)
class TopicWords:
    """What a topic says about the sources it wants; words by language, weights by judge where they differ."""

    keywords: Mapping[str, Sequence[str]] = field(default_factory=dict)
    organization_words: Mapping[str, Sequence[str]] = field(default_factory=dict)
    geography: Sequence[str] = ()
    country: str = ""
    weights: Mapping[str, Weight] = field(default_factory=dict)
    threshold: Decimal = Decimal("0.60")
