"""How two records agree in each field but the name: one small function a field, and which kinds have it. Pure."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable, Mapping, Set
from datetime import date, timedelta
from itertools import chain

from rapidfuzz.distance import JaroWinkler

from gleanery.resolution.identity import metres_between
from gleanery.resolution.matches import likeness, named, reach, regions, times
from gleanery.resolution.matches.ages import are_apart
from gleanery.resolution.matches.asides import has_moved
from gleanery.resolution.matches.descriptions import was_on, words
from gleanery.resolution.matches.hours import compare_hours
from gleanery.resolution.matches.names import are_contrary, grouped, name
from gleanery.resolution.matches.slips import MEANT, agree
from gleanery.resolution.matches.streets import house_numbers
from gleanery.resolution.matches.traits import MONTHS, Traits

STREETS_ALIKE = 0.88
EXTENDED = timedelta(days=45)
AUTUMN = 9  # the month
AMERICAN = 9  # digits of a whole postal code
LEV_A_EURO = 1.95583  # fixed by law
FIXED = {"EUR", "BGN"}
SAME_AMOUNT, ROUNDED = 0.005, 0.03  # as a part of it; rounded, where it was told in another currency
USUAL_DAYS = (1, 15, 30)  # on which calls close, and on the last of a month
USUAL_AMOUNTS = ("1", "2", "5")  # and zeros
METRES = ((60, "here"), (250, "near"), (1_000, "walk"), (5_000, "far"))
MUCH = 3  # telling words that descriptions have
COMMON = ("little", "some", "much", "most")  # by how many of them two have in common
ELSEWHERE = ("other_street", "house", "other", "walk", "far", "away")
SURELY_AWAY = 0.05  # degrees of latitude, of which each is 111 kilometres


def _address(one: Traits, other: Traits) -> str:
    if not one.street or not other.street or one.street.isascii() != other.street.isascii():
        return ""  # or in a script of which nothing is known how it sounds
    alike = _streets_alike(one.street, other.street)
    here, there = house_numbers(one.house), house_numbers(other.house)
    if not here or not there:
        return "street" if alike else "other_street"
    if here & there:
        return "same" if alike else "number"
    return "house" if alike else "other"


def _streets_alike(one: str, other: str) -> bool:
    if one == other:
        return True
    here, there = one.split(), other.split()
    short, long = (here, there) if len(here) <= len(there) else (there, here)
    if all(any(_one_word(word, each) for each in long) for word in short):
        return True
    return JaroWinkler.similarity("".join(here), "".join(there)) >= STREETS_ALIKE


def _one_word(one: str, other: str) -> bool:
    if one == other:
        return True
    if one.isdigit() or other.isdigit() or one[0].isdigit() or other[0].isdigit():
        return False
    return JaroWinkler.similarity(one, other) >= STREETS_ALIKE or agree(one, other) >= MEANT


def _unit(one: Traits, other: Traits) -> str:
    if not one.unit or not other.unit:
        return ""
    return "same" if one.unit == other.unit else "other"


def _postal_code(one: Traits, other: Traits) -> str:
    here, there = _area(one.postal_code), _area(other.postal_code)
    if not here or not there:
        return ""
    if here == there:
        return "same"
    if here.startswith(there) or there.startswith(here):
        return ""  # only the one tells the street
    return "near" if here[:3] == there[:3] else "other"


def _area(code: str) -> str:
    """Without the four digits that may follow an American code; of others the end may tell the street."""
    return code[:5] if len(code) == AMERICAN and code.isdigit() else code


def _country(one: Traits, other: Traits) -> str:
    return "other" if one.country and other.country and one.country != other.country else ""


def _distance(one: Traits, other: Traits) -> str:
    if one.lat is None or other.lat is None or one.lon is None or other.lon is None:
        return ""
    if abs(one.lat - other.lat) > SURELY_AWAY:
        return "away"
    metres = metres_between(one.lat, one.lon, other.lat, other.lon)
    return next((level for most, level in METRES if metres <= most), "away")


def _hours(one: Traits, other: Traits) -> str:
    return compare_hours(one.hours, other.hours)


def _whom(one: Traits, other: Traits) -> str:
    here, there = grouped(one.whom.split()), grouped(other.whom.split())
    if MONTHS in here and MONTHS in there and are_apart(_from_to(here[MONTHS]), _from_to(there[MONTHS])):
        return "other"
    here, there = ({who: told for who, told in each.items() if who != MONTHS} for each in (here, there))
    if not here or not there:
        return ""
    if are_contrary(here, there):
        return "other"
    return "same" if here.keys() & there.keys() else ""


def _from_to(months: Set[str]) -> tuple[int, int]:
    least, most = max(months).partition(".")[2].split("-")
    return int(least), int(most)


def _for_others(one: Traits, other: Traits) -> str:
    """That both are for the young tells little of calls and events."""
    return "other" if _whom(one, other) == "other" else ""


def about(one: Traits, other: Traits, usual: Set[str] = frozenset()) -> str:
    """What their descriptions have in common, or the description of one with the name of the other."""
    if not one.about and not other.about:
        return ""
    here, there = words(one.about), words(other.about)
    called, called_there = likeness.sounds(one.name), likeness.sounds(other.name)
    common = (here | called) & (there | called_there) & (here | there) - (called & called_there) - usual
    if common:
        return COMMON[min(len(common), len(COMMON)) - 1]
    return "none" if min(len(here), len(there)) >= MUCH else ""


def _deadline(one: Traits, other: Traits) -> str:
    if one.deadline is None or other.deadline is None:
        return ""
    apart = abs(one.deadline - other.deadline)
    if not apart:
        return "same" if _is_usual_day(one.deadline) else "rare"
    if was_on(one.about, other.deadline) or was_on(other.about, one.deadline):
        return ""  # it was extended, and says so
    return "near" if apart <= EXTENDED else "other"


def _is_usual_day(day: date) -> bool:
    return day.day in USUAL_DAYS or day.day == monthrange(day.year, day.month)[1]


def _year(one: Traits, other: Traits) -> str:
    if one.year is None or other.year is None or (one.deadline and other.deadline):
        return ""
    if one.year == other.year:
        return "same"
    if name(one.name).years & name(other.name).years:
        return ""  # Horizon 2020 has calls of every year
    return "" if _closes_before(one, other) or _closes_before(other, one) else "other"


def _closes_before(one: Traits, other: Traits) -> bool:
    """A call of next year may close this autumn."""
    if one.deadline is None or one.deadline.month < AUTUMN:
        return False
    return one.year == one.deadline.year and other.year == one.year + 1


def _amount(one: Traits, other: Traits) -> str:
    """Only what can be compared: the same end, and money of one currency or with a fixed rate."""
    if one.currency and other.currency and one.currency != other.currency and {one.currency, other.currency} != FIXED:
        return "currency"
    pairs = ((one.most, other.most), (one.least, other.least))
    told = [(here, there) for here, there in pairs if here and there]
    within = SAME_AMOUNT if one.currency == other.currency else ROUNDED
    agreed = [each for each in told if _is_amount(_euros(each[0], one), _euros(each[1], other), within)]
    if not agreed:
        return "other" if told else ""
    return "same" if all(map(_is_usual_amount, chain(*agreed))) else "rare"


def _is_usual_amount(amount: float) -> bool:
    return f"{amount:.0f}".rstrip("0") in USUAL_AMOUNTS


def _is_amount(here: float, there: float, within: float) -> bool:
    return abs(here - there) <= within * max(abs(here), abs(there))


def _euros(amount: float, one: Traits) -> float:
    return amount / LEV_A_EURO if one.currency == "BGN" else amount


def _founded(one: Traits, other: Traits) -> str:
    if one.founded is None or other.founded is None:
        return ""
    return "same" if one.founded == other.founded else "other"


def _unless_moved(level_of: Callable[[Traits, Traits], str]) -> Callable[[Traits, Traits], str]:
    """What has moved, and says so, may be elsewhere now."""

    def level(one: Traits, other: Traits) -> str:
        found = level_of(one, other)
        return "" if found in ELSEWHERE and has_moved(one, other) else found

    return level


_WHERE: Mapping[str, Callable[[Traits, Traits], str]] = {
    "address": _unless_moved(_address),
    "unit": _unless_moved(_unit),
    "town": named.town,
    "postal_code": _unless_moved(_postal_code),
    "country": _country,
    "distance": _unless_moved(_distance),
}
_REACH: Mapping[str, Callable[[Traits, Traits], str]] = {"phone": reach.phone, "site": reach.site, "email": reach.email}
_OFFICIAL: Mapping[str, Callable[[Traits, Traits], str]] = {"official_id": reach.official_id}
_TOLD: Mapping[str, Callable[[Traits, Traits], str]] = {"about": about}
_CALL: Mapping[str, Callable[[Traits, Traits], str]] = {"deadline": _deadline, "year": _year}
FIELDS: Mapping[str, Mapping[str, Callable[[Traits, Traits], str]]] = {
    "place": {**_WHERE, **_REACH, **_OFFICIAL, **_TOLD},
    "organization": {**_WHERE, "region": regions.of_towns, **_REACH, **_OFFICIAL, "founded": _founded, **_TOLD},
    "event": {
        "time": times.compare,
        "venue": named.venue,
        "run_by": named.run_by,
        "whom": _for_others,
        **_WHERE,
        **_REACH,
        **_TOLD,
    },
    "funding": {
        "run_by": named.run_by,
        "whom": _for_others,
        **_CALL,
        "amount": _amount,
        "town": named.town,
        "region": regions.compare,
        "country": _country,
        **_REACH,
        **_OFFICIAL,
        **_TOLD,
    },
    "service": {
        "run_by": named.run_by,
        "venue": named.venue,
        "hours": _hours,
        "whom": _whom,
        **_WHERE,
        "region": regions.of_towns,
        **_REACH,
        **_OFFICIAL,
        **_TOLD,
    },
    "opportunity": {
        "run_by": named.run_by,
        "whom": _for_others,
        "venue": named.venue,
        "time": times.compare,
        **_CALL,
        **_WHERE,
        **_REACH,
        **_OFFICIAL,
        **_TOLD,
    },
}
