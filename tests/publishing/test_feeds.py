"""Feeds of a search, read by programs that others wrote: instants, series, changes, and what never leaves the house."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import feedparser
import pytest
import recurring_ical_events
from django.test import Client
from django.utils import timezone
from icalendar import Calendar

from gleanery.accounts.actor import Actor
from gleanery.extraction.calendars.icalendar import from_icalendar
from gleanery.extraction.draft import PageSource
from gleanery.publishing.calendars import search_file
from gleanery.publishing.showing import reading_many
from gleanery.publishing.syndication import atom as atom_feed
from gleanery.resolution import services as resolution
from tests.resolution.shop import BACKWARDS, WORDS, record_of, tell

pytestmark = pytest.mark.django_db
SOFIA = ZoneInfo("Europe/Sofia")
TALK = {"name": "Talk", "venue_name": "The Rex", "locality": "Sofia", "country": "BG"}
NEXT_YEAR = timezone.now().year + 1


def day(ahead: int) -> str:
    return f"{timezone.now().date() + timedelta(days=ahead)}"


def calendar_of(client: Client, query: str = "") -> Any:
    answer = client.get(f"/feeds/calendar.ics?{query}")
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    return Calendar.from_ical(b"".join(answer.streaming_content))  # type: ignore[attr-defined]


def events_of(client: Client, query: str = "kind=event") -> list[Any]:
    return list(calendar_of(client, query).walk("VEVENT"))


def atom_of(client: Client, query: str = "") -> Any:
    answer = client.get(f"/feeds/atom.xml?{query}")
    assert answer.status_code == 200
    feed = feedparser.parse(answer.content, response_headers={"content-type": answer["Content-Type"]})
    assert not feed.bozo, feed.get("bozo_exception")
    return feed


def sundays_of_the_change() -> list[date]:
    """The Sunday on which clocks in Europe go forward next year, and those around it."""
    last = max(date(NEXT_YEAR, 3, n) for n in range(25, 32) if date(NEXT_YEAR, 3, n).weekday() == 6)
    return [last - timedelta(days=7), last, last + timedelta(days=7)]


def test_a_series_is_one_event_whose_dates_keep_their_hour_when_clocks_change(client: Client) -> None:
    dates = [{"start": f"{each}T19:00:00", "end": f"{each}T21:00:00"} for each in sundays_of_the_change()]
    tell("a", "event", "1", **TALK, occurrences=dates, start=dates[0]["start"])
    calendar = calendar_of(client, "kind=event")
    assert len({str(each["UID"]) for each in calendar.walk("VEVENT")}) == 1
    expanded = recurring_ical_events.of(calendar).between(date(NEXT_YEAR, 3, 1), date(NEXT_YEAR, 5, 1))
    starts = sorted(each["DTSTART"].dt for each in expanded)
    assert [each.astimezone(SOFIA).hour for each in starts] == [19, 19, 19]
    assert [each.astimezone(UTC).hour for each in starts] == [17, 16, 16]
    assert {each["DTEND"].dt - each["DTSTART"].dt for each in expanded} == {timedelta(hours=2)}
    (zone,) = calendar.walk("VTIMEZONE")
    assert zone["TZID"] == "Europe/Sofia"
    assert zone.to_tz().utcoffset(datetime(NEXT_YEAR, 7, 1)) == timedelta(hours=3)  # noqa: DTZ001


def test_a_date_that_lasts_longer_is_an_exception_of_its_series(client: Client) -> None:
    first, second, third = sundays_of_the_change()
    dates = [
        {"start": f"{first}T19:00:00", "end": f"{first}T21:00:00"},
        {"start": f"{second}T19:00:00", "end": f"{second}T23:30:00"},
        {"start": f"{third}T19:00:00"},
    ]
    tell("a", "event", "1", **TALK, occurrences=dates, start=dates[0]["start"])
    calendar = calendar_of(client, "kind=event")
    expanded = recurring_ical_events.of(calendar).between(first, third + timedelta(days=1))
    lengths = {each["DTSTART"].dt.date(): each["DTEND"].dt - each["DTSTART"].dt for each in expanded if "DTEND" in each}
    assert lengths[first] == timedelta(hours=2)
    assert lengths[second] == timedelta(hours=4, minutes=30)
    assert len(expanded) == 3


def test_our_own_reader_finds_the_series_again(client: Client) -> None:
    dates = [{"start": f"{day(n)}T19:00:00", "end": f"{day(n)}T20:00:00"} for n in (3, 10, 17)]
    tell("a", "event", "1", **TALK, occurrences=dates, start=dates[0]["start"])
    text = b"".join(client.get("/feeds/calendar.ics?kind=event").streaming_content)  # type: ignore[attr-defined]
    page = PageSource(
        html=text.decode(), url="https://us.example/c.ics", media_type="text/calendar", fetched=timezone.now().date()
    )
    (draft,) = from_icalendar(page).drafts
    told = [(each["start"], each["end"]) for each in draft.fields["occurrences"]]
    assert [(start[:19], end[:19]) for start, end in told] == [(each["start"], each["end"]) for each in dates]


def test_a_day_is_a_day_and_its_end_is_the_day_after(client: Client) -> None:
    tell("a", "event", "1", **TALK, start=day(3), end=day(5))
    (event,) = events_of(client)
    assert f"{event['DTSTART'].dt}" == day(3)
    assert f"{event['DTEND'].dt}" == day(6)
    assert event["DTSTART"].params["VALUE"] == "DATE"


def test_what_funding_closes_is_a_day_that_blocks_nobody(client: Client) -> None:
    tell("a", "funding", "1", name="Small grants", funder_name="F", deadline=day(9))
    (event,) = events_of(client, "kind=funding")
    assert event["SUMMARY"] == "Closes: Small grants"
    assert f"{event['DTSTART'].dt}" == day(9)
    assert event["TRANSP"] == "TRANSPARENT"


def test_an_event_says_where_who_says_so_and_where_to_read_on(client: Client) -> None:
    told = {"lat": 42.69, "lon": 23.32, "url": "https://rex.example/talk", "description": "Bees, and more."}
    record = record_of(tell("rex.example", "event", "1", **TALK, **told, start=f"{day(3)}T19:00:00", cost="5 lv"))
    (event,) = events_of(client)
    assert event["LOCATION"] == "The Rex, Sofia"
    assert event["GEO"].to_ical() == "42.69;23.32"
    assert event["URL"] == f"http://testserver/records/{record.pk}/talk/"
    for part in ("Bees, and more.", "5 lv", "https://rex.example/talk"):
        assert part in event["DESCRIPTION"]


def test_a_subscriber_sees_every_change_and_nothing_else(client: Client) -> None:
    told = TALK | {"start": f"{day(3)}T19:00:00", "end": f"{day(3)}T21:00:00"}
    tell("a", "event", "1", **told)
    answer = client.get("/feeds/calendar.ics?q=talk")
    (before,) = events_of(client, "q=talk")
    tell("a", "event", "1", **told)
    again = client.get("/feeds/calendar.ics?q=talk", headers={"If-None-Match": answer["ETag"]})
    assert again.status_code == 304
    assert events_of(client, "q=talk")[0].to_ical() == before.to_ical()
    tell("a", "event", "1", **told | {"start": f"{day(3)}T20:00:00", "event_status": "EventCancelled"})
    again = client.get("/feeds/calendar.ics?q=talk", headers={"If-None-Match": answer["ETag"]})
    assert again.status_code == 200
    (after,) = events_of(client, "q=talk")
    assert after["UID"] == before["UID"]
    assert after["SEQUENCE"] > before["SEQUENCE"]
    assert after["LAST-MODIFIED"].dt >= before["LAST-MODIFIED"].dt
    assert after["DTSTART"].dt - before["DTSTART"].dt == timedelta(hours=1)
    assert (after["STATUS"], before.get("STATUS")) == ("CANCELLED", None)


def test_a_new_name_of_the_venue_reaches_those_who_have_the_event(client: Client, admin: Actor) -> None:
    record = record_of(tell("a", "event", "1", **TALK, start=f"{day(3)}T19:00:00"))
    etag = client.get("/feeds/calendar.ics?kind=event")["ETag"]
    assert record.place is not None
    resolution.edit(admin, record.place, {"name": "Rex Hall"})
    assert client.get("/feeds/calendar.ics?kind=event", headers={"If-None-Match": etag}).status_code == 200
    assert events_of(client)[0]["LOCATION"].startswith("Rex Hall")


def test_the_calendar_says_what_it_is_and_when_to_ask_again(client: Client) -> None:
    tell("a", "event", "1", **TALK, start=day(3))
    calendar = calendar_of(client, "kind=event&place=Sofia&lang=bg")
    assert str(calendar["X-WR-CALNAME"]) == "Gleanery: Събития · Sofia"
    assert calendar["REFRESH-INTERVAL"].params["VALUE"] == "DURATION"
    assert calendar["REFRESH-INTERVAL"].to_ical() == b"PT6H"
    assert str(calendar["X-PUBLISHED-TTL"]) == "PT6H"
    assert str(calendar["SOURCE"]).endswith("/feeds/calendar.ics?kind=event&place=Sofia&lang=bg")


def test_the_same_filters_narrow_page_and_feeds(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading_many, "A_BATCH", 2)
    for number, word in enumerate(WORDS[:5]):
        tell("a", "event", word, **TALK | {"name": word, "venue_name": f"{word} Hall"}, start=day(3 + number))
    tell("a", "event", "Far", **TALK | {"name": "Far", "locality": "Varna", "venue_name": "Sea"}, start=day(3))
    tell("b", "event", "x", **(BACKWARDS | {"name": "Waiting one"}))
    assert [str(each["SUMMARY"]) for each in events_of(client, "kind=event&place=sofia")] == WORDS[:5]
    assert {each.title for each in atom_of(client, "kind=event&place=sofia").entries} == set(WORDS[:5])
    monkeypatch.setattr(search_file, "MOST_RECORDS", 3)
    assert len(events_of(client, "kind=event&place=sofia")) == 3


def test_atom_is_read_page_by_page_without_gap_or_double(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(atom_feed, "A_PAGE", 3)
    for number, word in enumerate(WORDS[:7]):
        tell("a", "event", word, **TALK | {"name": word, "venue_name": f"{word} Hall"}, start=day(3 + number))
    seen, address = [], "/feeds/atom.xml?kind=event"
    while address:
        feed = atom_of(client, urlsplit(address).query)
        seen += [(each.id, each.title) for each in feed.entries]
        address = next((each.href for each in feed.feed.links if each.rel == "next"), "")
    assert sorted(title for _, title in seen) == sorted(WORDS[:7])
    assert all(re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", each) for each, _ in seen)


def test_an_entry_has_all_that_readers_need(client: Client) -> None:
    told = {"description": "Bees & <b>more</b>.\x07", "url": "https://rex.example/talk", "cost": "5 lv"}
    record = record_of(tell("rex.example", "event", "1", **TALK, **told, start=f"{day(3)}T19:00:00"))
    feed = atom_of(client, "kind=event")
    assert feed.version == "atom10"
    assert feed.feed.id == "http://testserver/feeds/atom.xml?kind=event"
    assert feed.feed.author == "Gleanery"
    (entry,) = feed.entries
    assert entry.link == f"http://testserver/records/{record.pk}/talk/"
    assert entry.published_parsed
    assert entry.updated_parsed
    assert "5 lv" in entry.summary
    text = entry.content[0].value
    assert "Bees &amp; &lt;b&gt;more&lt;/b&gt;." in text
    assert 'href="https://rex.example/talk"' in text


def test_an_entry_that_changed_says_so_and_a_feed_that_did_not_is_not_sent_again(client: Client) -> None:
    told = TALK | {"start": f"{day(3)}T19:00:00"}
    tell("a", "event", "1", **told)
    first = client.get("/feeds/atom.xml?kind=event")
    before = atom_of(client, "kind=event").entries[0]
    assert client.get("/feeds/atom.xml?kind=event", headers={"If-None-Match": first["ETag"]}).status_code == 304
    tell("a", "event", "1", **told | {"event_status": "EventCancelled"})
    after = atom_of(client, "kind=event").entries[0]
    assert (after.id, after.title) == (before.id, "cancelled: Talk")
    assert client.get("/feeds/atom.xml?kind=event", headers={"If-None-Match": first["ETag"]}).status_code == 200


def test_an_empty_search_has_valid_feeds(client: Client) -> None:
    assert events_of(client, "q=nothing") == []
    assert atom_of(client, "q=nothing").entries == []


def test_a_planted_contact_is_in_no_feed_and_markup_is_text(client: Client) -> None:
    hostile = '"><script>alert(1)</script>\r\nATTENDEE:mailto:x@evil.example\r\n]]>'
    planted = {
        "phone": "+359 88 123 4567",
        "email": "ivana@home.example",
        "description": hostile,
    }
    tell(f"source {hostile}", "event", "1", **TALK | planted | {"name": f"Talk {hostile}"}, start=f"{day(3)}T19:00:00")
    tell("b", "place", "2", name="Chitalishte Svetlina", locality="Sofia", **planted)
    calendar = b"".join(client.get("/feeds/calendar.ics").streaming_content).decode()  # type: ignore[attr-defined]
    feed = client.get("/feeds/atom.xml").content.decode()
    for text in (calendar, feed, calendar.replace("\r\n ", "")):
        for hidden in ("4567", "ivana", "\nATTENDEE"):
            assert hidden not in text
    assert "<script>" not in feed
    entries = atom_of(client).entries
    assert len(entries) >= 2
    assert not any("<script" in each.summary + each.content[0].value for each in entries)


def test_a_search_page_has_its_feeds_one_click_away(client: Client) -> None:
    page = client.get("/search?kind=event&place=Sofia").content.decode()
    for link in ("webcal://testserver/feeds/calendar.ics", "/feeds/atom.xml"):
        assert f'href="{link}?kind=event&amp;place=Sofia&amp;lang=en"' in page
    head = page.partition("</head>")[0]
    assert 'rel="alternate" type="application/atom+xml"' in head


def test_what_no_filter_can_be_is_passed_over_in_feeds_too(client: Client) -> None:
    for query in ("kind=x&q=%00%ff", "cursor=eyJ4", "from=tomorrow", "lang=xx"):
        assert client.get(f"/feeds/calendar.ics?{query}").status_code == 200
        assert client.get(f"/feeds/atom.xml?{query}").status_code == 200
