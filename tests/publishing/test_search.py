"""The search: what is found by which words and filters, what is not listed, pages, counts, and the plans."""

from __future__ import annotations

import re
from datetime import date

import pytest
from django.test import Client
from django.utils import timezone

from gleanery.accounts.actor import Actor
from gleanery.publishing.search import orders, statements
from gleanery.publishing.search.filters import Filters
from gleanery.publishing.showing import moments
from gleanery.resolution import services as resolution
from tests.publishing.shop import add, day, found
from tests.resolution.shop import BACKWARDS, JAZZ, WORDS, tell

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("Празник в Пловдив", "Plovdiv"),
        ("Festival in Plovdiv", "Пловдив"),
        ("Лекция на Петър Димитров", "dimitrov"),
        ("София пее", "sofia"),
        ("София пее", "Sofiya"),
        ("Café Crème evening", "creme"),
        ("ЩЪРКЕЛИ НАД ЖЕРАВНА", "shtarkeli zheravna"),
        ("Photography workshop", "photografy"),
        ("Grants for schools", "schools grants"),
    ],
)
def test_words_are_found_in_either_script_and_with_a_slip(name: str, asked: str) -> None:
    add(name)
    add("Chess tournament", locality="Varna")
    assert name in found(f"q={asked}")
    assert "Chess tournament" not in found(f"q={asked}")


def test_a_match_in_the_name_stands_before_one_in_the_text() -> None:
    add("An evening of songs", description="With some jazz at the end.")
    add("Jazz workshop")
    assert found("q=jazz") == ["Jazz workshop", "An evening of songs"]


def test_only_what_is_published_is_found(admin: Actor) -> None:
    add("Doubtful one", end="2020-01-01")
    record = add("Steady one", start=day(4))
    assert found("kind=event") == ["Steady one"]
    resolution.delete(admin, record, "asked for")
    assert found("kind=event") == []
    resolution.restore(admin, record)
    assert found("kind=event") == ["Steady one"]
    tell("a", "event", "Steady one", name="Renamed one", locality="Sofia", start=day(4))
    assert (found("q=renamed"), found("q=steady")) == (["Renamed one"], [])


def test_what_is_over_is_in_no_list_but_where_its_days_are_asked_for() -> None:
    add("Over", start=day(-5))
    add("Closed fund", kind="funding", funder_name="F", deadline=day(-1), locality="")
    add("Coming")
    add("Running", start=day(-5), end=day(5))
    assert set(found()) >= {"Coming", "Running"}
    assert not {"Over", "Closed fund"} & set(found())
    assert "Over" in found(f"from={day(-7)}&to={day(-1)}")


def test_each_filter_narrows() -> None:
    add("Piano for all", is_accessible_for_free=True)
    add("Far one", locality="Varna", venue_name="Sea Hall", start=day(40))
    add("Talk about bees", virtual_url="https://meet.example/1", event_status="EventCancelled")
    add("Fund", kind="funding", who="b", funder_name="F", deadline=day(9), locality="")
    assert found("free=1") == ["Piano for all"]
    assert found("online=1") == ["Talk about bees"]
    assert found("cancelled=1") == ["Talk about bees"]
    assert "Talk about bees" not in found("cancelled=0")
    assert found("place=varna&kind=event") == found("place=Варна&kind=event") == ["Far one"]
    assert "Far one" not in found("when=week&kind=event")
    assert found(f"deadline={day(10)}") == found("source=b&kind=funding") == ["Fund"]
    assert found(f"deadline={day(8)}") == []
    assert found("sort=name&kind=event") == ["Far one", "Piano for all", "Talk about bees"]


def test_what_cannot_be_read_is_passed_over(client: Client) -> None:
    add("Coming")
    for query in (
        "kind=x&when=y&sort=z&from=tomorrow&to=2027-99-99",
        "cursor=%00&utm_source=x",
        "q=%00%ff",
        "cursor=eyJ4",
    ):
        answer = client.get(f"/search?{query}")
        assert answer.status_code == 200, query
    cursors = ['["x","y"]', "[]", "7", '["nan", "01a1f5cc-ba68-7b8b-a789-259577e52dc8"]', "[" * 90000]
    for each in cursors:
        assert orders.position_of(orders.cursor_after(each, each), orders.ORDERS["soon"]) == (None, None)


