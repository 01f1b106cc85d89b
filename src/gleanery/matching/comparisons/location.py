"""Compares locations: distance, address, postal code, town, country. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from rapidfuzz.distance import JaroWinkler

from gleanery.matching.address import house_numbers
from gleanery.matching.comparison import EVERY, HOUSES, Comparison, Level
from gleanery.matching.pair import Pair

STEPS = ((30, "here"), (75, "near"), (150, "close by"), (300, "one block"), (500, "some blocks"), (800, "away"))
FARTHER = ((1_500, "far"), (float("inf"), "elsewhere"))
FEW, MANY = 3, 6  # records with the same name
NEAR, FAR = 100, 400  # metres, for records with a common name
ALIKE = 0.88
AREA = 3  # letters of a postal code
PLACED = (*HOUSES, "event", "opportunity")


def _distance(pair: Pair) -> str:
    if pair.metres is None:
        return ""
    return next(level for most, level in (*STEPS, *FARTHER) if pair.metres < most)


def _metres(pair: Pair) -> Mapping[str, str]:
    far = pair.metres or 0.0
    return {"metres": f"{far:.0f} m" if far < 1_000 else f"{far / 1_000:.1f} km"}  # noqa: PLR2004 - a kilometre


def _common(pair: Pair) -> str:
    """Compare the positions of two records whose name many share, such as outlets of a chain."""
    many = max(pair.rarity.count_of_name(pair.one.name), pair.rarity.count_of_name(pair.other.name))
    if many < FEW:
        return ""
    often = "many" if many >= MANY else "few"
    if pair.metres is None:
        return often
    return f"{often}, {'near' if pair.metres < NEAR else 'not far' if pair.metres < FAR else 'far'}"


def _address(pair: Pair) -> str:
    one, other = pair.one, pair.other
    house = _house(pair)
    if not one.street or not other.street:
        return ""
    if is_same_street(one.street, other.street):
        apart = "house" if pair.metres is None else "house on the map"
        level = {"same": "same", "other": apart}.get(house, "street")
        crowd = pair.rarity.is_crowded("address", f"{one.house} {one.street} {one.town}")
        return "crowd" if level == "same" and crowd else level
    return {"same": "number", "other": "other"}.get(house, "other street")


def _houses(pair: Pair) -> Mapping[str, str]:
    return {"left": pair.one.house, "right": pair.other.house}


def is_same_street(one: str, other: str) -> bool:
    here, there = one.split(), other.split()
    return any(
        a == b or (min(len(a), len(b)) > AREA and JaroWinkler.similarity(a, b) >= ALIKE) for a in here for b in there
    )


def _house(pair: Pair) -> str:
    here, there = house_numbers(pair.one.house), house_numbers(pair.other.house)
    if not here or not there:
        return ""
    return "same" if here & there else "other"


def _code(pair: Pair) -> str:
    here, there = pair.one.postal_code, pair.other.postal_code
    if not here or not there:
        return ""
    short, long = sorted((here, there), key=len)
    if long.startswith(short) and len(short) >= AREA:
        return "same"
    return "area" if here[:AREA] == there[:AREA] else "other"


def _town(pair: Pair) -> str:
    here, there = pair.one.town, pair.other.town
    if not here or not there or pair.one.script != pair.other.script:
        return "same" if here and here == there else ""
    if here == there or set(here.split()) <= set(there.split()) or set(there.split()) <= set(here.split()):
        return "same"
    return "same" if JaroWinkler.similarity(here, there) >= ALIKE else "other"


def _country(pair: Pair) -> str:
    here, there = pair.one.country, pair.other.country
    return "other" if here and there and here != there else ""


DISTANCE = Comparison(
    "distance",
    PLACED,
    _distance,
    (
        Level("here", "They are at the same spot ({metres} apart)."),
        Level("near", "They are close to each other ({metres})."),
        Level("close by", "They are {metres} apart."),
        Level("one block", "They are {metres} apart."),
        Level("some blocks", "They are {metres} apart."),
        Level("away", "They are {metres} apart.", veto=True),
        Level("far", "They are {metres} apart.", veto=True),
        Level("elsewhere", "They are far apart ({metres}).", veto=True),
    ),
    _metres,
)
COMMON = Comparison(
    "common name",
    HOUSES,
    _common,
    (
        Level("few, near", "A few others have this name, but these two are close to each other."),
        Level("many, near", "Many have this name, but these two are close to each other."),
        Level("few, not far", "A few others have this name."),
        Level("few", "A few others have this name."),
        Level("few, far", "A few others have this name, and these two are not near each other."),
        Level("many, not far", "Many have this name, as outlets of a chain do."),
        Level("many", "Many have this name, as outlets of a chain do."),
        Level("many, far", "Many have this name, as outlets of a chain do, and these two are not near each other."),
    ),
    is_ranked=False,
)
ADDRESS = Comparison(
    "address",
    PLACED,
    _address,
    (
        Level("same", "They have the same street and house number."),
        Level("crowd", "They have the same address, but so do many others."),
        Level("street", "They are in the same street; at least one has no house number."),
        Level("number", "The house number is the same, but the street is written differently."),
        Level("other street", "They are in different streets."),
        Level("house on the map", "The house numbers differ: {left} and {right}.", veto=True),
        Level("house", "The house numbers differ: {left} and {right}.", veto=True),
        Level("other", "They have different addresses.", veto=True),
    ),
    _houses,
    is_ranked=False,
)
CODE = Comparison(
    "postal code",
    PLACED,
    _code,
    (
        Level("same", "They have the same postal code."),
        Level("area", "Their postal codes are in the same area."),
        Level("other", "They have different postal codes."),
    ),
)
TOWN = Comparison(
    "town",
    EVERY,
    _town,
    (Level("same", "They are in the same town."), Level("other", "They are in different towns.")),
)
COUNTRY = Comparison("country", EVERY, _country, (Level("other", "They are in different countries.", veto=True),))
