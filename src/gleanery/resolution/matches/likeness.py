"""How alike two names are, word by word: spelling, order and generic words count little, rare words much. Pure."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz.fuzz import ratio

from gleanery.resolution.matches import names
from gleanery.resolution.matches.corpus import UNKNOWN
from gleanery.resolution.matches.initials import are_initials, is_run
from gleanery.resolution.matches.marks import compare_numbers, compare_sorts
from gleanery.resolution.matches.names import COMMON, KNOWN, LINK, PLAIN, Name, Word, name
from gleanery.resolution.matches.slips import agree, is_spelled_alike
from gleanery.resolution.matches.swaps import are_two, differ_at_one_place, is_swapped

Weigh = Callable[[str], float]
SAME, CLOSE, ALIKE, SOME, WHOLE = 0.97, 0.8, 0.55, 0.3, 0.95
JOINED = 0.9
STEM, ENDING = 4, 5  # letters of a town, and those that follow where something is called after it
MOSTLY = 0.3  # of what agrees: so much of it in other words is a translation
NAME = 0.9  # by weight, a name that both have
TITLE = 0.7  # the same of a title: a name, or two words of every day
QUOTED = 0.35  # and of one that stands in quotation marks and is all that the other is called
WORD = 0.6  # the weight of a telling word, but for a common one


class Likeness(NamedTuple):
    """`similarity` and `telling`: how much agrees, and how much of that are words that few names have."""

    level: str  # same, close, meaning, part, alike, some, other, initials; "" where one has no name
    similarity: float
    telling: float
    numbers: str  # same, other, one, or ""
    sorts: str  # same, some, other, inner, more, further, dependent, or ""
    contrast: bool  # the old and the new one
    rest: str  # whose telling words have nothing to answer to: none, one, both; at one place: swap, word
    known: bool  # a translation would have been seen
    left: frozenset[str]  # these words, by sound, whatever they weigh
    left_of_other: frozenset[str]


NOTHING = Likeness("", 0.0, 0.0, "", "", False, "", False, frozenset(), frozenset())


def compare(one: str, other: str, weigh: Weigh = UNKNOWN.weight, towns: str = "", aside: str = "") -> Likeness:
    """Names as spelling.name writes them. Words of `towns` and `aside`, of venues and owners, may be in either or not.

    That both are in one town is said elsewhere: there it tells nothing that both names have it.
    """
    if not one or not other:
        return NOTHING
    here, there = name(one), name(other)
    found = _compare(here, there, weigh)
    within = sounds(towns) | _of_towns(one, towns) | _of_towns(other, towns) if towns else frozenset()
    known = within | sounds(aside) if aside else within
    if found.level == "same" or known.isdisjoint(here.sounds | there.sounds):
        return found
    without = _compare(here, there, lambda sound: LINK if sound in known else weigh(sound))
    if not within.isdisjoint(here.sounds & there.sounds):
        return without
    return max(found, without, key=lambda each: each.similarity)


@lru_cache(maxsize=65_536)
def plainly(one: str, other: str, towns: str = "") -> Likeness:
    """Of venues, owners and towns, of which the same two are compared again and again; words all count the same."""
    return compare(one, other, towns=towns)


def is_one(one: str, other: str, towns: str = "", least: float = TITLE) -> bool:
    """Whether they are one title, and one that tells something."""
    found = plainly(one, other, towns)
    if found.rest != "none" or found.numbers == "other" or found.contrast:
        return False
    return found.level in ("same", "close", "meaning") and found.telling >= least


def meet(one: str, other: str) -> bool:
    """Whether they can be anything but other names: a word in common, meant or shortened, or the same letters."""
    here, there = name(one), name(other)
    if not here.sounds.isdisjoint(there.sounds) or ratio(here.joined, there.joined) >= JOINED * 100:
        return True
    if compare_numbers(here, there) == "same" or not (here.joined.isascii() or there.joined.isascii()):
        return True
    return any(agree(word.text, each.text) for word in here.words for each in there.words) or any(
        word.weight == PLAIN and is_run(word.text, whole)
        for short, whole in ((here, there), (there, here))
        for word in short.words
    )


@lru_cache(maxsize=32_768)
def _of_towns(text: str, towns: str) -> frozenset[str]:
    """What is called after a town: the Burgaski maraton of Burgas, the Konstanzer of Konstanz."""
    stems = [stem for town in towns.split() if len(stem := town.rstrip("aeiouy")) >= STEM]
    after = (given for given in text.split() if any(_is_after(given, stem) for stem in stems))
    return frozenset().union(*(name(given).sounds for given in after))


def _is_after(given: str, stem: str) -> bool:
    return given.startswith(stem) and 0 < len(given) - len(stem) <= ENDING and names.word(given).weight == PLAIN


@lru_cache(maxsize=16_384)
def sounds(text: str) -> frozenset[str]:
    return name(text).sounds


def _compare(one: Name, other: Name, weigh: Weigh) -> Likeness:
    matched, telling, meant, excess, left, left_of_other, words, words_of_other = _aligned(one, other, weigh)
    weights = _weight(one, weigh), _weight(other, weigh)
    similarity = 2 * matched / (sum(weights) - excess or 1)
    contained = matched / (min(weights) or 1)
    if similarity < CLOSE:
        joined = ratio(one.joined, other.joined) / 100
        if joined >= JOINED and one.joined and other.joined and not _have_two(one, other):
            similarity = contained = joined
            telling = max(telling, min(weights))
            left = left_of_other = 0.0
            words = words_of_other = frozenset()
        elif not one.joined.isascii() and not other.joined.isascii():  # a script that writes no spaces
            similarity = max(similarity, joined)
    level = _level(similarity, contained, telling)
    if level in ("other", "some") and are_initials(one, other):
        level = "initials"
    if level in ("same", "close") and 0 < meant >= MOSTLY * matched:
        level = "meaning"
    contrast = names.are_contrary(one.contrasts, other.contrasts)
    rest = _rest(*sorted((left, left_of_other))) if level not in ("other", "initials") else ""
    if rest and is_swapped(_telling(one, weigh), _telling(other, weigh)):
        rest = "swap"
    elif rest and level != "same" and differ_at_one_place(_telling(one, weigh), _telling(other, weigh)):
        rest = "word"
    known = one.known and other.known
    numbers, sorts = compare_numbers(one, other), compare_sorts(one, other)
    return Likeness(level, similarity, telling, numbers, sorts, contrast, rest, known, words, words_of_other)


def _have_two(one: Name, other: Name) -> bool:
    """Whether each has a word of some meaning that the other has not: a toy library and a tool library."""
    here, there = ([word for word in each.words if word.weight > LINK] for each in (one, other))
    return are_two(here, there)


def telling(text: str) -> list[Word]:
    return _telling(name(text), UNKNOWN.weight)


def _telling(one: Name, weigh: Weigh) -> list[Word]:
    """Without what is set aside, which weighs as a link does: a trust that is named is no sort of thing then."""
    return [word for word in one.words if word.weight > LINK and weigh(word.sound) > LINK and not word.number]


def _rest(less: float, more: float) -> str:
    """Words dropped or added are one thing; words put in the place of others are another."""
    if less >= WORD:
        return "both"
    return "one" if more >= WORD else "none"


def _level(similarity: float, contained: float, telling: float) -> str:
    if similarity >= SAME:
        return "same"
    if similarity >= CLOSE:
        return "close"
    if contained >= WHOLE and telling >= COMMON:
        return "part"
    if similarity >= ALIKE:
        return "alike"
    if contained >= WHOLE:
        return "generic"
    return "some" if similarity >= SOME or telling >= NAME else "other"


def _weight(one: Name, weigh: Weigh) -> float:
    return sum(_of(word, weigh) for word in one.words)


def _of(word: Word, weigh: Weigh) -> float:
    return word.weight * weigh(word.sound) if word.weight >= COMMON else word.weight


class Aligned(NamedTuple):
    """By weight: the words that both have, those of them that tell something, those that only mean the same, and what
    is left of either."""

    matched: float
    telling: float
    meant: float
    excess: float  # what a word weighs more than the one that it is a short form or a slip of
    left: float
    left_of_other: float
    words: frozenset[str]  # that are left of either
    words_of_other: frozenset[str]


def _aligned(one: Name, other: Name, weigh: Weigh) -> Aligned:
    """Word by word, each used once: first those of one sound, then the best of what is one but for a slip."""
    by_sound = {word.sound: word for word in other.words}
    pairs = [(word, by_sound[word.sound], 1.0) for word in one.words if word.sound in by_sound]
    rest = [word for word in one.words if word.sound not in by_sound]
    free = [word for word in other.words if word.sound not in one.sounds]
    matched = telling = meant = excess = 0.0
    if rest and free and len(rest) + len(free) > 2:  # noqa: PLR2004 - one word, and two that it may be written as
        for words, parts in sorted(((rest, free), (free, rest)), key=lambda each: [word.text for word in each[0]]):
            joined = _joined(words, parts, weigh)
            matched += joined
            telling += joined
    pairs += _slips(rest, free)
    for word, candidate, degree in pairs:
        here, there = _of(word, weigh), _of(candidate, weigh)
        weight = min(here, there) * degree
        matched += weight
        telling += weight * min(_told(word), _told(candidate))
        excess += abs(here - there)
        if min(word.weight, candidate.weight) >= COMMON and not is_spelled_alike(word.text, candidate.text):
            meant += weight
    here, left_over, told = _left(rest, other, weigh)
    there, left_over_there, told_there = _left(free, one, weigh)
    return Aligned(
        round(matched + here + there, 6),  # the same whichever name was first
        round(telling + here + there, 6),
        round(meant, 6),
        round(excess, 6),
        round(left_over, 6),
        round(left_over_there, 6),
        told,
        told_there,
    )


def _slips(words: list[Word], others: list[Word]) -> list[tuple[Word, Word, float]]:
    """The likeliest first, whichever name is looked at first; they are taken out of both."""
    likely = [
        (degree, (-degree, *sorted((word.text, other.text))), word, other)
        for word in words
        for other in others
        if (degree := agree(word.text, other.text))
    ]
    found = []
    for degree, _, word, other in sorted(likely, key=lambda each: each[1]):
        if word in words and other in others:
            words.remove(word)
            others.remove(other)
            found.append((word, other, degree))
    return found


def _joined(words: list[Word], parts: list[Word], weigh: Weigh) -> float:
    """By weight: words that the other writes as two, Tollhouse and Toll House; they are taken out of both."""
    matched = 0.0
    for word in words[:]:
        for index in range(len(parts) - 1):
            if parts[index].text + parts[index + 1].text == word.text:
                matched += (_of(word, weigh) + _of(parts[index], weigh) + _of(parts[index + 1], weigh)) / 2
                words.remove(word)
                del parts[index : index + 2]
                break
    return matched


def _told(word: Word) -> float:
    """How much it tells that both have it: a name much, a word of every day half."""
    return 1.0 if word.weight > KNOWN else 0.5 if word.weight >= COMMON else 0.0


def _left(words: list[Word], other: Name, weigh: Weigh) -> tuple[float, float, frozenset[str]]:
    """By weight: what is in the other name by its initials (MJC Boris Vian), and what has nothing to answer to there.

    Only words that tell something are left over; numbers are looked at on their own.
    """
    short = left = 0.0
    sounds = []
    for word in words:
        if word.weight == PLAIN and is_run(word.text, other):
            short += _of(word, weigh)
        elif word.weight >= COMMON and not word.number:
            left += _of(word, weigh)
            sounds.append(word.sound)
    return short, left, frozenset(sounds)
