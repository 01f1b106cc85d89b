"""The demo's own evaluation recognises right and wrong results."""

from __future__ import annotations

from gleanery.demo.evaluation import Evaluation, Mention, evaluate
from tests.demo.conftest import TODAY

FABRIKA = Mention(
    "http://starata-fabrika.example/program/kestrel", "event", "Джаз в котелното: Трио „Кестрел“", "2026-11-28", "a"
)
STAGES = Mention(
    "http://sofia-stages.example/kestrel", "event", "Sofia Jazz Society presents: Trio Kestrel", "2026-11-28", "b"
)
FIRST = Mention("http://teatar-most.example/spektakli/vishneva-gradina", "event", "Вишнева градина", "2026-12-03", "c")
HOTEL = Mention("http://sofia-stages.example/crafts", "place", "Hotel Lavele", "", "h")
RESTAURANT = Mention("http://www.kadeda.example/vkus/degustatsia", "place", "Ресторант „Лавеле“", "", "r")


def evaluated(*mentions: Mention, flags: tuple[tuple[str, str], ...] = ()) -> Evaluation:
    return evaluate(mentions, flags, TODAY)


def test_two_mentions_in_one_record_are_joined() -> None:
    assert evaluated(FABRIKA, STAGES._replace(record="a")).joined == ["kestrel"]


def test_two_records_with_a_flag_between_them_are_flagged() -> None:
    assert evaluated(FABRIKA, STAGES, flags=(("b", "a"),)).flagged == ["kestrel"]
    assert evaluated(FABRIKA, STAGES, flags=(("a", "b"),)).flagged == ["kestrel"]


def test_three_records_are_flagged_only_if_flags_connect_them_all() -> None:
    third = Mention(
        "http://www.kadeda.example/koncerti/kestrel-trio-sofia",
        "event",
        "Концерт на KESTREL TRIO в Старата фабрика",
        "",
        "k",
    )
    assert evaluated(FABRIKA, STAGES, third, flags=(("a", "b"), ("b", "k"))).flagged == ["kestrel"]
    assert evaluated(FABRIKA, STAGES, third, flags=(("a", "b"),)).missed == ["kestrel"]


def test_two_records_without_a_flag_are_missed_and_reported_as_a_surprise() -> None:
    assert evaluated(FABRIKA, STAGES).missed == ["kestrel"]
    evaluation = evaluated(FABRIKA, STAGES, flags=((FABRIKA.record, STAGES.record),))
    assert "kestrel: missed was expected, but it is flagged." in evaluation.surprises


def test_a_thing_on_one_page_is_neither_joined_nor_missed() -> None:
    evaluation = evaluated(FABRIKA)
    assert not [*evaluation.joined, *evaluation.flagged, *evaluation.missed]
    assert "kestrel: missed was expected, but it is not on two pages." in evaluation.surprises


def test_a_name_twice_on_a_page_is_distinguished_by_the_day() -> None:
    second = FIRST._replace(day="2026-12-10", record="d")
    assert evaluated(FIRST, second).apart == ["cherry-1 / cherry-2"]
    assert evaluated(FIRST, second._replace(record="c")).wrong == ["cherry-1 / cherry-2"]


def test_look_alikes_are_apart_flagged_or_wrongly_joined() -> None:
    assert evaluated(HOTEL, RESTAURANT).apart == ["hotel-lavele / restaurant-lavele"]
    assert evaluated(HOTEL, RESTAURANT, flags=(("h", "r"),)).in_vain == ["hotel-lavele / restaurant-lavele"]
    assert evaluated(HOTEL, RESTAURANT._replace(record="h")).wrong == ["hotel-lavele / restaurant-lavele"]


def test_an_unexpected_flag_between_look_alikes_is_a_surprise() -> None:
    second = FIRST._replace(day="2026-12-10", record="d")
    assert any("should not be flagged" in each for each in evaluated(FIRST, second, flags=(("c", "d"),)).surprises)
    asked = evaluated(HOTEL, RESTAURANT, flags=(("h", "r"),)).surprises
    assert not any("should not be flagged" in each for each in asked)


def test_the_numbers_add_up() -> None:
    counts = evaluated(FABRIKA, STAGES, HOTEL, RESTAURANT, flags=(("a", "b"),)).as_dict()
    assert (counts["right"], counts["wrong"], counts["missed"]) == (2, 0, 0)
    assert counts["details"]["flagged"] == ["kestrel"]


def test_mentions_unknown_to_the_truth_do_not_count() -> None:
    assert evaluated(FABRIKA._replace(name="Something else"), FABRIKA._replace(kind="place")).as_dict()["right"] == 0
