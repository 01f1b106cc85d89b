"""Whether a name tells of a part of another thing: the café of a museum, the board at a school. Pure."""

from __future__ import annotations

from gleanery.resolution.matches.names import KNOWN, LINK, Name, name

_BETWEEN = """
    of at in by na kam pri v u w we przy im am an bei beim zum zur des der du de d di del della delle dello dei al alla
    van bij te
"""
BETWEEN = frozenset(_BETWEEN.split())  # a part and its whole
BODIES = frozenset(["trust", "association", "society"])  # by which friends, or a theatre, are registered
# Of what a house or a park has in it or beside it, the sorts; an English church hall is told by no sort.
_HOUSES = """
    church cathedral monastery parish park farm university hospital hospice hotel museum palace zoo library town_hall
    culture_house community_centre cafe
"""
_INSIDE = """
    playground cafe restaurant bar kiosk shelter_roof shop chapel foundation trading_arm kindergarten theatre gym villa
    bandstand skatepark pitch parish_hall
"""
HOUSES, INSIDE, HALL = frozenset(_HOUSES.split()), frozenset(_INSIDE.split()), "hall"


def is_within(one: str, other: str) -> bool:
    here, there = name(one), name(other)
    return any(_is_part(*each) or _is_behind(*each) for each in ((here, there), (there, here)))


def _is_behind(part: Name, whole: Name) -> bool:
    """What it is stands just behind all that the other is called, which is a house or a park: a park's gazebo."""
    here, there = ([word for word in each.words if word.weight > LINK] for each in (part, whole))
    more = here[len(there) :]
    return (
        bool(more and there)
        and [word.sound for word in here[: len(there)]] == [word.sound for word in there]
        and not there[-1].sorts.isdisjoint(HOUSES)
        and (more[-1].text == HALL or not more[-1].sorts.isdisjoint(INSIDE - whole.sorts))
        and not any(word.text == "and" for word in part.words)
    )


def _is_part(part: Name, whole: Name) -> bool:
    """All that the one is called stands just behind the "of" of the other, and something else before it.

    Only of what is called a thing of some sort: the church of St. Nicholas is St. Nicholas. And an association of
    friends are these friends.
    """
    if not whole.sorts or not any(word.weight >= KNOWN for word in whole.words):
        return False
    at = next((at for at, word in enumerate(part.words) if word.text in BETWEEN), 0)
    head = {word.sound for word in part.words[:at] if word.weight > LINK}
    told = {word.sound for word in whole.words if word.weight > LINK}
    behind = [word.sound for word in part.words[at:] if word.weight > LINK]
    return not head <= BODIES and head.isdisjoint(told) and {*behind[:1]} <= told <= {*behind}
