"""Lexicon of a topic: its words and those of the tables, compiled so that one pass over a text finds them all."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, lru_cache, partial
from typing import Final, NamedTuple

from gleanery.discovery.weights import weights_of
from gleanery.domains.names import DomainName
from gleanery.judging.evidence.case import TopicWords
from gleanery.judging.evidence.host import Site, read_site
from gleanery.judging.inflection import forms, name_forms
from gleanery.judging.tables import COUNTRIES, FIRST_HAND, FIRST_HAND_SIGNS, GENERIC, KINDS, kind_of_host_word
from gleanery.judging.transliteration import skeletons

WORD: Final = re.compile(r"[^\W_]+")
KEYWORD, ORGANIZATION, HERE, COUNTRY, ELSEWHERE = "keyword", "organization", "here", "country", "elsewhere"
PLACES: Final = frozenset({HERE, COUNTRY, ELSEWHERE})
AGAINST: Final = frozenset(f"{strength}.{kind.name}" for kind in KINDS for strength in ("strong", "weak", "headline"))
EXACT = "="  # prefix of table entries that match only in this form: купи is "buy", купа is "cup"
SHORTEST_HOST_WORD = 3


class Entry(NamedTuple):
    """Listed word or phrase, with its group."""

    group: str
    lemma: str
    rest: tuple[frozenset[str], ...] = ()  # forms of the words after the first
    capital: bool = False  # matches only capitalised: "Reading" is a town, "reading" is not


class Hit(NamedTuple):
    """Entry found in a text, with its position and spelling there."""

    lemma: str
    shown: str
    in_title: bool
    start: int
    end: int


class Node(NamedTuple):
    """Entries that begin with a word: single words, and phrases by their second word."""

    alone: tuple[Entry, ...]
    followed: dict[str, tuple[Entry, ...]]


Index = dict[str, Node]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Compiled words of a topic; created once per topic with `of`."""

    index: Index
    generic: frozenset[str]
    weights: Mapping[str, Decimal]
    threshold: Decimal
    country: str
    has_keywords: bool
    has_geography: bool
    wants_town: bool
    towns: frozenset[str]  # in the topic's country
    site: Callable[[DomainName], Site]
    places_in: Callable[[str], frozenset[str]]

    @classmethod
    def of(cls, words: TopicWords) -> Lexicon:
        country = words.country.strip().casefold()
        topical = [
            *_entries(KEYWORD, words.keywords),
            *_entries(ORGANIZATION, words.organization_words, verbs=False),
            *_places(words.geography, country),
        ]
        wants_town = any(entry.group == HERE for _, entry in topical)
        taken = frozenset(form for first, entry in topical if entry.group in (HERE, COUNTRY) for form in first)
        towns = [pair for pair in _elsewhere(country, wants_town) if taken.isdisjoint(pair[0])]
        known = _host_words(words, country)
        return cls(
            index=_index([*topical, *towns], _without(_shared(), topical)),
            generic=_generic(),
            weights=weights_of(words.weights),
            threshold=Decimal(words.threshold),
            country=country,
            has_keywords=any(words.keywords.values()),
            has_geography=bool(words.geography),
            wants_town=wants_town,
            towns=frozenset(name.casefold() for name in COUNTRIES[country].towns)
            if country in COUNTRIES
            else frozenset(),
            site=lru_cache(maxsize=8192)(partial(read_site, country=country, known=known)),
            places_in=lru_cache(maxsize=1024)(partial(_places_in, _index(towns, {}))),
        )

    def find(self, title: Sequence[str], description: Sequence[str]) -> dict[str, list[Hit]]:
        """Return the entries found in a text by group; a keyword inside a longer phrase counts only as the phrase."""
        found: dict[str, list[Hit]] = {}
        for words, in_title in ((title, True), (description, False)):
            self._find(words, [word.casefold() for word in words], in_title, found)
        return found

    def _find(self, words: Sequence[str], folded: list[str], in_title: bool, found: dict[str, list[Hit]]) -> None:
        index = self.index
        covered, last = 0, len(folded) - 1
        for position, word in enumerate(folded):
            node = index.get(word)
            if node is None:
                continue
            if node.followed and position < last:
                for entry in node.followed.get(folded[position + 1], ()):
                    end = position + 1 + len(entry.rest)
                    if _follows(entry, words, folded, position) and (entry.group != KEYWORD or end > covered):
                        covered = max(covered, end)
                        hit = Hit(entry.lemma, " ".join(words[position:end]), in_title, position, end)
                        found.setdefault(entry.group, []).append(hit)
            for group, lemma, _, capital in node.alone:
                if (group == KEYWORD and position < covered) or (capital and not words[position][0].isupper()):
                    continue
                found.setdefault(group, []).append(Hit(lemma, words[position], in_title, position, position + 1))


def words_in(text: str) -> list[str]:
    return WORD.findall(text)


def _follows(entry: Entry, words: Sequence[str], folded: list[str], position: int) -> bool:
    """Return True if the rest of a phrase follows its first word; the second word is already known to match."""
    if position + len(entry.rest) >= len(folded) or (entry.capital and not words[position][0].isupper()):
        return False
    return all(folded[position + offset] in wanted for offset, wanted in enumerate(entry.rest[1:], start=2))


