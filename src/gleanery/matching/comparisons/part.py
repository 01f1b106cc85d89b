"""Detects that one record is part of the other: a food court in a mall, the library of a school. Pure."""

from __future__ import annotations

from functools import lru_cache

from gleanery.matching.comparison import Comparison, Level
from gleanery.matching.facts import significant_words
from gleanery.matching.lists import groups_in, words_in
from gleanery.matching.pair import Pair

CONTAINED = 0.95


def _part(pair: Pair) -> str:
    one, other = pair.one, pair.other
    if pair.names.is_equal or not one.name or not other.name:
        return ""
    if _is_whole_of(one.name, other.whole) or _is_whole_of(other.name, one.whole):
        return "inside"
    names = pair.names
    if names.most < CONTAINED or (names.left and names.right):
        return ""
    more = names.left or names.right
    return "part" if not words_in("parts").isdisjoint(more) else ""


def _is_whole_of(name: str, whole: str) -> bool:
    return bool(whole) and significant_words(name) == significant_words(whole)


def _sort(pair: Pair) -> str:
    """Compare the sort of thing each name states, by its last word that states one."""
    one, other = sort_of(pair.one.name), sort_of(pair.other.name)
    if not one or not other:
        return ""
    return "same" if one & other else "other"


@lru_cache(maxsize=65_536)
def sort_of(name: str) -> frozenset[str]:
    """Return the sort of thing a name states; a street word counts only at the end."""
    groups = groups_in("sorts")
    words = name.split()
    if words and words[-1] in words_in("roads"):
        return frozenset(["road"])
    return next((groups[word] for word in reversed(words) if word in groups), frozenset())


PART = Comparison(
    "part",
    ("place", "organization", "service"),
    _part,
    (
        Level("part", "One name is the name of a part of the other.", veto=True),
        Level("inside", "One name says that it is inside the other.", veto=True),
    ),
    is_ranked=False,
)
SORT = Comparison(
    "sort",
    ("place", "organization", "service"),
    _sort,
    (
        Level("same", "Both names state the same sort of thing."),
        Level("other", "The names state different sorts of thing.", veto=True),
    ),
)
