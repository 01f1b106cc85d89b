"""Default weights of the judges, which a topic can override."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Final

from gleanery.errors import Invalid

Weight = Decimal | float | str

DEFAULT_WEIGHTS: Final = {
    "keywords": Decimal("2.0"),
    "credibility": Decimal("1.5"),
    "geography": Decimal("1.0"),
    "organisation_type": Decimal("0.8"),
    "history": Decimal("0.5"),
}
HEAVIEST: Final = Decimal(100)


def weights_of(given: Mapping[str, Weight]) -> dict[str, Decimal]:
    """Return the weights of all judges, with those of the topic over the defaults; raise Invalid for bad ones."""
    weights = dict(DEFAULT_WEIGHTS)
    for name, weight in given.items():
        if name not in weights:
            raise Invalid(f"There is no judge {name!r}. The judges are {', '.join(weights)}.")
        weights[name] = _weight(name, weight)
    return weights


def _weight(name: str, given: Weight) -> Decimal:
    try:
        weight = Decimal(str(given))
    except InvalidOperation:
        weight = Decimal("NaN")
    if not (weight.is_finite() and 0 <= weight <= HEAVIEST):
        raise Invalid(f"The weight of {name} must be a number from 0 to {HEAVIEST}, not {given!r}.")
    return weight
