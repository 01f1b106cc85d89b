"""Names of organisations and programmes in titles of both alphabets."""

import pytest

from gleanery.judging.transliteration import official, skeletons
from tests.judging.cases import judged, lexicon


@pytest.mark.parametrize(
    ("title", "site", "organization", "programme"),
    [
        ("Grants - America for Bulgaria Foundation", "us4bg.org", "America for Bulgaria Foundation", "Grants"),
        ("America for Bulgaria Foundation | Grants", "us4bg.org", "America for Bulgaria Foundation", "Grants"),
        ("Clearwater: Small grants for rivers", "clearwater.org", "Clearwater", "Small grants for rivers"),
        ("Small grants – Clearwater", "clear-water.eu", "Clearwater", "Small grants"),
        (
            "Стипендии за ученици | Фондация „Бяла чешма“",
            "byalacheshma.bg",
            "Фондация „Бяла чешма“",
            "Стипендии за ученици",
        ),
        ("Програма „Млади таланти“ - Община Русе", "ruse.bg", "Община Русе", "Млади таланти"),
        ("Фондация Изгрев: конкурс за проекти", "izgrev.org", "Фондация Изгрев", "конкурс за проекти"),
        ("«Грантове за села» — Фонд Родопи", "fond-rodopi.bg", "Фонд Родопи", "Грантове за села"),
        ("Грантове - Фондация „Искра – 1927“, Русе", "iskra1927.org", "Фондация „Искра – 1927“, Русе", "Грантове"),
        ("Начало | Фондация „Съгласие“", "saglasie.org", "Фондация „Съгласие“", ""),
        ("Фондация „Съгласие“", "suglasie.org", "Фондация „Съгласие“", ""),
        ("Щастливо детство | Грантове", "shtastlivodetstvo.bg", "Щастливо детство", "Грантове"),
        ("Grants :: BCNL", "bcnl.org", "BCNL", "Grants"),
        ("Grants | Bulgarian Center for Nonprofit Law", "bcnl.org", "Bulgarian Center for Nonprofit Law", "Grants"),
    ],
)
def test_a_title_gives_organisation_and_programme(title: str, site: str, organization: str, programme: str) -> None:
    judgement = judged(title, "", site)
    assert (judgement.organization, judgement.programme) == (organization, programme)


@pytest.mark.parametrize(
    ("title", "site"),
    [
        ("", "example.org"),
        ("Home", "example.org"),
        (" | – : ", "example.org"),
        ("Grants for schools", "zqxj.org"),
        ("What changed in 2024 - and what did not", "zqxj.org"),
        ("10:30", "example.org"),
        ("Food bank | Facebook", "facebook.com"),
        ("„“", "example.org"),
        ("A" * 500, "example.org"),
    ],
)
def test_an_unclear_title_gives_no_names(title: str, site: str) -> None:
    judgement = judged(title, "", site)
    assert (judgement.organization, judgement.programme) == ("", "")


def test_a_colon_in_a_time_is_not_a_separator() -> None:
    judgement = judged("Концерт 19:30 - Театър „Надлез“", "", "nadlez.bg", topic=lexicon("events", "Sofia"))
    assert judgement.organization == "Театър „Надлез“"
    assert judgement.programme == "Концерт 19:30"


@pytest.mark.parametrize(
    ("cyrillic", "latin"),
    [("Фондация", "fondatsia"), ("Щастие", "shtastie"), ("Жълт", "zhalt"), ("Юлия", "yulia"), ("Ия", "iya")],
)
def test_the_official_transliteration(cyrillic: str, latin: str) -> None:
    assert official(cyrillic) == latin


@pytest.mark.parametrize("spelled", ["fondatsiya", "fondaciya", "fondacia", "fondatsia"])
def test_phonetic_spellings_in_domain_names_match(spelled: str) -> None:
    assert set(skeletons(spelled)) & {each.replace("iia", "ia") for each in skeletons("фондация")}
