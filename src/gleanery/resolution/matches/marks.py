"""What sets two names apart beside their words: the numbers in them, and what sort of thing each says it is. Pure."""

from __future__ import annotations

from string import ascii_lowercase

from gleanery.resolution.matches.names import Name

TABLES = frozenset(["restaurant", "cafe", "bar", "canteen", "bakery"])  # where one eats and drinks, in many a house


def compare_numbers(one: Name, other: Name) -> str:
    if one.years and other.years and not one.years & other.years:
        return "other"
    here, there = one.numbers, other.numbers
    if not here and not there:
        return ""
    if not here or not there:
        return "one"
    return "other" if here - there - _bare(there) and there - here - _bare(here) else "same"


def _bare(numbers: frozenset[str]) -> set[str]:
    """R1 may be round 1; A1 is not B1."""
    return {each.lstrip(ascii_lowercase) for each in numbers}


def compare_sorts(one: Name, other: Name) -> str:
    """What sort of thing: a hotel is no restaurant, and a hotel's restaurant is not the hotel."""
    here, there = one.sorts, other.sorts
    if one.dependents != other.dependents:
        return "dependent"
    if not here or not there:
        return "more" if here or there else ""
    if here == there or (_are_answered(one, there) and _are_answered(other, here)):
        return "same"
    if TABLES.isdisjoint(here) != TABLES.isdisjoint(there):
        table, house = (there, here) if TABLES.isdisjoint(here) else (here, there)
        if not house <= table:
            return "inner"
    return "further" if here < there or there < here else "some" if here & there else "other"


def _are_answered(one: Name, sorts: frozenset[str]) -> bool:
    """Whether all that it may be called is there: a bank of food is a foodbank, whatever else a bank may be."""
    return all(not word.sorts.isdisjoint(sorts) for word in one.words if word.sorts)
