"""The month of events and the map: what they show, where they lead, and that they hold whatever is asked."""

from __future__ import annotations

import re
from datetime import date

import pytest
from django.test import Client
from lxml import html

from gleanery.publishing.search import drawing
from gleanery.publishing.search.filters import Filters
from gleanery.publishing.search.map import map_of
from gleanery.publishing.search.month import month, month_named
from tests.publishing.shop import add, found

pytestmark = pytest.mark.django_db
TODAY, DECEMBER = date(2026, 11, 20), date(2026, 12, 1)


def december() -> None:
    for number in range(5):
        add(f"Evening {number}", venue_name=f"Hall {number}", start=f"2026-12-18T{19 - number}:00:00+00:00")
    add("Fair", venue_name="Square", start="2026-11-28T10:00:00+00:00", end="2026-12-03T18:00:00+00:00")
    add("New Year", venue_name="Bridge", start="2027-01-01")


def test_a_month_names_the_first_of_each_day_and_counts_the_others() -> None:
    december()
    shown = month(Filters(), DECEMBER, TODAY)
    days = {each.day.day: each for week in shown.weeks for each in week if each.is_inside}
    assert [card.name for card in days[18].cards] == ["Evening 4", "Evening 3", "Evening 2"]
    assert (days[18].many, days[18].more) == (5, 2)
    assert [card.name for card in days[1].cards] == ["Fair"], "it goes on from November"
    assert shown.count == 6
    assert all(len(week) == 7 for week in shown.weeks)


def test_the_other_filters_hold_and_months_lead_to_each_other(client: Client) -> None:
    december()
    page = html.fromstring(client.get("/calendar?month=2026-12&q=evening&place=Sofia&kind=funding").content)
    assert "5 dates" in page.text_content()
    links = [each.get("href") for each in page.cssselect(".turn a")]
    assert links[0] == "?month=2026-11&q=evening&place=Sofia"
    assert links[2] == "?month=2027-01&q=evening&place=Sofia"
    chips = [each.get("href") for each in page.cssselect(".set a")]
    assert "?kind=funding&place=Sofia&month=2026-12" in chips, "without the words, and in the same month"
    (rest,) = (each.get("href") for each in page.cssselect("a.rest"))
    assert rest == "/search?kind=event&from=2026-12-18&to=2026-12-18&q=evening&place=Sofia"
    assert len(found(rest.partition("?")[2])) == 5


@pytest.mark.parametrize("given", ["", "2026", "2026-13", "0000-01", "9999-12", "x" * 500])
def test_any_month_may_be_asked_for(client: Client, given: str) -> None:
    assert client.get("/calendar", {"month": given}).status_code == 200
    assert date(1990, 1, 1) <= month_named(given, TODAY) <= date(2199, 12, 1)


def test_what_lies_close_together_is_one_circle_that_leads_to_its_list(client: Client) -> None:
    for number in range(4):
        add(f"Stall {number}", venue_name=f"Pitch {number}", lat=42.7 + number / 1000, lon=23.3)
    add("Far one", locality="Varna", venue_name="Pier", lat=43.2, lon=27.9)
    shown = map_of(Filters(kind="event"), TODAY)
    assert shown is not None
    (crowd, alone) = shown.clusters
    assert (crowd.count, crowd.name, crowd.is_named) == (4, "Sofia", True)
    assert (alone.count, alone.name) == (1, "Far one")
    assert crowd.x < alone.x
    assert crowd.y > alone.y
    page = html.fromstring(client.get("/map?kind=event").content)
    circles = [each.get("href") for each in page.cssselect("svg a")]
    listed = [each.get("href") for each in page.cssselect(".counts a")]
    assert circles == listed, "all that is drawn can be reached by words too"
    assert sorted(found(circles[0].partition("?")[2])) == [f"Stall {number}" for number in range(4)]
    assert circles[1] == alone.path


def test_the_drawing_is_true_to_distance_and_leaves_out_a_few_that_lie_far_off() -> None:
    towns = [(42 + number / 100, 23 + number / 100) for number in range(50)]
    projection = drawing.projected([*towns, (-33.9, 151.2)])
    assert all(drawing.is_drawn(*projection.place(*each)) for each in towns)
    assert not drawing.is_drawn(*projection.place(-33.9, 151.2))
    (x, y), (east, _), (_, south) = (projection.place(*each) for each in ((42.25, 23), (42.25, 23.1), (42.15, 23)))
    assert (east - x) / (south - y) == pytest.approx(0.74, abs=0.01)
    assert len(drawing.grid(projection)) > 5
    length, km = drawing.scale(projection)
    assert length == pytest.approx(km * projection.km, abs=0.1)


@pytest.mark.parametrize("positions", [[(0.0, 0.0)], [(90.0, 0.0), (-90.0, 0.0)], [(1.0, -180.0), (1.0, 180.0)]])
def test_any_positions_can_be_drawn(positions: list[tuple[float, float]]) -> None:
    projection = drawing.projected(positions)
    assert all(drawing.is_drawn(*projection.place(*each)) for each in positions)
    assert len(drawing.grid(projection)) < 100
    assert drawing.scale(projection).length > 0


@pytest.mark.parametrize("page", ["/map", "/calendar?month=2026-12"])
def test_whatever_a_source_writes_is_text_there_too(client: Client, page: str) -> None:
    hostile = '"><script>alert(1)</script>'
    add(f"Alert {hostile}", locality=hostile, start="2026-12-18", lat=42.7, lon=23.3)
    add(f"Alarm {hostile}", locality=hostile, start="2026-12-18", lat=42.7, lon=23.3, venue_name="x")
    text = client.get(page).content.decode()
    assert "<script>" not in text
    assert re.search("Al(ert|arm)|&quot;&gt;", text)


def test_a_map_of_nothing_says_so(client: Client) -> None:
    add("Somewhere")
    assert "Nothing to draw" in client.get("/map").content.decode()
