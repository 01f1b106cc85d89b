"""The text of a search result for the rules: its words and the phrases found in it, computed once."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from gleanery.discovery.spam.host import Host, host_of
from gleanery.discovery.spam.letters import fold
from gleanery.discovery.spam.phrases import TOKEN, Found
from gleanery.discovery.spam.tables import PHRASES, STRAY_FAMILIES
from gleanery.domains.names import DomainName

_ITEM_END = re.compile(r"[,;|·•/»]|\s[–—-]\s")


@dataclass(frozen=True)
class ResultText:
    """The folded text of a result; costly parts are computed on first use."""

    title: str
    description: str
    domain: DomainName

    @cached_property
    def text(self) -> str:
        return f"{self.title} | {self.description}"

    @cached_property
    def tokens(self) -> list[str]:
        return TOKEN.findall(self.text)

    @cached_property
    def title_tokens(self) -> list[str]:
        return TOKEN.findall(self.title)

    @cached_property
    def found(self) -> dict[str, list[Found]]:
        """Phrases found in the text, by table."""
        groups: dict[str, list[Found]] = {}
        for each in PHRASES.find(self.tokens):
            groups.setdefault(each.group, []).append(each)
        return groups

    @cached_property
    def items(self) -> list[str]:
        """The parts of the description between list separators."""
        return [item for item in (part.strip(" .!?") for part in _ITEM_END.split(self.description)) if item]

    @cached_property
    def site(self) -> Host:
        return host_of(self.domain)

    @cached_property
    def host_words(self) -> list[str]:
        """The words of the host without its ending, split at hyphens, digits and dots."""
        return [word for word in re.split(r"[.\-\d]+", self.host) if word]

    @cached_property
    def host(self) -> str:
        return self.domain.display.rpartition(".")[0]

    @cached_property
    def stray_goods(self) -> list[str]:
        """Unrelated goods in the text, at most two of each family."""
        present = [family for family in STRAY_FAMILIES if family in self.found]
        return [goods for family in present for goods in self.distinct(family)[:2]]

    @property
    def ending(self) -> str:
        return self.domain.name.rpartition(".")[2]

    def distinct(self, group: str) -> list[str]:
        """Return the distinct phrases of one table, as spelled in the text."""
        found = self.found.get(group)
        return list(dict.fromkeys([each.shown for each in found])) if found else []


def parse_result(title: str, description: str, domain: DomainName) -> ResultText:
    return ResultText(_folded(title), _folded(description), domain)


def _folded(text: str) -> str:
    return " ".join(fold(text).split())
