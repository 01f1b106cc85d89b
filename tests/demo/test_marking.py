"""The demo's own check tells right from wrong: it is tried with outcomes that nobody would want."""

from __future__ import annotations

from gleanery.demo.marking import Marks, Telling, mark
from tests.demo.conftest import TODAY

FABRIKA = Telling(
    "http://starata-fabrika.example/program/kestrel", "event", "Джаз в котелното: Трио „Кестрел“", "2026-11-28", "a"
)
STAGES = Telling(
    "http://sofia-stages.example/kestrel", "event", "Sofia Jazz Society presents: Trio Kestrel", "2026-11-28", "b"
)
FIRST = Telling("http://teatar-most.example/spektakli/vishneva-gradina", "event", "Вишнева градина", "2026-12-03", "c")
HOTEL = Telling("http://sofia-stages.example/crafts", "place", "Hotel Lavele", "", "h")
RESTAURANT = Telling("http://www.kadeda.example/vkus/degustatsia", "place", "Ресторант „Лавеле“", "", "r")


def marked(*tellings: Telling, flags: tuple[tuple[str, str], ...] = ()) -> Marks:
    return mark(tellings, flags, TODAY)


def test_two_pages_in_one_record_are_joined() -> None:
    assert marked(FABRIKA, STAGES._replace(record="a")).joined == ["kestrel"]


def test_two_records_with_a_flag_between_them_are_flagged_whichever_has_it() -> None:
    assert marked(FABRIKA, STAGES, flags=(("b", "a"),)).flagged == ["kestrel"]
    assert marked(FABRIKA, STAGES, flags=(("a", "b"),)).flagged == ["kestrel"]


def test_three_records_are_flagged_only_if_flags_hold_all_of_them_together() -> None:
    third = Telling(
        "http://www.kadeda.example/koncerti/kestrel-trio-sofia",
        "event",
        "Концерт на KESTREL TRIO в Старата фабрика",
        "",
        "k",
    )
    assert marked(FABRIKA, STAGES, third, flags=(("a", "b"), ("b", "k"))).flagged == ["kestrel"]
    assert marked(FABRIKA, STAGES, third, flags=(("a", "b"),)).missed == ["kestrel"]


def test_two_records_without_a_flag_are_missed_and_what_was_not_expected_is_a_surprise() -> None:
    assert marked(FABRIKA, STAGES).missed == ["kestrel"]
    marks = marked(FABRIKA, STAGES, flags=((FABRIKA.record, STAGES.record),))
    assert "kestrel: missed was expected, but it is flagged." in marks.surprises


def test_what_one_page_tells_of_is_neither_joined_nor_missed() -> None:
    marks = marked(FABRIKA)
    assert not [*marks.joined, *marks.flagged, *marks.missed]
    assert "kestrel: missed was expected, but it is not told twice." in marks.surprises


def test_one_name_twice_on_a_page_is_told_apart_by_the_day() -> None:
    second = FIRST._replace(day="2026-12-10", record="d")
    assert marked(FIRST, second).apart == ["cherry-1 / cherry-2"]
    assert marked(FIRST, second._replace(record="c")).wrong == ["cherry-1 / cherry-2"]


def test_look_alikes_stay_apart_or_somebody_is_asked_or_it_is_wrong() -> None:
    assert marked(HOTEL, RESTAURANT).apart == ["hotel-lavele / restaurant-lavele"]
    assert marked(HOTEL, RESTAURANT, flags=(("h", "r"),)).in_vain == ["hotel-lavele / restaurant-lavele"]
    assert marked(HOTEL, RESTAURANT._replace(record="h")).wrong == ["hotel-lavele / restaurant-lavele"]


def test_a_flag_between_look_alikes_is_a_surprise_where_the_truth_does_not_expect_it() -> None:
    second = FIRST._replace(day="2026-12-10", record="d")
    assert any("nobody should be asked" in each for each in marked(FIRST, second, flags=(("c", "d"),)).surprises)
    asked = marked(HOTEL, RESTAURANT, flags=(("h", "r"),)).surprises
    assert not any("nobody should be asked" in each for each in asked)


def test_the_numbers_add_up() -> None:
    told = marked(FABRIKA, STAGES, HOTEL, RESTAURANT, flags=(("a", "b"),)).as_dict()
    assert (told["right"], told["wrong"], told["missed"]) == (2, 0, 0)
    assert told["details"]["flagged"] == ["kestrel"]


def test_what_the_truth_does_not_know_counts_for_nothing() -> None:
    assert marked(FABRIKA._replace(name="Something else"), FABRIKA._replace(kind="place")).as_dict()["right"] == 0
