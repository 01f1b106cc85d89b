"""Explanation of a match: the same sentences in command, API and console."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from gleanery.accounts.actor import system
from gleanery.errors import Invalid
from gleanery.resolution import services
from gleanery.resolution.models import Record
from gleanery.resolution.presenting.why import why
from gleanery.review.models import Item
from gleanery.roles import Role, Scope
from tests.interfaces.conftest import Run, run, told
from tests.resolution.shop import record_of, tell

__all__ = ["run"]

Bearer = Callable[..., dict[str, str]]
LoggedIn = Callable[[Role], Client]
ONE = {"name": "The Rex Jazz Bar", "address": "194 Queen St W", "locality": "Toronto", "phone": "+1 416 598 2475"}
OTHER = {"name": "Rex Hotel Jazz & Blues Bar", "address": "196 Queen Street West", "locality": "Toronto"}


def two(**other: Any) -> tuple[Record, Record]:
    return record_of(tell("a", "place", "1", **ONE)), record_of(tell("b", "place", "2", **{**OTHER, **other}))


def test_each_field_has_a_sentence_and_the_points_add_up(db: None) -> None:
    found = why(*two()).explained
    said = {step.field: step.sentence for step in found.steps}
    assert said["address"] == "The house numbers differ: 194 and 196."
    assert said["name"] == "One name contains the other and adds “hotel”, “blues”."
    assert "phone" not in said
    assert sum(step.points for step in found.steps) == pytest.approx(found.total)
    assert found.steps[-1].total == pytest.approx(found.total)
    assert found.vetoes == ["Address prevents an automatic merge: only a person can decide that they are the same."]


def test_a_clear_case_needs_at_most_six_lines(db: None) -> None:
    twin = {**ONE, "phone": "+1 416-598-2475", "url": "https://rex.example", "postal_code": "M5V 2Z2", "lat": 43.65}
    one = record_of(tell("a", "place", "1", **twin, lon=-79.38))
    other = record_of(tell("b", "place", "2", **{**twin, "name": "The Rex, a Jazz and Blues Bar"}, lon=-79.38))
    explained = why(one, other).explained
    assert len(explained.steps) <= 6
    assert not explained.vetoes


def test_the_explanation_does_not_depend_on_the_order_of_the_two(db: None) -> None:
    one, other = two()
    here, there = why(one, other).explained, why(other, one).explained
    assert (here.probability, here.total, here.band) == (there.probability, there.total, there.band)


def test_an_earlier_verdict_is_shown(db: None) -> None:
    one, other = two()
    assert why(one, other).judged is None
    services.give_verdict(system(), other, one, "different")
    judged = why(one, other).judged
    assert judged is not None
    assert judged.sentence.startswith("system marked them as different on ")


def test_merged_records_are_explained_as_they_were_before(db: None) -> None:
    one, other = two(address="")
    before = why(one, other).explained
    services.merge(system(), one, other)
    one.refresh_from_db()
    other.refresh_from_db()
    assert other.fields["phone"]
    after = why(one, other)
    assert after.as_merged
    assert after.explained.steps == before.steps
    assert after.judged is not None
    assert after.judged.verdict == "same"


def test_only_different_records_of_the_same_kind_can_be_compared(db: None) -> None:
    one, _ = two()
    with pytest.raises(Invalid, match="the same record"):
        why(one, one)
    group = record_of(tell("a", "organization", "3", name="Rex", locality="Toronto"))
    with pytest.raises(Invalid, match="kind place"):
        why(one, group)


def test_the_api_explains_to_keys_that_may_read(db: None, client: Client, bearer: Bearer) -> None:
    one, other = two()
    address = f"/api/v1/admin/records/{one.pk}/why/{other.pk}"
    assert client.get(address).status_code == 401
    answer = client.get(address, headers=bearer(Scope.READ))
    assert answer.status_code == 200
    body = answer.json()
    assert [each["id"] for each in body["records"]] == [str(one.pk), str(other.pk)]
    assert body["steps"][0]["field"] == "prior"
    assert {"probability", "band", "summary", "vetoes", "version"} <= body.keys()
    assert body["verdict"] is None
    missing = f"/api/v1/admin/records/{one.pk}/why/00000000-0000-7000-8000-000000000000"
    assert client.get(missing, headers=bearer(Scope.READ)).status_code == 404


def test_the_console_shows_sentences_and_bars_from_the_record_and_from_its_warning(
    db: None, logged_in: LoggedIn
) -> None:
    one, other = two(name="Rex <b>Hotel</b>")
    browser = logged_in(Role.VIEWER)
    page = browser.get(f"/admin/resolution/record/{one.pk}/why/", {"other": str(other.pk)[:30]}, follow=True)
    text = page.content.decode()
    assert "The house numbers differ: 194 and 196." in text
    assert "margin-left: " in text
    assert "<b>Hotel" not in text
    assert "Compare with another record" in browser.get(f"/admin/resolution/record/{one.pk}/change/").content.decode()
    wrong = browser.get(f"/admin/resolution/record/{one.pk}/why/", {"other": "zz"}, follow=True)
    assert "The other record was not found. Enter its id" in wrong.content.decode()
    alone = browser.get(f"/admin/resolution/record/{one.pk}/why/{one.pk}/", follow=True)
    assert "This is the same record" in alone.content.decode()
    item = Item.objects.create(kind="record", record=one)
    detail = {"duplicate_of": str(other.pk)}
    item.warnings.create(code="potential_duplicate", sentence="Perhaps.", detail=detail)
    shown = browser.get(f"/admin/review/item/{item.pk}/change/").content.decode()
    assert f"/admin/resolution/record/{one.pk}/why/{other.pk}/" in shown


def test_the_command_prints_the_waterfall(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "places.csv"
    rows = ("id,name,address", "1,The Rex Jazz Bar,194 Queen St W", "2,Rex Hotel [Jazz],196 Queen St W")
    file.write_text("\n".join(rows))
    told(run("import", str(file), "--source", "city", "--kind", "place", "--json"))
    one, other = (each["id"] for each in told(run("record", "list", "--json")))
    printed = run("record", "why", one, other)
    assert printed.returncode == 0, printed.stderr
    assert re.search(r"The house numbers differ: 19[46] and 19[46]\.", printed.stdout)
    assert "Rex Hotel [Jazz]" in printed.stdout
    assert "░" in printed.stdout
    assert "prevent an automatic merge" in printed.stdout
    assert told(run("record", "why", one, other, "--json"))["kind"] == "place"
    assert run("record", "why", one, one).returncode == 1
