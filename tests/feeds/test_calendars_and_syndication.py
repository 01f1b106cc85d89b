"""General platforms: linked calendars, and RSS and Atom with dates."""

from __future__ import annotations

from datetime import timedelta

import pytest

from gleanery.feeds.platform import NotThisPlatform
from tests.feeds.parsing import fields_of, read, signs_on, urls

CALENDAR = """BEGIN:VCALENDAR
X-WR-CALNAME:Mill House\\, evenings
X-PUBLISHED-TTL:P15M
BEGIN:VEVENT
UID:1@mill.example
SUMMARY:Choir
DTSTART:20261205T190000Z
END:VEVENT
END:VCALENDAR
"""
EVENT_RSS = """<?xml version="1.0" encoding="iso-8859-1"?>
<rss version="2.0" xmlns:e="http://purl.org/rss/1.0/modules/event/" xmlns:geo="http://www.w3.org/2003/01/geo/wgs84_pos#">
<channel><title>Mill House</title><ttl>120</ttl>
<item><title>CANCELLED: Soup &amp;amp; song</title><link>/e/1</link><guid>g-1</guid>
<description>&lt;p&gt;Bring a bowl.&lt;/p&gt;&lt;p&gt;Free.&lt;/p&gt;</description>
<category>Food</category><category>Music</category>
<e:startdate>2026-12-05T19:00:00+02:00</e:startdate><e:enddate>2026-12-05T21:00:00+02:00</e:enddate>
<e:location>Mill House, 12 Mill Road, Wickerby, CA 90001</e:location><e:organizer>Mill Choir</e:organizer>
<geo:lat>38.25</geo:lat><geo:long>-122.6</geo:long>
<enclosure url="https://mill.example/soup.jpg" type="image/jpeg"/></item>
<item><title>No date here</title><link>/e/2</link></item>
</channel></rss>"""
ATOM_XCAL = """<feed xmlns="http://www.w3.org/2005/Atom" xmlns:x="urn:ietf:params:xml:ns:xcal"><title>Hall</title>
<link rel="next" href="/feed?page=2"/>
<entry><id>urn:hall:1</id><title type="html">Read &amp;amp; talk</title><link href="https://hall.example/1"/>
<x:vevent><x:dtstart>20261206T180000Z</x:dtstart><x:status>CANCELLED</x:status><x:location>Online</x:location></x:vevent>
</entry></feed>"""


def test_a_calendar_gives_its_title_and_refresh_interval() -> None:
    reading = read("icalendar", CALENDAR)
    assert (reading.title, reading.ttl) == ("Mill House, evenings", timedelta(minutes=15))
    assert fields_of(reading) == [{"id": "1@mill.example", "name": "Choir", "start": "2026-12-05T19:00:00+00:00"}]


@pytest.mark.parametrize(
    ("written", "minutes"),
    [
        ("PT12H", 720),
        ("P1D", 1440),
        ("PT1S", 15),
        ("P15M", 15),
        ("P9999W", 43_200),
        ("soon", 0),
        ("-PT1H", 0),
        ("P", 0),
    ],
)
def test_the_refresh_interval_of_a_calendar_is_limited(written: str, minutes: int) -> None:
    ttl = read("icalendar", CALENDAR.replace("P15M", written)).ttl
    assert ttl == (timedelta(minutes=minutes) if minutes else None)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "A calendar was expected, but the answer is empty."),
        ("<!DOCTYPE html><p>Gone", "A calendar was expected, but the answer is a web page."),
        ('{"error": 404}', "A calendar was expected, but the answer is JSON of another kind."),
    ],
)
def test_an_answer_that_is_no_calendar_is_described(text: str, sentence: str) -> None:
    with pytest.raises(NotThisPlatform) as refused:
        read("icalendar", text)
    assert str(refused.value) == sentence


def test_alternate_and_subscribable_calendars_are_found() -> None:
    page = """<link rel="alternate" type="text/calendar" title="All" href="/events/?ical=1">
    <a href="webcal://mill.example/choir.ics">Subscribe</a> <a href="/hall.ics">The hall</a>
    <a href="https://calendar.google.com/calendar/r?cid=webcal%3A%2F%2Fmill.example%2Fevents%2Fsongs.ics">Google</a>"""
    assert sorted(urls(page, "icalendar")) == [
        "https://mill.example/choir.ics",
        "https://mill.example/events/?ical=1",
        "https://mill.example/events/songs.ics",
        "https://mill.example/hall.ics",
    ]
    assert signs_on(page)["icalendar"][0].guess is False


