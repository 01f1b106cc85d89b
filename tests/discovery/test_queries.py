"""Queries of a topic."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanery.discovery import presets
from gleanery.discovery.queries import expand, slots_of
from gleanery.errors import Invalid, NotFound


def test_combinations_are_in_the_order_of_the_lists() -> None:
    found = expand(["{theme} {place}", "{theme}"], ["Sofia", "Varna"], ["grants", "awards"], 10)
    assert found == ("grants Sofia", "awards Sofia", "grants Varna", "awards Varna", "grants", "awards")


def test_queries_are_unique() -> None:
    assert expand(["{theme}", "{theme} "], [], ["grants", "grants"], 10) == ("grants",)


def test_queries_beyond_the_limit_are_dropped() -> None:
    assert expand(["{theme}"], [], list("abcdef"), 3) == ("a", "b", "c")


def test_a_template_with_a_slot_without_words_gives_no_query() -> None:
    assert expand(["{theme} {place}"], [], ["grants"], 10) == ()


@pytest.mark.parametrize("template", ["{name}", "{place.__class__}", "{place!r}", "{place:>99999999}", "{0}", "{", "}"])
def test_a_template_with_another_slot_is_refused(template: str) -> None:
    with pytest.raises(Invalid):
        slots_of(template)


@given(st.lists(st.text()), st.lists(st.text()), st.integers(0, 50))
def test_expansion_is_bounded_unique_and_deterministic(places: list[str], themes: list[str], most: int) -> None:
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


def test_a_known_place_has_its_other_spelling_and_country() -> None:
    for place in ("bulgaria", "България"):
        fields = presets.topic_fields("funding", place)
        assert {"Bulgaria", "България"} <= set(fields["geography"])
        assert (fields["country"], fields["name"]) == ("bg", "funding-bulgaria")


@pytest.mark.parametrize("preset", presets.NAMES)
def test_a_topic_has_queries_only_in_the_languages_of_its_place(preset: str) -> None:
    def asked(place: str, *languages: str) -> list[str]:
        fields = presets.topic_fields(preset, place, languages=languages)
        return list(expand(fields["query_templates"], [place], fields["themes"], 100))

    bulgarian = re.compile("[а-я]")
    assert not [query for query in asked("Devon") if bulgarian.search(query)]
    both = asked("Sofia")
    assert set(asked("Sofia", "en")) < set(both)
    assert [query for query in both if bulgarian.search(query)] == asked_once(asked("Sofia", "bg"), both)
    mixed = [query for query in both if bulgarian.search(query) and re.search("[a-z]", query.replace("Sofia", ""))]
    assert not mixed, "a template of one language never carries a theme of another"
    assert any(bulgarian.search(query) for query in both[:12]), "a short run asks in each language"
    assert any(bulgarian.search(query.replace("Ловеч", "")) for query in asked("Ловеч"))


def asked_once(queries: list[str], order: list[str]) -> list[str]:
    return sorted(set(queries), key=order.index)


def test_a_language_without_queries_in_the_preset_is_refused() -> None:
    with pytest.raises(Invalid, match="has no queries in 'fr', only in en, bg"):
        presets.topic_fields("funding", "Lyon", languages=["en", "fr"])


def test_the_error_for_an_unknown_preset_lists_the_presets() -> None:
    with pytest.raises(NotFound, match="funding, events, services"):
        presets.topic_fields("weather", "Sofia")
