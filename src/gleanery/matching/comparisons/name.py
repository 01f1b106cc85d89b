"""Compares two names by the words they share and how rare those words are. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from rapidfuzz.distance import Levenshtein

from gleanery.matching.comparison import EVERY, Comparison, Level
from gleanery.matching.overlap import RARE
from gleanery.matching.pair import Pair

CLOSE, SAME_LETTERS = 0.93, 0.92
CONTAINED = 0.95
MORE = ((0.7, "longer"), (0.5, "contained"), (0.3, "much longer"), (0.0, "far longer"))
COSINES = ((0.8, "most"), (0.65, "more than half"), (0.5, "half"), (0.35, "some"), (0.2, "little"), (0.0, "other"))
SHARED = ((1.4, "much"), (0.9, "several"), (0.6, "a rare word"), (0.4, "a word"), (0.2, "a common word"), (0.0, "none"))
LETTERS = ((0.85, "nearly all"), (0.7, "most"), (0.55, "many"), (0.4, "some"), (0.3, "few"), (0.0, "hardly any"))
OWN = ((0.75, "rare"), (0.5, "telling"), (0.2, "common"), (0.0, "none"))


def _name(pair: Pair) -> str:
    if not pair.one.name or not pair.other.name:
        return ""
    names = pair.names
    if names.is_equal:
        return "same"
    if names.cosine >= CLOSE or _have_the_same_letters(pair):
        return "close"
    if is_translated(pair):
        return "translated"
    steps = MORE if names.most >= CONTAINED else COSINES
    value = names.least if steps is MORE else names.cosine
    return next(level for least, level in steps if value >= least)


def is_translated(pair: Pair) -> bool:
    """Return True if the names are in two scripts and are not the same name transliterated."""
    names = pair.names
    return pair.one.script != pair.other.script and names.cosine < COSINES[1][0] and names.rarest < RARE


def _have_the_same_letters(pair: Pair) -> bool:
    here, there = pair.one.name.replace(" ", ""), pair.other.name.replace(" ", "")
    return here.isalpha() and there.isalpha() and Levenshtein.normalized_similarity(here, there) > SAME_LETTERS


def _letters(pair: Pair) -> str:
    """Compare the names letter by letter, ignoring word boundaries."""
    here, there = pair.one.name.replace(" ", ""), pair.other.name.replace(" ", "")
    if not here or not there or is_translated(pair):
        return ""
    alike = Levenshtein.normalized_similarity(here, there)
    return next(level for least, level in LETTERS if alike >= least)


def _shared(pair: Pair) -> str:
    if not pair.one.name or not pair.other.name or is_translated(pair):
        return ""
    return next(level for least, level in SHARED if pair.names.shared >= least)


def _own(pair: Pair) -> str:
    """Return how rare the words are that only one of the names has; skip a name contained in the other."""
    names = pair.names
    if (
        not pair.one.name
        or not pair.other.name
        or names.is_equal
        or names.most >= CONTAINED
        or pair.one.script != pair.other.script
    ):
        return ""
    return next(level for least, level in OWN if names.own >= least)


def _words(pair: Pair) -> Mapping[str, str]:
    names = pair.names
    return {
        "both": _listed(names.words),
        "more": _listed(names.left or names.right),
        "left": _listed(names.left),
        "right": _listed(names.right),
    }


def _listed(words: tuple[str, ...]) -> str:
    return ", ".join(f"“{word}”" for word in words[:3]) or "nothing"


NAME = Comparison(
    "name",
    EVERY,
    _name,
    (
        Level("same", "They have the same name."),
        Level("close", "The names are the same except for spelling or a small word."),
        Level("longer", "One name is slightly longer than the other: {more}."),
        Level("contained", "One name contains the other and adds {more}."),
        Level("most", "The names have most of their distinctive words in common: {both}."),
        Level("much longer", "One name contains the other and is about twice as long: {more}."),
        Level("far longer", "One name is only a small part of the other."),
        Level("more than half", "The names have more than half of their distinctive words in common: {both}."),
        Level("half", "The names have about half of their words in common: {both}."),
        Level("translated", "The names are written in different scripts; one may be a translation."),
        Level("some", "The names have some words in common: {both}."),
        Level("little", "The names have little in common: {both}."),
        Level("other", "The names have almost nothing in common."),
    ),
    _words,
)
SHARED_WORDS = Comparison(
    "shared words",
    EVERY,
    _shared,
    (
        Level("much", "The names share rare words: {both}."),
        Level("several", "The names share at least one rare word: {both}."),
        Level("a rare word", "The names share a fairly rare word: {both}."),
        Level("a word", "The names share a word that some other names have too: {both}."),
        Level("a common word", "The names share only a common word: {both}."),
        Level("none", "The names share no distinctive word."),
    ),
    _words,
)
SPELLING = Comparison(
    "spelling",
    EVERY,
    _letters,
    (
        Level("nearly all", "The names are nearly identical letter by letter."),
        Level("most", "Most letters of the names are the same."),
        Level("many", "Many letters of the names are the same."),
        Level("some", "Some letters of the names are the same."),
        Level("few", "Few letters of the names are the same."),
        Level("hardly any", "Hardly any letters of the names are the same."),
    ),
)
OWN_WORDS = Comparison(
    "own words",
    EVERY,
    _own,
    (
        Level("none", "Only one name has a word that the other lacks."),
        Level("common", "Each name has a common word that the other lacks: {left} and {right}."),
        Level("telling", "Each name has a distinctive word that the other lacks: {left} and {right}."),
        Level("rare", "Each name has a rare word that the other lacks: {left} and {right}."),
    ),
    _words,
)
