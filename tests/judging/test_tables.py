"""The tables are sane: every ending once, every number in range, every entry findable."""

import tomllib
from collections import Counter
from pathlib import Path

import pytest

import gleanery.judging
from gleanery.judging.lexicon import words_in
from gleanery.judging.tables import COUNTRIES, ENDINGS, GROUPS, KINDS, SECOND_LEVELS, VOICES

FOLDER = Path(gleanery.judging.__file__).parent
SUFFIXES = tomllib.loads((FOLDER / "suffixes.toml").read_text())


def test_every_group_of_endings_has_a_credibility_and_a_reason() -> None:
    for name, group in GROUPS.items():
        assert 0 <= group.credibility <= 100, name
        assert group.reason.rstrip(".") == group.reason != "", name


def test_no_ending_stands_in_two_groups() -> None:
    for key in ("endings", "second_levels"):
        counted = Counter(each for group in SUFFIXES.values() for each in group.get(key, ()))
        assert [each for each, times in counted.items() if times > 1] == []


def test_endings_are_written_as_names_are() -> None:
    for ending in (*ENDINGS, *SECOND_LEVELS):
        assert ending == ending.lower().strip(". ")
        assert ending.isascii()


@pytest.mark.parametrize(
    ("ending", "group"),
    [("gov", "official"), ("edu", "academic"), ("org", "organization"), ("com", "general"), ("tk", "abused")],
)
def test_the_well_known_endings_are_where_one_expects_them(ending: str, group: str) -> None:
    assert ENDINGS[ending].group == group


def test_credibility_falls_from_the_state_to_the_abused() -> None:
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


def test_every_kind_and_voice_says_what_it_is_and_has_words_in_both_languages() -> None:
    for kind in KINDS:
        assert kind.says
        assert {"en", "bg"} <= kind.strong.keys()
    for voice in VOICES:
        assert voice.says
        assert voice.points > 0
        assert {"en", "bg"} <= voice.words.keys()


def test_every_entry_has_a_word_in_it() -> None:
    entries = [
        each for kind in KINDS for table in (kind.strong, kind.weak) for words in table.values() for each in words
    ]
    entries += [each for voice in VOICES for words in voice.words.values() for each in words]
    entries += [each for place in COUNTRIES.values() for each in (*place.names, *place.towns)]
    assert [each for each in entries if not words_in(each)] == []
