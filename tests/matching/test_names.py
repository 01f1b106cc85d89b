"""Names are compared by what they say: in other words and languages, as titles, shortened, or with their town."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tools.matching_start import AXIOMS

from gleanery.resolution.matches import likeness
from gleanery.resolution.matches.comparing import compare
from gleanery.resolution.matches.corpus import CROWD, corpus
from gleanery.resolution.matches.lexicon import Lexicon, town
from gleanery.resolution.matches.names import name
from gleanery.resolution.matches.scoring import REVIEW, probability
from gleanery.resolution.matches.tongues import are_foreign, tongue
from gleanery.resolution.matches.traits import Traits, traits
from gleanery.resolution.matches.weights import weights
from tests.matching.judged import levels


def named(one: str, other: str, kind: str = "event", **both: str) -> str:
    return levels(kind, {"name": one, **both}, {"name": other, **both})["name"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Вечер на българската камерна музика", "An Evening of Bulgarian Chamber Music"),
        ("Фондация „Граждани за планината“", "Citizens for the Mountain Foundation"),
        ("Banque alimentaire", "Хранителна банка"),
    ],
)
def test_a_name_says_the_same_in_another_language(one: str, other: str) -> None:
    assert named(one, other, "organization") == "meaning"


def test_names_of_known_words_that_have_nothing_in_common_are_no_translation_of_each_other() -> None:
    assert named("Лебедово езеро", "Life drawing") == "other"
    assert named("Крос „Тичам за Дари“", "Kellerkind") == "foreign"  # nobody can tell


@pytest.mark.parametrize(
    ("one", "other", "level"),
    [
        ("Hochradova pivnica", "The Cellar under the Bridge", "foreign"),  # no accent, no small word: by its words
        ("Slezské divadlo Opava", "Silesian Theatre", "translated"),  # a theatre in both
        ("Pod kaštany", "Beim Brunnenwirt", "other"),  # between these two hardly anything is translated
    ],
)
def test_names_in_two_languages_that_are_not_alike_may_still_be_one(one: str, other: str, level: str) -> None:
    assert named(one, other, "place") == level


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Městská knihovna", "cs"),
        ("Mestska knihovna", "cs"),
        ("Stadtbibliothek Nord", "de"),
        ("Grants for small museums", "en"),
        ("Читалище „Зора“", "cyrillic"),
        ("Chitalishte Zora", "cyrillic"),  # the same, in other letters
        ("Zora", "latin"),
        ("", "latin"),
    ],
)
def test_the_language_of_a_name_is_told_by_its_letters_and_words(text: str, found: str) -> None:
    assert tongue(text) == found


def test_what_may_be_in_one_language_is_not_foreign() -> None:
    assert tongue("Casa da Cultura") == "it pt ro"
    assert not are_foreign("it pt ro", "pt")
    assert are_foreign("it pt ro", "en")
    assert not are_foreign("latin", "en")
    assert are_foreign("latin", "cyrillic")
    assert not are_foreign("", "en")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("„Чиста вода за училището“ – фондация търси двадесет", "Покана към директорите: „Чиста вода за училището“"),
        ("Förderprogramm „Nachbarschaft gestalten“", "Nachbarschaft gestalten: eine Stiftung fördert Höfe und Gärten"),
    ],
)
def test_a_title_in_quotation_marks_is_found_in_a_headline(one: str, other: str) -> None:
    assert named(one, other, "funding") == "title"


def test_the_patron_of_a_house_is_no_title() -> None:
    assert named("СУ „Васил Левски“", "Стадион „Васил Левски“", "place") != "title"


def test_a_town_that_both_names_have_counts_for_nothing() -> None:
    assert named("Bendigo Town Hall", "Bendigo Library", "place") == "alike"
    assert named("Bendigo Town Hall", "Bendigo Library", "place", locality="Bendigo") == "other"


def test_one_word_may_be_written_as_two() -> None:
    assert named("Loopline Brewery", "Loop Line Brewery", "place") == "same"


@pytest.mark.parametrize(
    ("text", "words"),
    [("familienkonzert", ["familien", "konzert"]), ("tennkirche", ["tenn", "kirche"]), ("manchester", ["manchester"])],
)
def test_a_compound_is_its_parts(text: str, words: list[str]) -> None:
    assert [word.text for word in name(text).words] == words


def test_initials_are_read_as_cyrillic_spells_them() -> None:
    assert named("Превантивно-информационен център по зависимости", "ПИЦ", "service") == "part"


def test_a_stem_stands_for_words_with_a_few_letters_more_and_the_longest_one_counts() -> None:
    words = Lexicon(["music = music*", "musician = musicia*", "sea = sea", "season = seas*"])
    assert words.of("musical") == {"music"}
    assert words.of("musician") == {"musician"}
    assert words.of("musicologist") == frozenset()
    assert words.of("sea") == {"sea"}
    assert words.of("seas") == {"season"}


@pytest.mark.parametrize(
    ("one", "other"),
    [("Wien", "Vienna"), ("В. Търново", "Велико Търново"), ("Konstanz", "Constance"), ("Borgå", "Porvoo")],
)
def test_a_town_may_have_several_names(one: str, other: str) -> None:
    assert levels("place", {"name": "x", "locality": one}, {"name": "x", "locality": other})["town"] == "same"
    assert town("nowhere") == "nowhere"


def test_a_phone_as_a_towns_paper_gives_it_is_the_end_of_the_whole_one() -> None:
    one = {"name": "Town Council", "phone": "+44 1743 555 900", "country": "GB"}
    assert levels("organization", one, {"name": "Town Council", "phone": "555 900"})["phone"] == "local"
    assert levels("organization", one, {"name": "Town Council", "phone": "555 901"})["phone"] == "other"


def test_a_letter_behind_an_official_number_is_part_of_it() -> None:
    one = {"name": "Park", "official_id": "100NTO-043"}
    assert levels("place", one, {"name": "Park", "official_id": "NTO 100043"})["official_id"] == "same"
    assert levels("place", one, {"name": "Park", "official_id": "100NTO-043A"})["official_id"] == "other"


@pytest.mark.parametrize(
    ("one", "other", "level"),
    [
        ("Голяма сцена", "Общински театър „Балкан“", "vague"),  # a room of some house
        ("Town Square", "Blue Boar", "vague"),  # no name of its own
        ("Hotel Marinela", "Club Terminal 1", "other"),
        ("Hotel Rila", "Restaurant", "other"),
    ],
)
def test_a_venue_without_a_name_of_its_own_is_not_another_venue(one: str, other: str, level: str) -> None:
    event = {"name": "Хъшове", "start": "2027-03-12T19:00"}
    assert levels("event", {**event, "venue_name": one}, {**event, "venue_name": other})["venue"] == level


@pytest.mark.parametrize(("names", "level"), [(CROWD, "same"), (CROWD + 1, "crowd")])
def test_what_a_crowd_has_in_common_says_little(names: int, level: str) -> None:
    house = {"address": "1766 Verde Street", "locality": "Palo Alto", "phone": "+1 408 984 4462", "country": "US"}
    places = [{**house, "name": f"Tenant {number}"} for number in range(names)]
    found = levels("place", places[0], places[1], corpus(traits("place", each) for each in places))
    assert (found["phone"], found["address"]) == (level, level)


def test_of_what_happens_at_a_place_many_share_its_phone() -> None:
    told = [Traits("event", f"evening {number}", phone="+359888123456") for number in range(CROWD + 1)]
    assert compare(told[0], told[1], corpus(told)).levels["phone"] == "same"


@pytest.mark.parametrize(
    ("kind", "levels", "same"), [(kind, *axiom) for kind, axioms in AXIOMS.items() for axiom in axioms]
)
def test_the_weights_keep_plain_cases_right(kind: str, levels: dict[str, str], same: bool) -> None:
    assert (probability(levels, weights(kind)) >= REVIEW) is same


WORDS = (
    "toll house tollhouse mjc maison jeunes culture st saint concert kontsert music muzika night day 5 v 2027 r1 rex"
    " the of and a weihnachtsmarkt weihnachts markt hall zala old new kids youth bank food hrana ab cd abcd abce"
)
SOME_NAME = st.lists(st.sampled_from(WORDS.split()) | st.text("abcde", min_size=1, max_size=4), max_size=4).map(
    " ".join
)


@settings(max_examples=400, deadline=None)
@given(SOME_NAME, SOME_NAME)
def test_names_that_do_not_meet_are_other_names(one: str, other: str) -> None:
    assert likeness.meet(one, other) == likeness.meet(other, one)
    if not likeness.meet(one, other):
        assert likeness.compare(one, other).level in ("", "other")


def test_a_letter_tells_halls_apart_only_at_the_end_of_a_name() -> None:
    assert name("rink a").numbers == {"a"}
    assert traits("event", {"name": "Котаракът с чизми"}).name == "kotarakat c chizmi"  # "with"
    assert name("kotarakat c chizmi").numbers == name("once upon a time").numbers == frozenset()


def test_a_night_of_music_is_an_evening_of_music_and_no_matinee() -> None:
    night = {"name": "Jazz Night with Trio Kestrel"}
    assert "contrast" not in levels("event", night, {"name": "Jazz Evening with Trio Kestrel"})
    assert levels("event", night, {"name": "Jazz Matinee with Trio Kestrel"})["contrast"] == "other"


def test_what_is_no_number_or_no_year_is_not_known() -> None:
    odd = traits("funding", {"name": "x", "amount_max": 2**1024 - 1, "amount_min": -5})
    assert (odd.most, odd.least) == (None, -5.0)
    assert traits("organization", {"name": "x", "founding_date": "²⁰²⁰"}).founded is None
    assert levels("funding", {"name": "x", "amount_max": -5}, {"name": "x", "amount_max": -5})["amount"] == "rare"


@pytest.mark.parametrize(
    ("deadline", "amount", "currency", "level"),
    [
        ("2027-03-31", 5_000, "EUR", "same"),
        ("2028-02-29", 200_000, "EUR", "same"),
        ("2027-06-15", 10_000, "BGN", "same"),
        ("9999-12-31", 1_000_000, "EUR", "same"),
        ("2027-03-17", 3_750, "EUR", "rare"),
        ("2027-02-27", 12_500, "EUR", "rare"),
    ],
)
def test_a_deadline_and_an_amount_that_few_have_tell_more(
    deadline: str, amount: int, currency: str, level: str
) -> None:
    one = {"name": "x", "deadline": deadline, "amount_max": amount, "currency": currency}
    found = levels("funding", one, {**one, "name": "y"})
    assert (found["deadline"], found["amount"]) == (level, level)


def test_an_amount_that_agrees_only_when_it_is_changed_is_rare() -> None:
    lev = {"name": "x", "amount_max": 9_779, "currency": "BGN"}
    assert levels("funding", lev, {"name": "x", "amount_max": 5_000, "currency": "EUR"})["amount"] == "rare"


def test_a_name_that_only_says_what_sort_of_thing_it_is_is_not_another_name() -> None:
    assert named("Dental", "Eureka Community Health public dental service", "service") == "generic"
    assert named("Dental", "Eureka Community Health speech therapy", "service") == "other"


def test_what_is_called_after_the_town_is_known_as_the_town() -> None:
    assert named("Burgaski maraton", "Maraton", locality="Burgas") in ("same", "close")
    assert named("Konstanzer Weihnachtsmarkt", "Weihnachtsmarkt", locality="Konstanz") in ("same", "close")
    assert named("Ruski bazar", "Bazar", locality="Ruse") not in ("same", "close")  # too short to be sure


def test_initials_are_told_also_where_they_are_a_word_and_where_a_word_comes_twice() -> None:
    assert likeness.plainly("rim blagoevgrad", "regionalen istoricheski muzey").level == "initials"
    assert likeness.plainly("omd ruse", "mladezhki park obshtinski mladezhki dom").level == "initials"
