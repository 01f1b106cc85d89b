"""Queries of a topic."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanery.discovery import presets
from gleanery.discovery.queries import expand, slots_of
from gleanery.errors import Invalid, NotFound


def test_every_combination_comes_in_the_order_of_the_lists() -> None:
    found = expand(["{theme} {place}", "{theme}"], ["Sofia", "Varna"], ["grants", "awards"], 10)
    assert found == ("grants Sofia", "awards Sofia", "grants Varna", "awards Varna", "grants", "awards")


def test_no_query_comes_twice() -> None:
    assert expand(["{theme}", "{theme} "], [], ["grants", "grants"], 10) == ("grants",)


def test_the_cap_cuts_the_end() -> None:
    assert expand(["{theme}"], [], list("abcdef"), 3) == ("a", "b", "c")


def test_a_template_whose_slot_has_no_words_gives_nothing() -> None:
    assert expand(["{theme} {place}"], [], ["grants"], 10) == ()


@pytest.mark.parametrize("template", ["{name}", "{place.__class__}", "{place!r}", "{place:>99999999}", "{0}", "{", "}"])
def test_a_template_that_asks_for_anything_else_is_refused(template: str) -> None:
    with pytest.raises(Invalid):
        slots_of(template)


@given(st.lists(st.text()), st.lists(st.text()), st.integers(0, 50))
def test_expanding_is_bounded_unique_and_the_same_every_time(places: list[str], themes: list[str], most: int) -> None:
    found = expand(["{theme} {place}", "x {theme}"], places, themes, most)
    assert len(found) == len(set(found)) <= most
    assert all(0 < len(query) <= 500 for query in found)
    assert found == expand(["{theme} {place}", "x {theme}"], places, themes, most)


@pytest.mark.parametrize("preset", presets.NAMES)
@pytest.mark.parametrize("place", ["Bulgaria", "Пловдив", "Erewhon", ""])
def test_every_preset_makes_a_topic_with_queries_for_any_place(preset: str, place: str) -> None:
    fields = presets.topic_fields(preset, place)
    queries = expand(fields["query_templates"], fields["places"], fields["themes"], 40)
    assert len(queries) >= 9
    assert all(place in query for query in queries)
    assert all(words == [word.casefold() for word in words] for words in fields["keywords"].values())


def test_a_known_place_brings_its_other_spelling_and_its_country() -> None:
    for place in ("bulgaria", "България"):
        fields = presets.topic_fields("funding", place)
        assert {"Bulgaria", "България"} <= set(fields["geography"])
        assert (fields["country"], fields["name"]) == ("bg", "funding-bulgaria")


def test_an_unknown_preset_says_which_there_are() -> None:
    with pytest.raises(NotFound, match="funding, events, services"):
        presets.topic_fields("weather", "Sofia")
