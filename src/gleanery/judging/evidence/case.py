"""Input of the judges: a search result with its domain and history, and the words of the topic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from gleanery.discovery.weights import Weight
from gleanery.domains.names import DomainName


@dataclass(frozen=True, slots=True)
class History:
    """Numbers of earlier results of a domain that were judged high and low."""

    high: int
    low: int


@dataclass(frozen=True, slots=True)
class Case:
    """Search result to be judged; its text is already cleaned."""

    title: str
    description: str
    query: str
    domain: DomainName
    history: History | None = None


@dataclass(frozen=True, slots=True)
class TopicWords:
    """Sources that a topic is looking for: words by language, and weights of judges that differ from the default."""

    keywords: Mapping[str, Sequence[str]] = field(default_factory=dict)
    organization_words: Mapping[str, Sequence[str]] = field(default_factory=dict)
    geography: Sequence[str] = ()
    country: str = ""
    weights: Mapping[str, Weight] = field(default_factory=dict)
    threshold: Decimal = Decimal("0.60")
