"""Reports of visitors: reviewers see them in every door, and none takes an entry off the site by itself."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now
from django.test import Client

from gleanery.accounts.actor import Actor
from gleanery.errors import Conflict
from gleanery.interfaces.cli.records import review as command
from gleanery.resolution import services as resolution
from gleanery.resolution.models import Record
from gleanery.review.models import Item, Report
from gleanery.review.models import Warning as Row
from gleanery.review.queue import claims
from gleanery.review.records import record_decisions
from gleanery.review.reports import services as reports
from gleanery.review.reports.reasons import REASONS
from gleanery.roles import Role
from tests.resolution.shop import BACKWARDS, JAZZ, record_of, tell

LoggedIn = Callable[[Role], Client]
Bearer = Callable[..., dict[str, str]]
FORM = {"reason": "time", "text": "It begins at 20:00.", "email": "mila@home.example", "website": ""}


@pytest.fixture
def jazz(db: None) -> Record:
    return record_of(tell("a", "event", "1", **JAZZ))


def send(client: Client, record: Record, **changes: str) -> Any:
    return client.post(f"/report/{record.pk}/", FORM | changes)


def warnings_of(record: Record) -> list[Row]:
    return list(Row.objects.filter(item__record=record, item__status="pending").order_by("pk"))


def test_a_report_waits_for_a_reviewer_and_the_entry_stays(client: Client, jazz: Record) -> None:
    page = client.get(f"/records/{jazz.pk}/").content.decode()
    assert f'href="/report/{jazz.pk}/"' in page
    form = client.get(f"/report/{jazz.pk}/").content.decode()
    assert form.count('type="radio"') == len(REASONS)
    answer = send(client, jazz)
    assert answer.status_code == 200
    assert "A person will look at it" in answer.content.decode()
    (warning,) = warnings_of(jazz)
    assert warning.sentence == "The date or the time is wrong, says a visitor: “It begins at 20:00.”"
    assert warning.detail == {"reason": "time", "text": FORM["text"], "email": FORM["email"]}
    assert client.get(f"/records/{jazz.pk}/").status_code == 200
    assert "mila@" not in client.get(f"/records/{jazz.pk}/").content.decode()


def test_console_api_and_command_show_it(
    logged_in: LoggedIn, client: Client, bearer: Bearer, jazz: Record, capsys: pytest.CaptureFixture[str]
) -> None:
    send(client, jazz)
    item = Item.objects.get(record=jazz)
    page = logged_in(Role.REVIEWER).get(f"/admin/review/item/{item.pk}/change/").content.decode()
    assert "A visitor reported a problem" in page
    assert "It begins at 20:00." in page
    assert "mila@home.example" in page
    found = client.get("/api/v1/admin/review-queue?warning=reported", headers=bearer("read")).json()
    assert [each["record"] for each in found["items"]] == [str(jazz.pk)]
    assert [each["code"] for each in found["items"][0]["warnings"]] == ["reported"]
    command._print(command._detail(item))
    assert "It begins at 20:00.” (mila@home.example)" in capsys.readouterr().out


def test_approving_settles_it_and_undo_asks_again(admin: Actor, client: Client, jazz: Record) -> None:
    send(client, jazz)
    item = claims.find(jazz.pk)
    done = record_decisions.approve(admin, jazz, item=item)
    assert (done.item.status, done.record.status) == ("approved", "published")
    assert done.said == "Jazz Night stays published."
    undone = record_decisions.undo(admin, done.record, item=done.item)
    assert (undone.item.status, undone.record.status) == ("pending", "published")
    assert [each.code for each in warnings_of(jazz)] == ["reported"]


def test_rejecting_takes_the_entry_off_the_site(admin: Actor, client: Client, jazz: Record) -> None:
    send(client, jazz, reason="private")
    record_decisions.reject(admin, jazz, "Somebody's home address.", item=claims.find(jazz.pk))
    assert client.get(f"/records/{jazz.pk}/").status_code == 410


def test_an_edit_settles_it_and_leaves_other_questions_open(admin: Actor, client: Client, jazz: Record) -> None:
    send(client, jazz)
    resolution.edit(admin, jazz, {"name": "Jazz Evening"})
    item = Item.objects.get(record=jazz)
    assert (item.status, item.reason) == ("superseded", "Its record was edited.")
    send(client, jazz)
    again = Item.objects.get(record=jazz, status="pending")
    Row.objects.create(item=again, code="undone", sentence="Something else.")
    jazz.refresh_from_db()
    resolution.edit(admin, jazz, {"name": "Jazz Night"})
    assert [each.code for each in warnings_of(jazz)] == ["undone"]


def test_what_sources_say_later_does_not_settle_it(client: Client, jazz: Record) -> None:
    send(client, jazz)
    tell("a", "event", "1", **(JAZZ | {"description": "Another text."}))
    assert [each.code for each in warnings_of(jazz)] == ["reported"]


def test_a_reviewer_who_has_not_seen_the_latest_report_looks_again(admin: Actor, client: Client, jazz: Record) -> None:
    send(client, jazz)
    seen = claims.find(jazz.pk)
    send(client, jazz, text="And the price is wrong too.")
    with pytest.raises(Conflict, match="Reload it"):
        record_decisions.approve(admin, jazz, item=seen)


def test_programs_that_fill_in_every_field_change_nothing(client: Client, jazz: Record) -> None:
    answer = send(client, jazz, website="https://spam.example")
    assert "A person will look at it" in answer.content.decode()
    assert not Item.objects.filter(record=jazz).exists()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"reason": ""}, "Choose what is wrong."),
        ({"reason": "no-such"}, "Choose what is wrong."),
        ({"reason": "other", "text": " "}, "Say in a few words"),
        ({"email": "mila"}, "not an e-mail address"),
    ],
)
def test_what_cannot_be_taken_is_said_and_what_was_typed_stays(
    client: Client, jazz: Record, changes: dict[str, str], said: str
) -> None:
    answer = send(client, jazz, **changes)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert said in page
    assert (FORM | changes)["text"].strip() in page
    assert not Item.objects.filter(record=jazz).exists()


def test_one_address_has_its_limit_and_another_does_not_feel_it(client: Client, jazz: Record) -> None:
    for number in range(reports.A_DAY_FROM_ONE_ADDRESS):
        assert send(client, jazz, text=f"Report {number}").status_code == 200
    answer = send(client, jazz, text="One more")
    assert answer.status_code == 429
    assert int(answer["Retry-After"]) > 0
    assert client.post(f"/report/{jazz.pk}/", FORM, REMOTE_ADDR="198.51.100.7").status_code == 200
    Report.objects.update(created_at=Now() - timedelta(days=3))
    reports.forget()
    assert not Report.objects.exists()


def test_the_same_report_twice_is_one_and_a_flood_ends(
    client: Client, jazz: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    send(client, jazz)
    send(client, jazz)
    assert len(warnings_of(jazz)) == 1
    monkeypatch.setattr(reports, "MOST_OPEN", 2)
    for number in range(4):
        assert send(client, jazz, text=f"Report {number}").status_code == 200
    assert len(warnings_of(jazz)) == 2


def test_only_what_is_on_the_site_can_be_reported(client: Client, admin: Actor, jazz: Record) -> None:
    waiting = record_of(tell("a", "event", "2", **(BACKWARDS | {"name": "Backwards"})))
    resolution.delete(admin, jazz, "asked for")
    for record in (waiting, jazz):
        assert client.get(f"/report/{record.pk}/").status_code == 404
        assert send(client, record).status_code == 404


def test_the_address_of_who_reported_is_deleted_a_month_after(admin: Actor, client: Client, jazz: Record) -> None:
    send(client, jazz)
    reports.forget()
    assert "email" in warnings_of(jazz)[0].detail
    done = record_decisions.approve(admin, jazz, item=claims.find(jazz.pk))
    Item.objects.filter(pk=done.item.pk).update(decided_at=Now() - timedelta(days=31))
    reports.forget()
    (warning,) = Row.objects.filter(item=done.item)
    assert "email" not in warning.detail
    assert warning.detail["text"] == FORM["text"]


def test_hostile_words_stay_words(logged_in: LoggedIn, client: Client, jazz: Record) -> None:
    hostile = '"><script>alert(1)</script>{{7*7}}\u202e'
    send(client, jazz, text=hostile * 40, email="")
    item = Item.objects.get(record=jazz)
    page = logged_in(Role.REVIEWER).get(f"/admin/review/item/{item.pk}/change/").content.decode()
    assert not re.search(r"<script>alert", page)
    assert "&lt;script&gt;alert" in page
    assert len(json.dumps(warnings_of(jazz)[0].detail)) < 3_000
