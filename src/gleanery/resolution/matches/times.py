"""How two records agree in when they are. Pure."""

from __future__ import annotations

from datetime import timedelta

from gleanery.resolution.matches.descriptions import was_on
from gleanery.resolution.matches.traits import Traits

SAME, NEAR = timedelta(minutes=15), timedelta(minutes=95)
NIGHT = timedelta(hours=6)


def compare(one: Traits, other: Traits) -> str:
    if one.day is None or other.day is None:
        return ""
    if one.day != other.day and _apart(one, other) <= NIGHT:
        return "night"
    if _is_inside(one, other) or _is_inside(other, one):
        return "inside"
    if one.day != other.day:
        return "span" if overlap(one, other) else "" if _are_put_off(one, other) else "other"
    if one.minute is None or other.minute is None:
        return "day"
    apart = _apart(one, other)
    return "start" if apart <= SAME else "near" if apart <= NEAR else "hours"


def _are_put_off(one: Traits, other: Traits) -> bool:
    """Whether one tells that it was to be on the day of the other."""
    return was_on(one.about, other.day) or was_on(other.about, one.day)


def _apart(one: Traits, other: Traits) -> timedelta:
    """Between their beginnings: by the instant, or by the clock on the wall where one does not tell in what zone."""
    if one.begins and other.begins:
        return abs(one.begins - other.begins)
    if one.day is None or other.day is None or one.minute is None or other.minute is None:
        return timedelta.max
    return abs(one.day - other.day + timedelta(minutes=one.minute - other.minute))


def _is_inside(one: Traits, other: Traits) -> bool:
    """Whether it takes some hours of what lasts for days: the opening of an exhibition, a workshop of a festival."""
    if one.minute is None or other.day is None or other.last_day is None:
        return False
    if one.last_day != one.day and (one.last_day is not None or one.day == other.day):
        return False
    days = (other.last_day - other.day).days
    return days >= (1 if other.minute is None else 2) and overlap(one, other)  # a ball may end in the morning


def overlap(one: Traits, other: Traits) -> bool:
    if one.day is None or other.day is None:
        return False
    return one.day <= (other.last_day or other.day) and other.day <= (one.last_day or one.day)
