"""Patterns that many sites share, each on a small page."""

from __future__ import annotations

from datetime import date
from typing import Any

from gleanery.extraction.draft import PageSource
from gleanery.extraction.extractors import extract


def fields_of_page(html: str, *, country: str = "BG", path: str = "/page") -> dict[str, Any]:
    """Return the fields and kind of the only thing on the page."""
    source = PageSource(
        html=html, url=f"https://x.example{path}", media_type="text/html", fetched=date(2026, 11, 15), country=country
    )
    (draft,) = extract(source).drafts
    return {"kind": draft.kind, **draft.fields}


def test_an_organisation_above_the_heading_is_not_what_the_page_offers() -> None:
    found = fields_of_page(
        "<h1>Сдружение „Зелен Балкан“</h1><h2>Конкурс за малки екологични проекти 2027</h2>"
        "<p>Набираме проектни предложения от училища. Бюджетът на един проект е до 2 500 евро.</p>"
        "<p>Общият бюджет на конкурса е 40 000 евро.</p>"
        "<p>Предложенията се изпращат до 31 януари 2027 г. включително.</p>"
    )
    assert (found["name"], found["amount_max"]) == ("Конкурс за малки екологични проекти 2027", 2500)
    assert (found["deadline"], found["funder_name"]) == ("2027-01-31", "Сдружение „Зелен Балкан“")


def test_a_comma_separates_hours_and_minutes_before_the_word_for_hours() -> None:
    found = fields_of_page(
        "<h1>Коледен концерт на детския хор</h1><p>На 19 декември (събота) от 17,30 часа в салона на читалището.</p>"
        "<p>Входът е свободен!</p>"
    )
    assert found["start"] == "2026-12-19T17:30:00+02:00"


def test_noon_may_follow_its_number_directly() -> None:
    found = fields_of_page(
        "<h1>Warm Space Wednesdays</h1><ul><li><b>When:</b> every Wednesday, 12noon-3pm</li>"
        "<li><b>Where:</b> Church Hall, 14 Pemberton Road, Leeds LS4 2AB</li><li><b>Cost:</b> free</li></ul>",
        country="GB",
    )
    assert (found["kind"], found["opening_hours"]) == ("service", "every Wednesday, 12noon-3pm")
    assert (found["venue_name"], found["address"]) == ("Church Hall", "14 Pemberton Road")


def test_the_deadline_of_a_job_is_found_in_a_sentence() -> None:
    found = fields_of_page(
        "<title>Обява за социален работник</title><h1>Търсим социален работник</h1>"
        "<p>Трудов договор от 15 март 2027 г.</p>"
        "<p>Автобиографии изпращайте до 10.12.2026 г. на jobs@novhorizont.example.</p>"
    )
    assert (found["kind"], found["deadline"]) == ("opportunity", "2026-12-10")


def test_a_town_after_a_french_street_is_no_part_of_it() -> None:
    found = fields_of_page(
        "<h1>Vide-grenier de l'école</h1><p>Dimanche 13 décembre 2026 de 8h à 17h, place du Marché à Montrevel.</p>"
        "<p>Entrée gratuite.</p>",
        country="FR",
    )
    assert (found["address"], found["locality"]) == ("place du Marché", "Montrevel")
    assert "venue_name" not in found