def _places_in(index: Index, query: str) -> frozenset[str]:
    """Return the towns and countries named in a query."""
    words = words_in(query)
    folded = [word.casefold() for word in words]
    nodes = [(position, index[word]) for position, word in enumerate(folded) if word in index]
    alone = {entry.lemma for _, node in nodes for entry in node.alone}
    return frozenset(
        alone.union(
            entry.lemma
            for position, node in nodes
            for entry in node.followed.get("".join(folded[position + 1 : position + 2]), ())
            if _follows(entry, [word.title() for word in words], folded, position)
        )
    )


Pair = tuple[frozenset[str], Entry]


def _entries(group: str, listed: Mapping[str, Iterable[str]], *, verbs: bool = True) -> list[Pair]:
    return [
        pair
        for language, entries in listed.items()
        for entry in entries
        if (pair := _pair(group, entry, language, verbs=verbs))
    ]


def _pair(group: str, listed: str, language: str, *, verbs: bool = True) -> Pair | None:
    words = words_in(listed)
    if not words:
        return None
    if listed[0] == EXACT:
        first, *rest = (frozenset({word.casefold()}) for word in words)
    elif group in PLACES:
        first, *rest = (name_forms(word) for word in words)
    else:
        first, *rest = (forms(word, language, verbs=verbs) for word in words)
    # Singular and plural may both be listed; their shortest common form makes them the same entry.
    lemma = min(first, key=lambda form: (len(form), form)) if not rest else " ".join(words).casefold()
    return first, Entry(
        group, lemma, tuple(rest), words[0][:1].isupper() and (group == ELSEWHERE or group.startswith(FIRST_HAND))
    )


def _places(geography: Sequence[str], country: str) -> list[Pair]:
    """Return the wanted places; the country of a wanted town counts less."""
    names = {name.casefold() for name in COUNTRIES[country].names} if country in COUNTRIES else set()
    listed = {name: COUNTRY if name.casefold() in names else HERE for name in geography}
    pairs = [pair for name, group in listed.items() if (pair := _pair(group, name, "en"))]
    if country in COUNTRIES and COUNTRY in listed.values():
        pairs += [pair for name in COUNTRIES[country].names if (pair := _pair(COUNTRY, name, "en"))]
    return pairs


def _elsewhere(country: str, wants_town: bool) -> list[Pair]:
    """Return other places; towns of a wanted country are part of it, but other towns than a wanted one are not."""
    pairs = []
    for code, place in COUNTRIES.items():
        group = COUNTRY if code == country and not wants_town else ELSEWHERE
        names = place.towns if code == country else (*place.names, *place.towns)
        pairs += [pair for name in names if (pair := _pair(group, name, code))]
    return pairs


@cache
def _shared() -> Index:
    """Return the index of words that do not depend on the topic."""
    pairs: list[Pair] = []
    for kind in KINDS:
        pairs += _entries(f"strong.{kind.name}", kind.strong) + _entries(f"weak.{kind.name}", kind.weak)
        pairs += _entries(f"headline.{kind.name}", kind.headline)
    for sign in FIRST_HAND_SIGNS:
        pairs += _entries(sign.group, sign.words)
    return _index(pairs, {})


def _without(shared: Index, topical: list[Pair]) -> Index:
    """Remove signs against a source that the topic itself asks for, such as jobs, farms or hotels."""
    own = {form for first, entry in topical if entry.group in (KEYWORD, ORGANIZATION) for form in first}
    kept = dict(shared)
    for form in own & shared.keys():
        node = shared[form]
        kept[form] = Node(tuple(entry for entry in node.alone if entry.group not in AGAINST), node.followed)
    return kept


@cache
def _generic() -> frozenset[str]:
    return frozenset(entry.lemma for _, entry in _entries("generic", GENERIC))


def _index(pairs: list[Pair], base: Index) -> Index:
    gathered: dict[str, list[Entry]] = {}
    for first, entry in pairs:
        for form in first:
            gathered.setdefault(form, []).append(entry)
    return base | {form: _node(entries, base.get(form)) for form, entries in gathered.items()}


def _node(entries: list[Entry], before: Node | None) -> Node:
    """Merge entries into a node: each lemma once, and longer phrases first."""
    alone = {(entry.group, entry.lemma): entry for entry in before.alone} if before else {}
    followed = {second: list(rows) for second, rows in before.followed.items()} if before else {}
    for entry in entries:
        if not entry.rest:
            alone.setdefault((entry.group, entry.lemma), entry)
        for second in entry.rest[0] if entry.rest else ():
            followed.setdefault(second, []).append(entry)
    longest = {second: tuple(sorted(rows, key=lambda row: -len(row.rest))) for second, rows in followed.items()}
    return Node(tuple(alone.values()), longest)


def _host_words(words: TopicWords, country: str) -> dict[str, str]:
    """Map simplified words in host names to groups; words of the topic take precedence over the tables."""
    listed = [
        *((word, HERE) for word in words.geography),
        *((word, ORGANIZATION) for each in words.organization_words.values() for word in each),
        *((word, KEYWORD) for each in words.keywords.values() for word in each),
        *((word, kind) for word, kind in kind_of_host_word().items()),
        *((town, ELSEWHERE) for place in COUNTRIES.values() for town in place.towns if place.code != country),
    ]
    found: dict[str, str] = {}
    for word, group in listed:
        if " " not in word and len(word) >= SHORTEST_HOST_WORD:
            for spelled in skeletons(word):
                found.setdefault(spelled, group)
    return found
