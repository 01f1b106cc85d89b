"""Every platform: its signs, similar pages, and the values of its answers."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gleanery.feeds.platform import NotThisPlatform
from gleanery.feeds.platforms import PLATFORMS
from tests.feeds.parsing import BY_NAME, TODAY, answer, fields_of, signs_on, urls
from tests.feeds.platform_samples import SAMPLES, PlatformSample

BY_PLATFORM = {sample.platform: sample for sample in SAMPLES}
CALENDARS = [sample for sample in SAMPLES if sample.kind == "text/calendar"]
PLACE = {
    "venue_name": "Mill House",
    "address": "12 Mill Road",
    "locality": "Wickerby",
    "region": "CA",
    "postal_code": "90001",
}
POINT = {"lat": 38.25, "lon": -122.6}


def named(sample: PlatformSample) -> str:
    return sample.platform


def pages_of(platform: str, **facts: Any) -> list[dict[str, Any]]:
    """Return all events of the feed, following its pages."""
    sample = BY_PLATFORM[platform]
    url = BY_NAME[platform].address(sample.url, TODAY)
    found: list[dict[str, Any]] = []
    bodies = sample.bodies(TODAY)
    for body in bodies:
        reading = BY_NAME[platform].read(answer(body, url, **facts))
        found.extend(fields_of(reading))
        assert bool(reading.follows) == (body is not bodies[-1])
        url = reading.follows
    return found


def test_every_platform_has_a_sample() -> None:
    assert {platform.name for platform in PLATFORMS} == set(BY_PLATFORM)
    assert len(PLATFORMS) == len({platform.label for platform in PLATFORMS}) == len(SAMPLES)


@pytest.mark.parametrize("sample", SAMPLES, ids=named)
def test_a_page_shows_its_platform_and_where_the_feed_is(sample: PlatformSample) -> None:
    found = signs_on(sample.html, f"{sample.home}{sample.path}")
    assert next(iter(found)) == sample.platform
    assert [(sign.url, sign.guess) for sign in found[sample.platform]] == [(sample.url, sample.guess)]


@pytest.mark.parametrize("sample", CALENDARS, ids=named)
def test_platforms_with_calendar_files_use_the_calendar_parser(sample: PlatformSample) -> None:
    (event,) = pages_of(sample.platform)
    assert event["start"] == "2026-12-05T19:00:00+00:00"
    with pytest.raises(NotThisPlatform):
        BY_NAME[sample.platform].read(answer("<html>Sign in</html>", sample.url))


def test_the_events_calendar_is_read_in_the_zone_of_the_event() -> None:
    choir, fair, talk = pages_of("the_events_calendar")
    assert choir == {
        "id": "the_events_calendar:mill.example:714",
        "name": "Choir – all welcome",
        "start": "2026-12-05T19:00:00-08:00",
        "end": "2026-12-05T21:00:00-08:00",
        "description": "Bring a friend.\n\nTea after.",
        **PLACE,
        **POINT,
        "country": "US",
        "url": "http://mill.example/event/choir/",
        "image_url": "http://mill.example/choir.jpg",
        "cost": "Free",
        "is_accessible_for_free": True,
        "keywords": ["Music", "Singing"],
        "organizer_name": "Mill Choir",
    }
    assert fair == {
        "id": "the_events_calendar:mill.example:715",
        "name": "Fair",
        "event_status": "postponed",
        "start": "2026-12-09",
        "end": "2026-12-10",
    }
    # Without a known zone the time is in UTC; an online room is not a place.
    assert talk == {
        "id": "the_events_calendar:mill.example:716",
        "name": "Talk",
        "start": "2026-12-11T10:00:00+00:00",
        "attendance_mode": "online",
    }


def test_a_broken_event_is_left_out_and_reported() -> None:
    last = BY_PLATFORM["the_events_calendar"].bodies(TODAY)[1]
    assert BY_NAME["the_events_calendar"].read(answer(last)).problems == (
        "Event 2 “No day” has no start and was left out.",
        "Event 3 has no name and was left out.",
    )


def test_contacts_of_an_event_are_for_staff() -> None:
    first = BY_PLATFORM["the_events_calendar"].bodies(TODAY)[0]
    (contact,) = BY_NAME["the_events_calendar"].read(answer(first)).contacts
    assert (contact.name, contact.email, contact.phone) == ("Mill Choir", "sing@mill.example", "+17075550123")


def test_localist_gives_each_date_of_an_event() -> None:
    choir, week = pages_of("localist")
    assert choir == {
        "id": "localist:mill.example:1.10",
        "name": "Choir",
        "start": "2026-12-05T19:00:00-08:00",
        "description": "Bring a friend.",
        "attendance_mode": "offline",
        **PLACE,
        **POINT,
        "country": "US",
        "url": "http://mill.example/event/choir",
        "image_url": "http://mill.example/choir.jpg",
        "is_accessible_for_free": True,
        "keywords": ["Music", "singing"],
        "organizer_name": "School of Music",
    }
    assert week == {
        "id": "localist:mill.example:2.20",
        "name": "Open week",
        "start": "2026-12-06",
        "attendance_mode": "online",
        "virtual_url": "https://stream.example/open",
        "event_status": "cancelled",
        "cost": "$5",
        "is_accessible_for_free": False,
    }


def test_squarespace_uses_the_zone_of_the_site_and_ignores_default_places() -> None:
    choir, talk = pages_of("squarespace")
    assert choir == {
        "id": "squarespace:mill.example:5f1",
        "name": "Choir",
        "start": "2026-12-05T19:00:00+01:00",
        "end": "2026-12-05T21:00:00+01:00",
        "description": "Bring a friend.",
        **PLACE,
        **POINT,
        "country": "US",
        "url": "http://mill.example/events/choir",
        "image_url": "https://images.squarespace-cdn.com/choir.jpg",
        "keywords": ["Music", "singing"],
    }
    assert talk == {
        "id": "squarespace:mill.example:5f2",
        "name": "Talk",
        "event_status": "cancelled",
        "start": "2026-12-07T09:00:00+01:00",
    }


def test_legistar_cancellations_are_found_in_several_fields() -> None:
    first, second, third = pages_of("legistar", country="US")
    assert first == {
        "id": "legistar:webapi.legistar.com:wickerby:1",
        "name": "Board of Mills",
        "start": "2026-12-05T18:30:00",
        "venue_name": "Council Chamber",
        "address": "12 Mill Road",
        "url": "https://wickerby.legistar.com/MeetingDetail.aspx?ID=1",
        "organizer_name": "Board of Mills",
    }
    assert [(each["start"], each["event_status"]) for each in (second, third)] == [
        ("2026-12-06", "cancelled"),
        ("2026-12-07", "cancelled"),
    ]


def test_gancio_is_read_in_the_zone_of_the_country() -> None:
    (choir,) = pages_of("gancio", country="BG")
    assert choir == {
        "id": "gancio:mill.example:7",
        "name": "Choir",
        "start": "2026-12-05T21:00:00+02:00",
        "end": "2026-12-05T23:00:00+02:00",
        "venue_name": "Mill House",
        "address": "Mill Road 12",
        "lat": 42.5,
        "lon": 23.25,
        "url": "http://mill.example/event/choir-1",
        "image_url": "http://mill.example/media/choir.jpg",
        "keywords": ["singing"],
    }


def test_growthzone_is_read_as_xml_and_as_json() -> None:
    events = pages_of("growthzone")
    assert events == [
        {
            "id": "growthzone:mill.example:9",
            "name": "Breakfast & talk",
            "start": "2026-12-05T08:00:00",
            "end": "2026-12-05T09:30:00",
            "description": "Coffee.",
            "url": "http://mill.example/events/details/breakfast-9",
        },
        {"id": "growthzone:mill.example:10", "name": "Fair", "start": "2026-12-09", "end": "2026-12-10"},
    ]
    days = {"StartDate": "2026-12-09T00:00:00", "EndDate": "2026-12-10T00:00:00", "IsAllDayEvent": True}
    same = json.dumps([{"Id": 10, "Name": "Fair", **days}])
    assert fields_of(BY_NAME["growthzone"].read(answer(same, "http://mill.example/api/events"))) == events[1:]


def test_civicplus_days_and_times_are_combined() -> None:
    board, fair = pages_of("civicplus", country="US")
    assert board == {
        "id": "civicplus:mill.example:EID=1",
        "name": "Planning Board",
        "start": "2026-12-05T18:30:00",
        "end": "2026-12-05T20:00:00",
        "description": "Agenda to come.",
        **(PLACE | {"venue_name": "Town Hall"}),
        "url": "https://mill.example/Calendar.aspx?EID=1",
    }
    assert (fair["start"], fair["end"]) == ("2026-12-05", "2026-12-07")


def test_eventbrite_is_read_from_the_structured_data_of_its_pages() -> None:
    (choir,) = pages_of("eventbrite")
    assert (choir["name"], choir["start"], choir["event_status"]) == ("Choir", "2026-12-05T19:00:00-08:00", "scheduled")
    with pytest.raises(NotThisPlatform):
        BY_NAME["eventbrite"].read(answer("<html><h1>Sold out</h1></html>"))


LOOK_ALIKES = {
    "a plugin of another site": '<img src="https://other.example/wp-content/plugins/the-events-calendar/x.png">',
    "words about the plugin": "<p>We moved from the-events-calendar and tribe-events to paper.</p>",
    "the API of another site": '<a href="https://other.example/wp-json/tribe/events/v1/">theirs</a>',
    "a page about Localist": '<p>Localist</p><a href="https://news.example/localist-bought">read</a>',
    "a widget of somebody else": '<script src="https://w.example/widget/view?x=1"></script>',
    "Squarespace without events": '<script src="https://static1.squarespace.com/a.js"></script><a href="/about">a</a>',
    "a link to Squarespace": '<a href="https://www.squarespace.com/templates">made with</a><a href="/events">e</a>',
    "a host that ends alike": '<a href="https://notlegistar.com/Calendar.aspx">x</a><a href="https://www.legistar.com">y</a>',
    "Gancio in the text": '<p>gancio</p><meta name="description" content="gancio">',
    "pages of Meetup that are no groups": '<a href="https://www.meetup.com/find/?q=x">f</a><a href="https://www.meetup.com/">m</a>',
    "groups of others": "".join(f'<a href="https://www.meetup.com/group-{n}/">g</a>' for n in range(4)),
    "a host that only looks like Meetup": '<a href="https://notmeetup.com/mill/">x</a>',
    "public holidays": '<iframe src="https://calendar.google.com/calendar/embed?src=en.usa%23holiday%40group.v.calendar.google.com"></iframe>',
    "one event for Google Calendar": '<a href="https://calendar.google.com/calendar/render?action=TEMPLATE&text=Choir">add</a>',
    "a map of Google": '<iframe src="https://www.google.com/maps/embed?src=mill%40group.calendar.google.com"></iframe>',
    "ASP pages of somebody": '<a href="/Calendar.aspx">Calendar</a><a href="/RSSFeed.aspx?ModID=1">News</a>',
    "one event of CivicPlus": '<a href="/common/modules/iCalendar/iCalendar.aspx?eventID=77&feed=calendar">Add</a>',
    "the makers of Tockify": '<a href="https://tockify.com/">Tockify</a><a href="https://tockify.com/pricing">Prices</a>',
    "hours of a library": '<script src="https://mill.libcal.com/js/hours_today.js"></script>',
    "a number that is no calendar": '<a href="/course?cid=1234">Course</a>',
    "events without GrowthZone": '<a href="/events/details/breakfast">B</a>',
    "a link to live music": '<a href="/live/music">Live</a><script src="/live/player.js"></script>',
    "a name on another network": '<a href="https://social.example/@mill">Mill</a>',
    "another organisation's number": '<div id="SFctr2" data-org="10001"></div>',
    "help of Eventbrite": '<a href="https://www.eventbrite.com/help/">h</a><a href="https://eventbrite.evil.example/e/1">x</a>',
    "tickets elsewhere": '<a href="https://tickets.example/e/choir-1">t</a>',
}


@pytest.mark.parametrize("page", LOOK_ALIKES.values(), ids=LOOK_ALIKES.keys())
def test_similar_pages_show_no_feed(page: str) -> None:
    assert signs_on(page) == {}


def test_a_sign_in_headers_covers_equivalent_feeds() -> None:
    page = '<a href="/events/?ical=1">iCal</a><link rel="alternate" type="application/rss+xml" href="/events/feed/">'
    found = signs_on(page, x_tec_api_root="https://mill.example/wp-json/tribe/events/v1/")
    (sign,) = found["the_events_calendar"]
    assert sign.url == "https://mill.example/wp-json/tribe/events/v1/events"
    assert sign.covers == ("https://mill.example/events/?ical=1", "https://mill.example/events/feed/")


@pytest.mark.parametrize(
    ("platform", "page", "expected"),
    [
        (
            "the_events_calendar",
            '<script src="https://mill.example/blog/wp-content/plugins/the-events-calendar/a.js"></script>',
            ["https://mill.example/blog/wp-json/tribe/events/v1/events"],
        ),
        (
            "google_calendar",
            # several in one frame, one of them in base64 and one loaded late
            '<div data-lazy="https://www.google.com/calendar/embed?src=a%40x.org&amp;src=b%40x.org"></div>'
            '<a href="https://calendar.google.com/calendar/u/0?cid=Y0B4Lm9yZw">c</a>',
            [f"https://calendar.google.com/calendar/ical/{n}%40x.org/public/basic.ics" for n in "abc"],
        ),
        (
            "civicplus",
            '<a href="/common/modules/iCalendar/iCalendar.aspx?catID=14&feed=calendar">Main</a>'
            '<a href="/RSSFeed.aspx?ModID=58&CID=All-calendar.xml">RSS</a>',
            ["https://mill.example/common/modules/iCalendar/iCalendar.aspx?catID=14&feed=calendar"],
        ),
        (
            "civicplus",
            '<a href="/Calendar.aspx">Calendar</a><a href="https://www.civicplus.com">CivicPlus</a>',
            ["https://mill.example/RSSFeed.aspx?ModID=58&CID=All-calendar.xml"],
        ),
        (
            "localist",
            '<script src="https://events.mill.example/widget/view?days=31"></script><div id="localist-widget-1"></div>',
            ["https://events.mill.example/api/2/events"],
        ),
        ("meetup", '<a href="https://www.meetup.com/de-DE/mill/events/1/">x</a>', ["https://www.meetup.com/mill/events/ical/"]),
        ("tockify", '<a href="https://tockify.com/mill/agenda">x</a>', ["https://tockify.com/api/feeds/ics/mill"]),
        (
            "growthzone",
            '<script src="https://x.growthzone.com/a.js"></script><a href="https://biz.example/events/rss">r</a>',
            ["https://biz.example/events/rss"],
        ),
        (
            "eventbrite",
            '<a href="https://www.eventbrite.co.uk/o/mill-choir-99">all</a>'
            '<a href="https://www.eventbrite.co.uk/e/choir-1">one</a>',
            ["https://www.eventbrite.co.uk/o/mill-choir-99"],
        ),
        ("livewhale", '<script src="/live/resource/js/a.js"></script><div class="livewhale">x</div>', ["https://mill.example/live/ical/events"]),
        ("membershipworks", '<a href="https://api.membershipworks.com/v2/events?_op=ics&amp;org=77">Subscribe</a>', ["https://api.membershipworks.com/v2/events?_op=ics&org=77"]),
        (
            "squarespace",
            '<script src="https://static1.squarespace.com/a.js"></script><a href="/upcoming-events">Events</a>',
            ["https://mill.example/upcoming-events?format=json"],
        ),
        ("modern_events_calendar", '<a href="/?mec-ical-feed=1">iCal</a>', ["https://mill.example/?mec-ical-feed=1"]),
        ("libcal", '<a href="https://mill.libcal.com/ical_subscribe.php?src=p&amp;cid=12&amp;k=ab">Subscribe</a>', ["https://mill.libcal.com/ical_subscribe.php?src=p&cid=12&k=ab"]),
    ],
)  # fmt: skip
def test_signs_in_other_forms(platform: str, page: str, expected: list[str]) -> None:
    assert urls(page, platform) == expected


@pytest.mark.parametrize(
    ("platform", "asked"),
    [
        ("the_events_calendar", "http://mill.example/wp-json/tribe/events/v1/events?per_page=50&start_date=2026-11-19"),
        ("localist", "http://mill.example/api/2/events?days=180&pp=100"),
        ("legistar", "https://webapi.legistar.com/v1/wickerby/events?$filter=EventDate+ge+datetime'2026-11-19'"
         "&$orderby=EventDate%2CEventId&$top=500"),
    ],
)  # fmt: skip
def test_requests_ask_for_events_from_today(platform: str, asked: str) -> None:
    assert BY_NAME[platform].address(BY_PLATFORM[platform].url, TODAY) == asked


@pytest.mark.parametrize("sample", SAMPLES, ids=named)
def test_a_request_on_another_day_has_one_date_window(sample: PlatformSample) -> None:
    platform = BY_NAME[sample.platform]
    once = platform.address(sample.url, TODAY)
    assert platform.address(once, TODAY) == once


def test_a_platform_names_each_of_its_hosts_once() -> None:
    for platform in PLATFORMS:
        assert len(set(platform.hosts)) == len(platform.hosts), platform.name
