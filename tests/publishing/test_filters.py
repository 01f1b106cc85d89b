"""The filters of the search: what each finds, how the address says it, and how it is taken off again."""

from __future__ import annotations

import re
from datetime import date, timedelta
from uuid import UUID

import pytest
from django.test import Client
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from gleanery.discovery.models import Topic
from gleanery.domains import registry
from gleanery.extraction.models import Source
from gleanery.judging.models import Candidate, Run
from gleanery.publishing.models import SearchEntry
from gleanery.publishing.search import positions, statements
from gleanery.publishing.search.filters import Filters, read
from gleanery.publishing.search.positions import Position
from gleanery.resolution.models import Occurrence
from tests.publishing.shop import add, day, found

pytestmark = pytest.mark.django_db
SOFIA, PLOVDIV = {"lat": 42.6977, "lon": 23.3219}, {"lat": 42.1354, "lon": 24.7453}
NEARBY = {"lat": 42.75, "lon": 23.33}  # six kilometres to the north


def three_towns() -> None:
    add("Middle", venue_name="Hall", **SOFIA)
    add("Edge", venue_name="Barn", locality="Novi Iskar", **NEARBY)
    add("Beyond", venue_name="Barge", locality="Plovdiv", **PLOVDIV)
    add("Nowhere", venue_name="", locality="")


def test_what_is_near_a_point_comes_nearest_first() -> None:
    three_towns()
    assert found("near=42.6977,23.3219&within=10&kind=event&sort=near") == ["Middle", "Edge"]
    assert found("near=42.6977,23.3219&within=2&kind=event") == ["Middle"]
    assert found("near=42.75,23.33&within=200&kind=event&sort=near") == ["Edge", "Middle", "Beyond"]
    rows, _ = statements.hits(read({"near": "42.6977,23.3219", "within": "200"}), timezone.now().date())
    away = {each.name: each.km for each in rows}
    assert away["Beyond"] == pytest.approx(132, abs=2)


def test_the_name_of_a_town_or_of_a_place_is_a_point_too(client: Client) -> None:
    three_towns()
    assert found("near=София&within=10&kind=event&sort=near") == ["Middle", "Edge"]
    assert found("near=barge&within=5&kind=event") == ["Beyond"]
    page = client.get("/search", {"near": "Atlantis", "kind": "event"}).content.decode()
    assert "No place called “Atlantis” is known here" in page
    assert "Middle" in page, "distance is not considered"


def test_an_event_stands_where_its_place_does_even_if_that_is_learned_later() -> None:
    event = add("Reading", venue_name="Bridge House", address="1 Mill Lane")
    entry = SearchEntry.objects.get(pk=event.pk)
    assert entry.lat is None
    add("Bridge House", kind="place", who="b", venue_name=None, address="1 Mill Lane", **SOFIA)
    entry.refresh_from_db()
    assert (entry.lat, entry.lon) == (SOFIA["lat"], SOFIA["lon"])


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Wheelchair accessible throughout.", True),
        ("There is step-free access by the yard.", True),
        ("Достъпно за хора с увреждания.", True),
        ("Sadly not wheelchair accessible.", False),
        ("The hall has no step-free entrance.", False),
        ("An accessible introduction to jazz.", False),
    ],
)
def test_what_says_that_wheelchairs_get_in_is_found(said: str, *, expected: bool) -> None:
    add("Reading", description=said)
    assert (found("accessible=1") == ["Reading"]) is expected


def test_the_language_is_a_code_however_it_was_written() -> None:
    for name, written in (("One", "en-GB"), ("Two", "BG"), ("Three", "english"), ("Four", "??")):
        add(name, in_language=written)
    assert sorted(found("language=en")) == ["One", "Three"]
    assert found("language=bg") == ["Two"]
    assert len(found("language=ENGLISH&kind=event")) == 4, "it cannot be read"


def test_a_topic_finds_what_its_sources_say() -> None:
    add("Jazz", who="hall")
    add("Chess", who="club")
    domain = registry.register("hall.example")
    Source.objects.filter(name="hall").update(domain=domain, kind="crawled")
    topic = Topic.objects.create(name="music", title="Music", query_templates=["x"])
    run = Run.objects.create()
    Candidate.objects.create(domain=domain, topic=topic, run=run, status="pending_crawl", confidence="0.90")
    assert found("topic=music&kind=event") == ["Jazz"]
    assert found("topic=nothing") == []


