"""A set of observations and edits always projects to the same record, by the three rules of precedence."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from gleanery.resolution.records.projection import CurrentObservation, Edited, add, project

START = datetime(2027, 1, 1, tzinfo=UTC)


def seen(number: int, trust: int = 5, /, place: str | None = None, **payload: Any) -> CurrentObservation:
    return CurrentObservation(
        id=f"o{number}",
        source=f"s{number}",
        trust=trust,
        first=START + timedelta(days=number),
        external_id="1",
        payload=payload,
        place=place,
    )


def edit(number: int, field: str, value: Any) -> Edited:
    return Edited(f"e{number}", field, value, START + timedelta(days=number))


def test_what_is_there_stays_at_the_same_or_a_lower_trust() -> None:
    for trust in (5, 4):
        made = project("event", [seen(1, 5, description="first"), seen(2, trust, description="second")])
        assert made.fields["description"] == "first"


def test_gaps_are_filled_at_any_trust() -> None:
    made = project("event", [seen(1, 9, name="A"), seen(2, 1, name="B", description="filled")])
    assert made.fields == {"name": "A", "description": "filled"}
    assert made.provenance["description"] == {"by": "observation", "id": "o2", "source": "s2", "trust": 1}


def test_higher_trust_overwrites() -> None:
    made = project("event", [seen(1, 5, name="A", url="https://a.example"), seen(2, 6, name="B")])
    assert made.fields == {"name": "B", "url": "https://a.example"}


def test_an_edit_goes_before_any_trust_the_newest_wins_and_null_clears() -> None:
    said = [seen(1, 10, name="A", description="long", url="https://a.example")]
    made = project("event", said, [edit(2, "name", "C"), edit(1, "name", "B"), edit(3, "url", None)])
    assert made.fields == {"name": "C", "description": "long"}
    assert made.provenance["url"] == {"by": "edit", "id": "e3"}


def test_a_false_value_is_a_value() -> None:
    made = project("event", [seen(1, is_accessible_for_free=False), seen(2, is_accessible_for_free=True)])
    assert made.fields["is_accessible_for_free"] is False


def test_references_come_from_the_best_that_names_one() -> None:
    assert project("event", [seen(1, 9, name="A"), seen(2, 5, "p2"), seen(3, 6, "p3")]).place == "p3"
    assert project("event", [seen(3, 6, "p3")], [edit(1, "place", "p9")]).place == "p9"
    assert project("event", [seen(3, 6, "p3")], [edit(1, "place", None)]).place is None


def test_a_matinee_and_an_evening_show_are_two_occurrences() -> None:
    made = project(
        "event",
        [seen(1, start="2027-03-12T14:00:00-05:00"), seen(2, start="2027-03-12T20:00:00-05:00")],
    )
    assert [each.day for each in made.occurrences] == [date(2027, 3, 12)] * 2


def test_occurrences_are_united_by_their_instant() -> None:
    made = project(
        "event",
        [
            seen(1, start="2027-03-12T19:00:00+02:00"),
            seen(2, start="2027-03-12T17:00:00Z", end="2027-03-12T19:00:00Z"),
        ],
    )
    assert [(each.start.hour, each.end and each.end.hour) for each in made.occurrences] == [(17, 19)]


def test_a_bare_day_and_an_unknown_clock_double_nothing() -> None:
    times = ["2027-03-12", "2027-03-12T19:00:00", "2027-03-12T19:00:00+02:00"]
    made = project("event", [seen(number, start=start) for number, start in enumerate(times)])
    assert len(made.occurrences) == 1
    assert made.fields["start"] == "2027-03-12"


def test_an_edited_start_is_when_it_takes_place() -> None:
    made = project("event", [seen(1, start="2027-03-12")], [edit(1, "start", "2027-04-01T10:00:00Z")])
    assert [each.day for each in made.occurrences] == [date(2027, 4, 1)]


FIELDS = ("name", "description", "url", "phone", "is_accessible_for_free")
PAYLOADS = st.dictionaries(st.sampled_from(FIELDS), st.sampled_from(["a", "b", "", None, False]))
SEEN = st.lists(st.tuples(PAYLOADS, st.integers(1, 10)), max_size=6).map(
    lambda drawn: [seen(number, trust, **payload) for number, (payload, trust) in enumerate(drawn)]
)
EDITS = st.lists(st.tuples(st.sampled_from(FIELDS), st.sampled_from(["x", "y", None])), max_size=4).map(
    lambda drawn: [edit(number, field, value) for number, (field, value) in enumerate(drawn)]
)


@given(SEEN, EDITS, st.randoms())
def test_the_order_in_which_things_came_makes_no_difference(
    said: list[CurrentObservation], edits: list[Edited], random: Any
) -> None:
    made = project("event", said, edits)
    random.shuffle(said)
    random.shuffle(edits)
    assert project("event", said, edits) == made


@given(SEEN, SEEN, EDITS)
def test_adding_what_came_later_is_projecting_anew(
    before: list[CurrentObservation], later: list[CurrentObservation], edits: list[Edited]
) -> None:
    later = [each._replace(first=each.first + timedelta(days=100), source=f"t{each.source}") for each in later]
    first = project("place", before, edits)
    fields, provenance = add("place", first.fields, first.provenance, later)
    whole = project("place", [*before, *later], edits)
    assert (fields, provenance) == (whole.fields, whole.provenance)