@pytest.mark.parametrize("sort", ["soon", "new", "name", "best"])
def test_pages_follow_each_other_without_gap_or_double(sort: str) -> None:
    for number, word in enumerate(WORDS):
        add(word, venue_name=f"{word} Hall", start=day(3 + number // 3), description="A concert.")
    today, filters = timezone.now().date(), Filters(q="concert" if sort == "best" else "", kind="event", sort=sort)
    seen, cursor = [], ""
    while True:
        rows, cursor = statements.hits(filters, today, cursor, most=7)
        seen += [each.name for each in rows]
        if not cursor:
            break
    assert sorted(seen) == sorted(WORDS)


def test_counts_stand_beside_the_hits_and_a_filter_does_not_narrow_its_own() -> None:
    add("One")
    add("Two", locality="Varna", venue_name="Sea Hall")
    add("Fund", kind="funding", who="b", funder_name="F", deadline=day(9), locality="София", venue_name="")
    hits = statements.search(Filters(place="Varna"), timezone.now().date())
    assert dict(hits.kinds) == {"event": 1, "place": 1}
    assert hits.towns == [("Sofia", 3, False), ("Varna", 2, True)]
    assert hits.total == 2


@pytest.mark.parametrize(
    ("today", "saturday", "sunday"),
    [
        ("2026-11-16", "2026-11-21", "2026-11-22"),
        ("2026-11-21", "2026-11-21", "2026-11-22"),
        ("2026-11-22", "2026-11-22", "2026-11-22"),
    ],
)
def test_the_weekend_is_the_coming_one_or_what_is_left(today: str, saturday: str, sunday: str) -> None:
    assert moments.weekend_of(date.fromisoformat(today)) == (date.fromisoformat(saturday), date.fromisoformat(sunday))


def test_the_month_ends_on_its_last_day() -> None:
    assert moments.month_of(date(2026, 12, 5)) == (date(2026, 12, 5), date(2026, 12, 31))


def test_the_start_page_has_this_week_what_closes_and_what_is_new(client: Client) -> None:
    empty = client.get("/").content.decode()
    assert "Nothing is published yet" in empty
    add("Coming", is_accessible_for_free=True)
    add("Fund", kind="funding", who="b", funder_name="F", deadline=day(9), locality="")
    page = " ".join(client.get("/").content.decode().split())
    assert re.search(r"This week.*Coming.*Closing soon.*Fund.*All there is.*Events.*New here", page)
    assert "in 9 days" in page


def test_the_start_page_tells_a_day_by_its_hours(client: Client) -> None:
    for clock, name in (("10:30", "Quiz"), ("09:00", "Choir"), ("19:00", "Bazaar")):
        add(name, start=f"{day(2)}T{clock}:00", end=None)
    page = client.get("/").content.decode()
    shown = re.findall("Choir|Quiz|Bazaar", page.partition("<aside")[0])
    assert shown == ["Choir", "Quiz", "Bazaar"]


@pytest.mark.parametrize("page", ["/", "/search", "/search?q=alert"])
def test_whatever_a_source_writes_is_text_in_lists_too(client: Client, page: str) -> None:
    hostile = '"><script>alert(1)</script><img src=x onerror=alert(2)>'
    texts = dict.fromkeys(("description", "locality", "venue_name", "cost"), hostile)
    add(f"Alert {hostile}", **texts, phone="+359 88 123 4567", email="ivana@home.example")
    tell("b", "event", "x", **(BACKWARDS | {"name": "Waiting one"}))
    text = (
        client.get(page, {"place": hostile} if "q=" not in page else None).content.decode()
        + client.get(page).content.decode()
    )
    assert "<script>" not in text
    assert "<img" not in text
    for hidden in ("4567", "ivana", "Waiting one"):
        assert hidden not in text
    assert JAZZ["name"] not in text