def test_filters_that_are_set_are_shown_and_can_be_taken_off_one_by_one(client: Client) -> None:
    three_towns()
    asked = "kind=event&near=42.6977,23.3219&within=10&free=1&language=en&place=Sofia&cancelled=0&from=2027-01-05"
    page = client.get(f"/search?{asked}").content.decode()
    chips = dict(re.findall(r'href="\?([^"]*)"><span class="hidden">Without </span>([^<]+)<', page))
    words = {text: address.replace("&amp;", "&") for address, text in chips.items()}
    assert set(words) == {
        *("Events", "within 10 km of the place that you chose", "Free", "English", "Sofia", "Not cancelled"),
        "from Tue 5 Jan 2027",
    }
    assert "near=" not in words["within 10 km of the place that you chose"]
    assert "within=" not in words["within 10 km of the place that you chose"]
    assert "free=1" not in words["Free"]
    assert "kind=event" in words["Free"]


def test_an_address_says_what_was_read_from_it() -> None:
    asked = {"q": "jazz", "kind": "event", "near": "Sofia", "within": "10", "accessible": "1", "cancelled": "0"}
    assert read(asked).parts() == asked
    for name, unreadable in (("within", "-1"), ("within", "9999"), ("language", "e&n"), ("deadline", "soon")):
        assert read({name: unreadable}) == Filters()


def test_pages_by_distance_follow_each_other_without_gap_or_double() -> None:
    for number in range(9):
        add(f"Stall {number}", venue_name=f"Pitch {number}", lat=42.7 + number // 3 / 100, lon=23.3)
    filters = Filters(kind="event", near="x", position=Position(42.7, 23.3), sort="near")
    seen, cursor = [], ""
    while True:
        rows, cursor = statements.hits(filters, timezone.now().date(), cursor, most=2)
        seen += [each.name for each in rows]
        if not cursor:
            break
    assert len(seen) == 9
    assert len(set(seen)) == 9


def on(record: UUID, first: date, last: date) -> bool:
    """Whether it takes place on one of these days, told from its occurrences alone."""
    return any(
        first <= each.start_date <= last
        or (each.start_date < first and each.end is not None and each.end.date() >= first)
        for each in Occurrence.objects.filter(record=record)
    )


@pytest.mark.parametrize("is_stale", [False, True])
def test_the_days_that_are_asked_for_find_what_takes_place_on_them(*, is_stale: bool) -> None:
    """Also after midnight, before the next days are written anew."""
    today = timezone.now().date()
    for number, (start, end) in enumerate([(-3, None), (-3, 2), (0, None), (1, 9), (4, None), (6, None), (12, None)]):
        add(f"Show {number}", venue_name=f"Hall {number}", start=day(start), end=day(end) if end else None)
    times = [{"start": day(ahead)} for ahead in (2, 8, 30)]
    add("Series", venue_name="Loft", start=day(2), occurrences=times)
    if is_stale:
        SearchEntry.objects.filter(next_day=today).update(next_day=today - timedelta(days=1))
    for first, last in ((0, 0), (0, 6), (1, 1), (2, 3), (7, 8), (10, 40)):
        days = today + timedelta(days=first), today + timedelta(days=last)
        hits, _ = statements.hits(Filters(kind="event", first=days[0], last=days[1]), today, most=50)
        entries = SearchEntry.objects.filter(kind="event", last_day__gte=today)
        assert {each.id for each in hits} == {each.pk for each in entries if on(each.pk, *days)}, (first, last)


@given(st.text(max_size=60))
@settings(max_examples=40)
def test_any_text_may_be_looked_for(text: str) -> None:
    today = timezone.now().date()
    statements.search(read({"q": text, "near": text, "place": text, "source": text, "topic": text}), today)


@pytest.mark.parametrize(
    ("at", "km"),
    [(Position(42, 23), 10), (Position(-33, 151), 100), (Position(89.99, 0), 50), (Position(0, 179.9), 40)],
)
def test_a_box_holds_the_circle(at: Position, km: int) -> None:
    box = positions.box_around(at, km)
    high = km / positions.KM_PER_DEGREE
    assert box.south <= max(at.lat - high, -90)
    assert box.north >= min(at.lat + high, 90)
    assert -180 <= box.west <= at.lon <= box.east <= 180


@pytest.mark.parametrize("given_", ["91,0", "1", "1,2,3", "1e5,2", "nan,nan", "42.7;23.3", ""])
def test_what_is_no_point_is_none(given_: str) -> None:
    assert positions.read_pair(given_) is None
