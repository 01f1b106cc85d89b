"""Columns are understood by clear synonyms, and the report lists which."""

from __future__ import annotations

import io
import json
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gleanery.errors import Invalid
from gleanery.interfaces.cli.records.import_columns import column_sentences
from gleanery.kinds import KINDS
from gleanery.resolution.importing.column_synonyms import OF_KIND, SYNONYMS, synonym
from gleanery.resolution.importing.columns import Columns, read_renames, understood
from gleanery.resolution.importing.files import Row, read_rows
from gleanery.resolution.records.values import NAMELESS
from gleanery.resolution.tables.sheet import SheetColumns


def header(kind: str, *cells: str, renames: str = "") -> Columns:
    columns = Columns(kind, read_renames(renames))
    columns.of_header(cells)
    return columns


def meant(kind: str, *cells: str, renames: str = "") -> list[str]:
    columns = header(kind, *cells, renames=renames)
    return [columns.name_of(each) for each in cells]


@pytest.mark.parametrize(
    ("kind", "cells", "ours"),
    [
        ("place", "Name|Street|Town|Post Code|County", "name|address|locality|postal_code|region"),
        ("place", "Venue|Address Line 1|CITY|Zip|Tel.", "name|address|locality|postal_code|phone"),
        ("place", "Place|Latitude|Lng|E-Mail|Web site", "name|lat|lon|email|url"),
        ("organization", "Organisation Name|Charity number|Website", "name|official_id|url"),
        ("organization", "Charity|Place|Telephone|Email address|Site", "name|locality|phone|email|url"),
        ("funding", "Programme|Funder|Closing date|Max amount", "name|funder_name|deadline|amount_max"),
        ("funding", "Scheme|Organisation|Apply by|Min. amount", "name|funder_name|deadline|amount_min"),
        ("opportunity", "Role|Organisation|Due date|Start date", "name|organizer_name|deadline|start"),
        ("service", "Service|Run by|Details|Phone number", "name|provider_name|description|phone"),
        ("event", "Event name|Date|Venue|Organiser", "name|start|venue_name|organizer_name"),
        ("event", "Title|From|To|Location|Hosted by|Link", "name|start|end|venue_name|organizer_name|url"),
        ("event", "Събитие|Дата|Град|Организатор|Описание", "name|start|locality|organizer_name|description"),
        ("place", "Наименование|Адрес|Населено място|Телефон|Имейл|Сайт", "name|address|locality|phone|email|url"),
        ("funding", "Име|Краен срок", "name|deadline"),
        ("event", "Name|Straße|Ort|PLZ|Telefon|Webseite|Veranstalter|Datum",
         "name|address|locality|postal_code|phone|url|organizer_name|start"),
        ("event", "Nom|Adresse|Ville|Code postal|Téléphone|Courriel|Site web|Organisateur|Date",
         "name|address|locality|postal_code|phone|email|url|organizer_name|start"),
    ],
)  # fmt: skip
def test_columns_are_understood_by_their_usual_names(kind: str, cells: str, ours: str) -> None:
    assert meant(kind, *cells.split("|")) == ours.split("|")


@pytest.mark.parametrize(
    ("kind", "cell"), [("place", "Notes"), ("event", "Place"), ("place", "Site"), ("service", "Charity number")]
)
def test_what_may_mean_something_else_means_nothing(kind: str, cell: str) -> None:
    assert meant(kind, "name", cell)[1] not in understood(kind)


def test_our_own_name_wins_wherever_it_stands() -> None:
    for cells in (("Title", "Name"), ("Name", "Title")):
        columns = header("place", *cells)
        assert columns.read({"Title": "Dr", "Name": "Hall"}).fields == {"name": "Hall"}
        assert (columns.unknown, columns.taken) == ({"Title"}, {})


def test_a_column_that_was_named_wins() -> None:
    assert meant("place", "Name", "Town", "Ward", renames="Ward=locality") == ["name", "town", "locality"]
    assert meant("place", "Name", "Town", renames="Town=region") == ["name", "region"]
    with pytest.raises(Invalid, match="Two columns mean name"):
        header("place", "Name", "Label", renames="Label=name")


def test_of_two_other_names_of_one_field_the_first_column_wins() -> None:
    columns = header("place", "Name", "City", "Town")
    assert columns.read({"Name": "Hall", "City": "Leeds", "Town": "Otley"}).fields["locality"] == "Leeds"
    assert (columns.unknown, columns.taken) == ({"Town"}, {"City": "locality"})


def test_a_short_row_is_read_as_the_header_says() -> None:
    columns = header("place", "Title", "Name")
    with pytest.raises(Invalid, match=NAMELESS):
        columns.read({"Title": "Dr"})


def test_who_funds_an_event_runs_it_only_if_nobody_else_does() -> None:
    both = header("event", "Name", "Funder", "Organiser")
    assert both.read({"Name": "X", "Funder": "A", "Organiser": "B"}).fields["organizer_name"] == "B"
    assert (both.unknown, both.taken) == ({"Funder"}, {"Organiser": "organizer_name"})
    assert header("event", "Name", "Funder").read({"Name": "X", "Funder": "A"}).fields["organizer_name"] == "A"


