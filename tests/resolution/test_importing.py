"""Importing files: every row has an outcome, a second run changes nothing, a dry run stores nothing."""

from __future__ import annotations

import io
from contextlib import suppress
from datetime import date

import pytest

from gleanery.accounts.actor import Actor, system
from gleanery.domains import registry
from gleanery.errors import Invalid, NotAllowed
from gleanery.extraction import services as extraction
from gleanery.extraction.models import Observation, Source
from gleanery.resolution.importing.columns import Columns
from gleanery.resolution.importing.import_file import Import, Report, feed_named
from gleanery.resolution.models import Record
from gleanery.roles import Role
from tests.review.shop import somebody

pytestmark = pytest.mark.django_db

TABLE = "name,address,locality,phone\nHall,1 Main Street,Sofia,1\n,,Varna,\nMill,2 High Street,Varna,2\n"


def run(
    text: str, *, dry: bool = False, source: str = "city", trust: int | None = None, actor: Actor | None = None
) -> Report:
    task = Import(
        actor=actor or system(),
        source=source,
        trust=trust,
        form="csv",
        columns=Columns("place"),
        today=date(2027, 3, 1),
    )
    return (task.dry_run if dry else task.run)(io.BytesIO(text.encode()))


def test_every_row_has_its_outcome() -> None:
    report = run(TABLE)
    assert (report.rows, dict(report.outcomes)) == (3, {"created": 2, "refused": 1})
    assert report.refused == [{"line": 3, "reason": "It has no name."}]
    assert set(Record.objects.values_list("name", "status")) == {("Hall", "published"), ("Mill", "published")}
    row = Observation.objects.get(payload__name="Hall")
    assert (row.source.name, row.source.kind, row.evidence["name"], row.extractor) == (
        "city",
        "import",
        "line 2",
        "csv",
    )


def test_a_second_run_changes_nothing_and_a_newer_file_only_what_it_says_otherwise() -> None:
    run(TABLE)
    assert run(TABLE).outcomes == {"unchanged": 2, "refused": 1}
    newer = run(TABLE.replace("Sofia,1", "Sofia,7"))
    assert newer.outcomes == {"updated": 1, "unchanged": 1, "refused": 1}
    assert Record.objects.get(name="Hall").fields["phone"] == "7"
    assert Record.objects.count() == 2


def test_the_same_place_of_another_source_joins_it() -> None:
    run(TABLE)
    assert run(TABLE, source="county").outcomes == {"merged": 2, "refused": 1}
    assert Record.objects.count() == 2


def test_a_dry_run_reports_the_same_and_stores_nothing() -> None:
    dry = run(TABLE + TABLE.partition("\n")[2].replace("Hall", "Hall!"), dry=True)
    assert dry.dry_run
    assert dry.outcomes["created"] + dry.outcomes["merged"] + dry.outcomes["updated"] == 4
    assert not Record.objects.exists()
    assert not Source.objects.exists()
    assert not Observation.objects.exists()


def test_a_value_that_cannot_be_is_refused_with_its_line() -> None:
    report = run("name,lat,lon\nHall,142,23\nMill,42,23\n")
    assert report.outcomes == {"refused": 1, "created": 1}
    assert report.refused[0]["line"] == 2
    assert "latitude" in report.refused[0]["reason"]


def test_more_rows_than_a_batch_are_all_taken_in() -> None:
    heard: list[int] = []
    lines = "".join(f"{number},Place {number},Sofia\n" for number in range(2_500))
    task = Import(actor=system(), source="x", trust=None, form="csv", columns=Columns("place"), today=date(2027, 3, 1))
    report = task.run(io.BytesIO(b"id,name,locality\n" + lines.encode()), heard.append)
    assert report.outcomes == {"created": 2_500}
    assert len(heard) == 3


def test_trust_is_set_by_admins_alone_and_a_site_that_is_crawled_is_no_feed() -> None:
    assert feed_named(somebody(Role.REVIEWER), "new").trust == 5
    with pytest.raises(NotAllowed):
        feed_named(somebody(Role.REVIEWER), "new", 8)
    assert feed_named(somebody(Role.ADMIN), "new", 8).trust == 8
    assert feed_named(somebody(Role.REVIEWER), "new", 8).trust == 8
    with pytest.raises(Invalid, match="from 1 to 10"):
        feed_named(system(), "new", 11)
    with pytest.raises(Invalid, match="has no name"):
        feed_named(system(), " ")
    extraction.source_of(registry.register("iskra.bg"))
    with pytest.raises(Invalid, match="name of a crawled source"):
        feed_named(system(), "iskra.bg")


@pytest.mark.parametrize("text", ["", "name,Name\nHall,Sofia\n", "name,lat\n,1\n"])
def test_a_file_of_which_nothing_can_be_read_leaves_no_source(text: str) -> None:
    with suppress(Invalid):
        assert set(run(text, trust=7).outcomes) == {"refused"}
    assert not Source.objects.exists()


def test_what_is_wrong_with_many_rows_is_counted_once() -> None:
    report = run("name,lat,lon\n" + ",,\n,1,2\n" * 700 + "Hall,142,23\n")
    assert report.as_dict()["reasons"][0] == {"reason": "It has no name.", "rows": 700}
    assert [each["rows"] for each in report.as_dict()["reasons"]] == [700, 1]


def test_the_rows_that_joined_a_record_or_wait_for_a_look_are_named() -> None:
    run(TABLE)
    there = Record.objects.get(name="Hall").pk
    for dry in (True, False):
        report = run(TABLE + "Town Hall,5 Big Street,Varna,\nTown Hall of Varna,,Varna,\n", source="county", dry=dry)
        assert report.joined[0] == {"line": 2, "name": "Hall", "record": str(there)}
        (waits,) = report.waiting
        assert (waits["line"], waits["name"]) == (6, "Town Hall of Varna")
        found = Record.objects.filter(name="Town Hall of Varna").first()
        assert waits["record"] == (str(found.pk) if found else None)
