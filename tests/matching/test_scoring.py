"""What holds for any two, whatever they say: symmetric, never an error, missing counts nothing."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from gleanery.resolution.kinds import KINDS
from gleanery.resolution.matches.blocks import fingerprints
from gleanery.resolution.matches.corpus import UNKNOWN, corpus
from gleanery.resolution.matches.keys import keys, wanted
from gleanery.resolution.matches.pruning import Bound
from gleanery.resolution.matches.scoring import LISTED, score, score_from
from gleanery.resolution.matches.traits import Traits, traits
from gleanery.resolution.matches.weights import weights

TEXT = "rex the jazz bar 5 15 r5 东京 център Tsentar new old St. Saint hotel night Фондация school II"
WORDS = TEXT.split()
NAMES = st.one_of(st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join), st.text(max_size=30))
ANYTHING = st.one_of(
    st.none(), st.text(max_size=20), st.integers(), st.floats(), st.lists(st.text(max_size=5), max_size=2)
)
LIKELY: dict[str, st.SearchStrategy[Any]] = {
    "name": NAMES,
    "legal_name": NAMES,
    "venue_name": NAMES,
    "organizer_name": NAMES,
    "funder_name": NAMES,
    "provider_name": NAMES,
    "address": st.sampled_from(["5 Main St", "ul. Shipka 7", "Main Street, 5", "12-14 High Rd Apt 3", "-", "5"]),
    "locality": st.sampled_from(["Sofia", "София", "New York", ""]),
    "postal_code": st.sampled_from(["1000", "60302-1234", "SW1A 1AA"]),
    "country": st.sampled_from(["BG", "US", "Bulgaria", "??"]),
    "lat": st.one_of(st.floats(-90, 90), st.just("42.7")),
    "lon": st.floats(-180, 180),
    "phone": st.sampled_from(["+359 2 806 3800", "028063800", "5551234", "x"]),
    "email": st.sampled_from(["a@rex.bg", "b@rex.bg", "a@gmail.com", "@"]),
    "url": st.sampled_from(["https://rex.bg", "https://rex.bg/a", "https://facebook.com/rex", "http://[", "no"]),
    "official_id": st.sampled_from(["BG 123", "bg123", "7"]),
    "start": st.sampled_from(["2027-03-12", "2027-03-12T23:30", "2027-03-13T00:15:00+02:00", "9999-12-31", "soon"]),
    "end": st.sampled_from(["2027-03-14", "2027-03-11", "0001-01-01T00:00+14:00"]),
    "deadline": st.sampled_from(["2027-03-12", "2028-03-12", "never"]),
    "year": st.sampled_from([2027, "2028", "x", 1e300]),
    "amount_max": st.sampled_from([0, 1000, "1955.83", -5]),
    "currency": st.sampled_from(["EUR", "BGN", "bgn"]),
    "region": st.sampled_from(["Yorkshire", "Kent"]),
    "founding_date": st.sampled_from(["1982", "1982-05-14", "1990"]),
    "opening_hours": st.sampled_from(["Mon–Fri 9–12", "вт. 10–12 ч.", "24/7"]),
    "eligibility": st.sampled_from(["women", "children", "x"]),
    "description": st.one_of(NAMES, st.sampled_from(["Jazz and soup at the Rex", "Silent films, live piano and soup"])),
}
FIELDS = st.fixed_dictionaries({}, optional={name: st.one_of(likely, ANYTHING) for name, likely in LIKELY.items()})
PLAIN = st.fixed_dictionaries({"name": NAMES}, optional={name: each for name, each in LIKELY.items() if name != "name"})
KIND = st.sampled_from(sorted(KINDS))
PHASES = (Phase.explicit, Phase.reuse, Phase.generate)  # to shrink takes minutes, and tells little more
NAMED = ["rex jazz bar", *(f"house {number} of saint" for number in range(400)), *["rex"] * 20]
AMONG = corpus(Traits("place", name, phone="+359888123456", street="rakovski", house="5") for name in NAMED)


@settings(max_examples=150, deadline=None, phases=PHASES)
@given(KIND, FIELDS, FIELDS)
@example("event", {"name": "x", "start": "9999-12-31"}, {"name": "x", "start": "0001-01-01"})
@example("place", {"name": "x", "lat": 42.0}, {"name": "x", "lat": float("nan"), "lon": 1.0})
@example("funding", {"name": "x", "year": float("inf")}, {"name": "x", "year": 1e300})
def test_no_fields_raise_an_error(kind: str, one: dict[str, Any], other: dict[str, Any]) -> None:
    here, there = traits(kind, one), traits(kind, other)
    match = score(here, there, AMONG)
    assert 0 <= match.probability <= 1
    assert len(fingerprints(here)) == 8 * len(keys(here))
    assert keys(here) <= wanted(here)


@settings(max_examples=400, deadline=None, phases=PHASES)
@given(KIND, PLAIN, PLAIN, st.booleans(), st.none() | st.randoms(use_true_random=False))
def test_what_is_passed_over_would_never_have_been_listed(
    kind: str, one: dict[str, Any], other: dict[str, Any], known: bool, other_weights: Random | None
) -> None:
    here, there, among = traits(kind, one), traits(kind, other), AMONG if known else UNKNOWN
    by = weights(kind)
    if other_weights:
        by = by._replace(points={each: points + other_weights.uniform(-1, 2) for each, points in by.points.items()})
    bound, match = Bound(by, LISTED), score(here, there, among, by)
    for told in (bound.told(here), bound.told(here) & bound.told(there)):
        beside = bound.levels(here, there, told)
        if beside is None:
            assert match.probability < LISTED
        else:
            assert score_from(0.0, here, there, among, by, beside=beside) == match, "what it is told by is compared"


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_weights_of_an_operators_own_need_not_have_every_field(kind: str) -> None:
    few = {("name", "same"): 4.0, ("name", "other"): -5.0, ("name", "foreign"): -5.0, ("name", "unplaced"): -5.0}
    bound = Bound(weights(kind)._replace(points=few), LISTED)
    here, there = Traits(kind, "rex"), Traits(kind, "luna")
    assert bound.levels(here, here, bound.told(here)) == {}
    assert bound.levels(here, there, bound.told(here)) is None
