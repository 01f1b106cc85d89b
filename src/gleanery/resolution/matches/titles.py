"""What stands in names as their title, or as the parts of a headline. Pure."""

from __future__ import annotations

from gleanery.resolution.matches import likeness
from gleanery.resolution.matches.named import is_in
from gleanery.resolution.matches.swaps import are_two
from gleanery.resolution.matches.traits import PARTED, Traits


def are_one(one: Traits, other: Traits) -> bool:
    """Whether the title of one name, or a part of that headline, is the other's title or all of its name.

    Who runs it, or where it is, may stand there too, and is no title.
    """
    towns = f"{one.locality} {other.locality}"
    venues = {likeness.sounds(one.venue), likeness.sounds(other.venue)}
    if any(
        parted.title
        and PARTED not in parted.title
        and likeness.is_one(parted.title, whole.name, towns, likeness.QUOTED)
        for parted, whole in ((one, other), (other, one))
    ):
        return True
    return any(
        likeness.is_one(part, whole, towns)
        for parted, unparted in ((one, other), (other, one))
        for part in parted.title.split(PARTED)
        if not (is_in(one.run_by, part) or is_in(other.run_by, part) or likeness.sounds(part) in venues)
        for whole in {unparted.name, "" if PARTED in unparted.title else unparted.title}
    )


def have_two_parts(one: Traits, other: Traits) -> bool:
    """Whether they are two parts of one thing: under one headline, the carving and the pottery of a crafts festival."""
    here, there = one.title.split(PARTED), other.title.split(PARTED)
    if len(here) != len(there) or len(here) == 1:
        return False
    head = likeness.plainly(here[0], there[0])
    return (
        head.level in ("same", "close")
        and head.rest == "none"
        and all(
            are_two(likeness.telling(part), likeness.telling(of_other))
            for part, of_other in zip(here[1:], there[1:], strict=True)
        )
    )


def have_two_beside(one: Traits, other: Traits) -> bool:
    """Whether they tell two things in brackets: the morning and the afternoon shift, the modules of a programme."""
    return are_two(likeness.telling(one.also), likeness.telling(other.also))