@pytest.mark.parametrize(
    "page",
    [
        '<a href="/event/choir/choir.ics">Add to calendar</a>',
        "".join(f'<a href="/event/{n}.ics">iCal</a>' for n in range(6)),
        '<a href="/topics/ics">ICS</a> <a href="/physical=1">x</a> <a href="/?physical=1">y</a>',
        '<link rel="alternate" type="text/html" href="/calendar.html"><a href="mailto:ics@mill.example">z</a>',
        '<a href="https://calendar.google.com/calendar/r?cid=abc%40group.calendar.google.com">one of Google</a>',
    ],
)
def test_files_of_single_events_are_not_feeds(page: str) -> None:
    assert urls(page, "icalendar") == []


def test_items_with_dates_are_events() -> None:
    reading = read("syndication", EVENT_RSS, "https://mill.example/feed", country="US")
    assert fields_of(reading) == [
        {
            "id": "syndication:mill.example:g-1",
            "name": "Soup & song",
            "event_status": "cancelled",
            "start": "2026-12-05T19:00:00+02:00",
            "end": "2026-12-05T21:00:00+02:00",
            "description": "Bring a bowl.\n\nFree.",
            "venue_name": "Mill House",
            "address": "12 Mill Road",
            "locality": "Wickerby",
            "region": "CA",
            "postal_code": "90001",
            "lat": 38.25,
            "lon": -122.6,
            "url": "https://mill.example/e/1",
            "image_url": "https://mill.example/soup.jpg",
            "organizer_name": "Mill Choir",
            "keywords": ["Food", "Music"],
        }
    ]
    assert reading.drafts[0].evidence["start"] == "syndication ev:startdate"
    assert (reading.title, reading.ttl) == ("Mill House", timedelta(hours=2))
    assert reading.problems == ("1 of 2 items have no date and were left out.",)


def test_atom_with_xcal_is_read_and_has_a_next_page() -> None:
    reading = read("syndication", ATOM_XCAL, "https://hall.example/feed")
    assert fields_of(reading) == [
        {
            "id": "syndication:hall.example:urn:hall:1",
            "name": "Read & talk",
            "start": "2026-12-06T18:00:00+00:00",
            "attendance_mode": "online",
            "url": "https://hall.example/1",
            "event_status": "cancelled",
        }
    ]
    assert reading.follows == "https://hall.example/feed?page=2"
    assert read("syndication", ATOM_XCAL, "https://hall.example/feed?page=2").follows == ""  # it is this page
    elsewhere = ATOM_XCAL.replace("/feed?", "https://other.example/feed?")
    assert read("syndication", elsewhere, "https://hall.example/feed").follows == ""


def test_a_feed_without_dates_is_rejected() -> None:
    with pytest.raises(NotThisPlatform, match="none of its items has a date"):
        read("syndication", "<rss><channel><item><title>News</title><pubDate>today</pubDate></item></channel></rss>")
    assert read("syndication", "<rss><channel><title>None yet</title></channel></rss>").drafts == ()
    with pytest.raises(NotThisPlatform, match="the answer is a web page"):
        read("syndication", "<!doctype html><html><body><p>Log in</p></body></html>")


def test_invalid_xml_keeps_items_before_the_error() -> None:
    loose = EVENT_RSS.replace("Bring a bowl", "Bring a bowl &nbsp;& spoon")
    assert read("syndication", loose).drafts[0].fields["description"].startswith("Bring a bowl")
    cut = EVENT_RSS[: EVENT_RSS.index("<item><title>No date")]
    reading = read("syndication", cut)
    assert len(reading.drafts) == 1
    assert "is invalid in line" in reading.problems[0]


def test_entity_declarations_are_rejected() -> None:
    bomb = '<!DOCTYPE rss [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>' + EVENT_RSS.partition("?>")[2]
    with pytest.raises(NotThisPlatform):
        read("syndication", bomb)


def test_syndication_feeds_are_guesses() -> None:
    page = """<link rel="alternate" type="application/rss+xml" title="Events" href="/feed/">
    <link rel="alternate" type="application/rss+xml" title="Comments" href="/comments/feed/">
    <a href="/feed/page">Feed the ducks</a>"""
    assert urls(page, "syndication") == ["https://mill.example/feed/"]
    assert signs_on(page)["syndication"][0].guess is True