def test_lines_of_json_go_by_the_same_names_each_for_itself() -> None:
    lines = [
        {"id": "7", "Title": "Hall", "Town": "Sofia"},
        {"Name": "Mill", "Title": "Dr", "town": "Varna"},
        {"Title": "Tower", "locality": "Ruse", "Town": "?"},
    ]
    columns = Columns("place")
    body = io.BytesIO("\n".join(map(json.dumps, lines)).encode())
    rows = [each for each in read_rows(body, "jsonl", columns, date(2027, 3, 1)) if isinstance(each, Row)]
    assert [(each.fields["name"], each.fields["locality"]) for each in rows] == [
        ("Hall", "Sofia"),
        ("Mill", "Varna"),
        ("Tower", "Ruse"),
    ]
    assert rows[0].external_id == "7"
    assert columns.taken == {"Title": "name", "Town": "locality", "town": "locality"}
    alone = Columns("place").read(lines[2])
    assert alone.external_id == rows[2].external_id


def test_a_file_with_ids_keeps_them_whatever_is_understood() -> None:
    row = {"id": "7", "source": "city", "name": "Hall", "Town": "Sofia"}
    assert Columns("place").read(row).external_id == "city 7"


def test_a_file_of_rows_of_any_kind_goes_by_what_is_usual_in_all() -> None:
    columns = header("", "kind", "Title", "Town", "Organisation")
    told = columns.read({"kind": "event", "Title": "Show", "Town": "Leeds", "Organisation": "Hearth"})
    assert (told.fields, columns.unknown) == ({"name": "Show", "locality": "Leeds"}, {"Organisation"})


def test_names_are_learned_from_the_header_also_where_they_are_remembered() -> None:
    columns = SheetColumns("place", read_renames("Label=name,Elsewhere=region"))
    assert columns.is_understood("Town")
    assert columns.name_of("Town") == "town"
    columns.of_header(["Label", "Town"])
    assert [columns.name_of(each) for each in ("Label", "Town")] == ["name", "locality"]
    assert (columns.missing, columns.taken) == ({"elsewhere"}, {"Town": "locality"})


@pytest.mark.parametrize("kind", ["", *KINDS])
def test_no_other_name_is_one_of_ours(kind: str) -> None:
    names = [
        each for fields in (SYNONYMS, OF_KIND.get(kind, {})) for line in fields.values() for each in line.split(",")
    ]
    for name in names:
        assert synonym(kind, name) in set(understood("")), name
        columns = Columns(kind)
        assert columns.name_of(name) not in understood(kind), name
    for field in OF_KIND.get(kind, {}):
        assert field in KINDS[kind].fields


@given(st.sampled_from(list(KINDS)), st.data())
def test_no_two_columns_are_ever_taken_as_one_field(kind: str, data: Any) -> None:
    words = [each.strip() for line in (*SYNONYMS.values(), *OF_KIND[kind].values()) for each in line.split(",")]
    cells = data.draw(st.lists(st.sampled_from([*words, *understood(kind)]), unique_by=lambda each: each, max_size=12))
    ours = meant(kind, *cells)
    assert len(ours) == len(set(ours))
    assert all(name == cell for name, cell in zip(ours, cells, strict=True) if cell in understood(kind))


def facts(unknown: list[str], taken: dict[str, str] | None = None, *, nameless: bool = False) -> dict[str, Any]:
    refusals = [{"line": 2, "reason": NAMELESS}] if nameless else []
    return {"rows": 1, "unknown_columns": unknown, "refusals": refusals} | ({"taken_columns": taken} if taken else {})


def test_the_report_tells_which_columns_were_taken_as_what() -> None:
    told = column_sentences(facts(["Colour"], {"Street": "address", "Town": "locality"}), "place", refused=0)
    assert told[0] == "Columns read as: Street = address, Town = locality."
    assert told[1].startswith("Unknown columns: Colour.")
    assert column_sentences(facts([]), "place", refused=0) == []


def test_a_column_is_proposed_as_name_only_if_it_is_likely_one() -> None:
    told = column_sentences(facts(["City area", "Project title"], nameless=True), "funding", refused=1)
    assert told[-1] == 'No row has a name. If Project title is the name, add:  --map "Project title=name"'
    assert "=name" not in " ".join(column_sentences(facts(["City area", "Project title"]), "funding", refused=0))


def test_without_a_likely_name_the_report_says_what_is_understood_and_how_to_say_it() -> None:
    *_, known, how = column_sentences(facts(["Beds", "Colour"], nameless=True), "place", refused=1)
    assert "Known columns" in known
    assert "postal_code" in known
    assert how == 'If one of Beds, Colour is the name, add:  --map "COLUMN=name"'


@pytest.mark.parametrize(
    ("kind", "cells", "name"),
    [
        ("organization", "Title|First name|Organisation|Phone", "Organisation"),
        ("organization", "Nom|Prénom|Association|Ville", "Association"),
        ("opportunity", "Title|Role|Organisation", "Role"),
        ("funding", "Funder|Grant|Programme name", "Programme name"),
        ("place", "Place|Site name|Town", "Site name"),
        ("event", "Summary|Start|End|Location", "Summary"),
    ],
)
def test_of_several_columns_that_may_be_the_name_the_plainest_is_it(kind: str, cells: str, name: str) -> None:
    assert [
        each for each in cells.split("|") if meant(kind, *cells.split("|"))[cells.split("|").index(each)] == "name"
    ] == [name]


def test_a_cell_of_a_column_that_only_seems_to_be_a_field_costs_no_row() -> None:
    columns = header("funding", "id", "name", "Website", "Closing date")
    told = columns.read({"id": "1", "name": "Youth fund", "Website": "none", "Closing date": "rolling"})
    assert told.fields == {"name": "Youth fund"}
    assert columns.taken == {"Website": "url", "Closing date": "deadline"}
    assert columns.unknown == set()
