"""Tables are consistent: every ending once, every number in range, every entry findable."""

import tomllib
from collections import Counter
from pathlib import Path

import pytest

import gleanery.judging
from gleanery.judging.lexicon import words_in
from gleanery.judging.tables import COUNTRIES, ENDINGS, FIRST_HAND_SIGNS, GROUPS, KINDS, SECOND_LEVELS

FOLDER = Path(gleanery.judging.__file__).parent
SUFFIXES = tomllib.loads((FOLDER / "suffixes.toml").read_text())


def test_every_group_of_endings_has_a_credibility_and_a_reason() -> None:
    for name, group in GROUPS.items():
        assert 0 <= group.credibility <= 100, name
        assert group.reason.rstrip(".") == group.reason != "", name


def test_no_ending_is_in_two_groups() -> None:
    for key in ("endings", "second_levels"):
        counted = Counter(each for group in SUFFIXES.values() for each in group.get(key, ()))
        assert [each for each, times in counted.items() if times > 1] == []


def test_endings_are_written_in_lower_case_ascii() -> None:
    for ending in (*ENDINGS, *SECOND_LEVELS):
        assert ending == ending.lower().strip(". ")
        assert ending.isascii()


@pytest.mark.parametrize(
    ("ending", "group"),
    [("gov", "official"), ("edu", "academic"), ("org", "organization"), ("com", "general"), ("tk", "abused")],
)
def test_well_known_endings_are_in_the_expected_groups(ending: str, group: str) -> None:
    assert ENDINGS[ending].group == group


def test_credibility_falls_from_official_to_abused_endings() -> None:
    order = [
        "official",
        "academic",
        "charitable",
        "organization",
        "civic",
        "national",
        "near",
        "general",
        "cheap",
        "abused",
    ]
    found = [GROUPS[each].credibility for each in order]
    assert found == sorted(found, reverse=True)


def test_every_kind_and_sign_has_a_description_and_words_in_both_languages() -> None:
    for kind in KINDS:
        assert kind.says
        assert {"en", "bg"} <= kind.strong.keys()
    for sign in FIRST_HAND_SIGNS:
        assert sign.says
        assert sign.points > 0
        assert {"en", "bg"} <= sign.words.keys()


def test_every_entry_contains_a_word() -> None:
    entries = [
        each for kind in KINDS for table in (kind.strong, kind.weak) for words in table.values() for each in words
    ]
    entries += [each for sign in FIRST_HAND_SIGNS for words in sign.words.values() for each in words]
    entries += [each for place in COUNTRIES.values() for each in (*place.names, *place.towns)]
    assert [each for each in entries if not words_in(each)] == []
