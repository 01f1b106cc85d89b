"""A sample per platform: a page that shows it, the address of its feed, and answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

JSON, XML, ICS, HTML = "application/json", "text/xml", "text/calendar", "text/html"
BERLIN = ZoneInfo("Europe/Berlin")


@dataclass(frozen=True)
class PlatformSample:
    """`answers` are the pages of the feed for a day on which it is asked; `page` has {home} for the site's address."""

    platform: str
    page: str
    feed: str  # {home} again, or an address on a host of the platform
    kind: str
    answers: Callable[[date], list[Any]]
    guess: bool = False
    host: str = "mill.example"
    path: str = "/events/"

    @property
    def home(self) -> str:
        return f"http://{self.host}"

    @property
    def html(self) -> str:
        return self.page.replace("{home}", self.home)

    @property
    def url(self) -> str:
        return self.feed.replace("{home}", self.home)

    def bodies(self, day: date) -> list[str]:
        return [each if isinstance(each, str) else json.dumps(each) for each in self.answers(day)]


def day_after(day: date, ahead: int, clock: str = "19:00:00") -> str:
    """Return a date and time as 2026-12-05 19:00:00."""
    return f"{day + timedelta(days=ahead)} {clock}"


def calendar(uid: str, name: str) -> Callable[[date], list[str]]:
    def answers(day: date) -> list[str]:
        start = f"{day + timedelta(days=16):%Y%m%d}T190000Z"
        event = ["BEGIN:VEVENT", f"UID:{uid}", f"SUMMARY:{name}", f"DTSTART:{start}", "END:VEVENT"]
        return ["\r\n".join(["BEGIN:VCALENDAR", "VERSION:2.0", f"X-WR-CALNAME:{name}", *event, "END:VCALENDAR", ""])]

    return answers


def of_wordpress(day: date) -> list[Any]:
    """Empty fields are false or an empty list."""
    choir = {
        "id": 714,
        "status": "publish",
        "url": "http://mill.example/event/choir/",
        "title": "Choir &#8211; all welcome",
        "description": "<p>Bring a <b>friend</b>.</p>\n<p>Tea after.</p>",
        "image": {"url": "http://mill.example/choir.jpg"},
        "all_day": False,
        "start_date": day_after(day, 16),
        "end_date": day_after(day, 16, "21:00:00"),
        "timezone": "America/Los_Angeles",
        "utc_start_date": day_after(day, 17, "03:00:00"),
        "cost": "Free",
        "categories": [{"name": "Music"}],
        "tags": [{"name": "Singing"}],
        "venue": {
            "venue": "Mill House",
            "address": "12 Mill Road",
            "city": "Wickerby",
            "country": "United States",
            "state": "CA",
            "zip": "90001",
            "geo_lat": 38.25,
            "geo_lng": -122.6,
        },
        "organizer": [{"organizer": "Mill Choir", "email": "sing@mill.example", "phone": "(707) 555-0123"}],
    }
    fair = {
        "id": 715,
        "title": "Postponed: Fair",
        "all_day": True,
        "start_date": day_after(day, 20, "00:00:00"),
        "end_date": day_after(day, 21, "23:59:59"),
        "timezone": "UTC+2",
        "image": False,
        "venue": [],
        "organizer": [],
    }
    talk = {
        "id": 716,
        "title": "Talk",
        "start_date": day_after(day, 22, "12:00:00"),
        "utc_start_date": day_after(day, 22, "10:00:00"),
        "timezone": "",
        "venue": {"venue": "Zoom"},
    }
    return [
        {"events": [choir, fair], "total_pages": 2, "next_rest_url": f"{TRIBE_API}?per_page=50&page=2"},
        {"events": [talk, {"id": 717, "title": "No day"}, "broken"], "total_pages": 2},
    ]


TRIBE_API = "http://mill.example/wp-json/tribe/events/v1/events"


def of_localist(day: date) -> list[Any]:
    def item(own: int, at: str, **more: Any) -> dict[str, Any]:
        instance = {"event_instance": {"id": own * 10, "start": at, "end": None, "all_day": False}}
        return {"event": {"id": own, "event_instances": [instance], **more}}

    first = item(
        1,
        f"{day + timedelta(days=16)}T19:00:00-08:00",
        title="Choir",
        description_text="Bring a friend.",
        localist_url="http://mill.example/event/choir",
        location_name="Mill House",
        address="",
        status="live",
        experience="inperson",
        free=True,
        ticket_cost="",
        photo_url="http://mill.example/choir.jpg",
        geo={"latitude": "38.25", "longitude": "-122.6", "street": "12 Mill Road", "city": "Wickerby", "state": "CA",
             "zip": "90001", "country": "US"},
        filters={"event_types": [{"name": "Music"}]},
        keywords=["singing"],
        groups=[{"name": "School of Music"}],
    )  # fmt: skip
    second = item(
        2,
        f"{day + timedelta(days=17)}T00:00:00-08:00",
        title="Open week",
        status="canceled",
        experience="virtual",
        stream_url="https://stream.example/open",
        ticket_cost="$5",
        free=False,
        location_name="Anywhere",
    )
    second["event"]["event_instances"][0]["event_instance"]["all_day"] = True
    return [
        {"events": [first], "page": {"current": 1, "size": 100, "total": 2}},
        {"events": [second, {"event": {"id": 3, "title": "Never"}}], "page": {"current": 2, "size": 100, "total": 2}},
    ]


def of_squarespace(day: date) -> list[Any]:
    def at(ahead: int, hour: int) -> int:
        moment = datetime(day.year, day.month, day.day, hour, tzinfo=BERLIN) + timedelta(days=ahead)
        return round(moment.timestamp() * 1000)

    place = {
        "addressTitle": "Mill House",
        "addressLine1": "12 Mill Road",
        "addressLine2": "Wickerby, CA, 90001",
        "addressCountry": "United States",
        "markerLat": 38.25,
        "markerLng": -122.6,
    }
    choir = {
        "id": "5f1",
        "title": "Choir",
        "startDate": at(16, 19),
        "endDate": at(16, 21),
        "fullUrl": "/events/choir",
        "excerpt": "<p>Bring a friend.</p>",
        "body": "",
        "assetUrl": "https://images.squarespace-cdn.com/choir.jpg",
        "location": place,
        "tags": ["singing"],
        "categories": ["Music"],
    }
    nowhere = {"addressTitle": "", "markerLat": 40.7207559, "markerLng": -74.0007613}
    talk = {"id": "5f2", "title": "CANCELLED Talk", "startDate": at(18, 9), "location": nowhere}
    head = {"website": {"timeZone": "Europe/Berlin"}, "collection": {"typeName": "events-stacked", "title": "Evenings"}}
    more = {"nextPage": True, "nextPageUrl": f"/events/?offset={at(17, 0)}"}
    return [{**head, "upcoming": [choir], "past": [], "pagination": more}, {**head, "upcoming": [talk]}]


def of_legistar(day: date) -> list[Any]:
    def meeting(own: int, ahead: int, time: str | None, **more: Any) -> dict[str, Any]:
        at = f"{day + timedelta(days=ahead)}T00:00:00"
        return {"EventId": own, "EventBodyName": "Board of Mills", "EventDate": at, "EventTime": time, **more}

    first = meeting(
        1,
        16,
        "6:30 PM",
        EventLocation="Council Chamber, 12 Mill Road",
        EventAgendaStatusName="Final",
        EventInSiteURL="https://wickerby.legistar.com/MeetingDetail.aspx?ID=1",
        EventComment=None,
    )
    return [[first, meeting(2, 17, None, EventAgendaStatusName="Cancelled"), meeting(3, 18, "CANCELED")]]


def of_gancio(day: date) -> list[Any]:
    at = datetime(day.year, day.month, day.day, 19, tzinfo=UTC) + timedelta(days=16)
    choir = {
        "id": 7,
        "title": "Choir",
        "slug": "choir-1",
        "start_datetime": round(at.timestamp()),
        "end_datetime": round(at.timestamp()) + 7200,
        "place": {"name": "Mill House", "address": "Mill Road 12", "latitude": 42.5, "longitude": 23.25},
        "tags": ["singing"],
        "media": [{"url": "choir.jpg"}],
    }
    return [[choir]]


def of_growthzone(day: date) -> list[Any]:
    return [
        f"""<ArrayOfEventDisplay xmlns="http://schemas.datacontract.org/2004/07/Micronet">
        <EventDisplay><Id>9</Id><Name>Breakfast &amp;amp; talk</Name>
        <StartDate>{day + timedelta(days=16)}T08:00:00</StartDate>
        <EndDate>{day + timedelta(days=16)}T09:30:00</EndDate><IsAllDayEvent>false</IsAllDayEvent>
        <Description>&lt;p&gt;Coffee.&lt;/p&gt;</Description><Slug>breakfast-9</Slug></EventDisplay>
        <EventDisplay><Id>10</Id><Name>Fair</Name><StartDate>{day + timedelta(days=20)}T00:00:00</StartDate>
        <EndDate>{day + timedelta(days=21)}T00:00:00</EndDate><IsAllDayEvent>true</IsAllDayEvent></EventDisplay>
        <EventDisplay><Id>11</Id><Name>Never</Name><StartDate>soon</StartDate></EventDisplay>
        </ArrayOfEventDisplay>"""
    ]


def of_civicplus(day: date) -> list[Any]:
    long = f"{day + timedelta(days=16):%B %d, %Y}"
    return [
        f"""<?xml version="1.0" encoding="utf-8"?>
        <rss version="2.0" xmlns:calendarEvent="https://mill.example/Calendar.aspx"><channel>
        <title>Town - Calendar</title>
        <item><title>Planning Board</title><link>https://mill.example/Calendar.aspx?EID=1</link><guid>EID=1</guid>
        <description>&lt;strong&gt;Agenda&lt;/strong&gt; to come.</description>
        <calendarEvent:EventDates>{long}</calendarEvent:EventDates>
        <calendarEvent:EventTimes>06:30 PM - 08:00 PM</calendarEvent:EventTimes>
        <calendarEvent:Location>Town Hall&lt;br&gt;12 Mill Road&lt;br&gt;Wickerby, CA 90001</calendarEvent:Location>
        </item>
        <item><title>Fair</title><guid>EID=2</guid>
        <calendarEvent:EventDates>{long} - {day + timedelta(days=18):%B %d, %Y}</calendarEvent:EventDates>
        <calendarEvent:EventTimes>12:00 AM - 11:59 PM</calendarEvent:EventTimes></item></channel></rss>"""
    ]


def of_syndication(day: date) -> list[Any]:
    return [
        f"""<rss version="2.0" xmlns:ev="http://purl.org/rss/1.0/modules/event/"><channel><title>Mill</title>
        <item><title>Choir</title><link>/choir</link><guid>c1</guid>
        <ev:startdate>{day + timedelta(days=16)}T19:00:00Z</ev:startdate></item></channel></rss>"""
    ]


def of_eventbrite(day: date) -> list[Any]:
    told = {
        "@context": "https://schema.org",
        "@type": "Event",
        "name": "Choir",
        "url": "https://www.eventbrite.com/e/choir-tickets-1",
        "startDate": f"{day + timedelta(days=16)}T19:00:00-08:00",
        "eventStatus": "https://schema.org/EventScheduled",
    }
    return [f'<html><script type="application/ld+json">{json.dumps(told)}</script></html>']


GENERATOR = '<meta name="generator" content="{0}">'
PLUGINS = "{home}/wp-content/plugins"
MEETUP = "https://www.meetup.com/mill-walkers/events/ical/"

SAMPLES: tuple[PlatformSample, ...] = (
    PlatformSample(
        "the_events_calendar",
        '<link rel="alternate" href="{home}/wp-json/tribe/events/v1/"><a href="/events/?ical=1">Subscribe</a>',
        "{home}/wp-json/tribe/events/v1/events",
        JSON,
        of_wordpress,
    ),
    PlatformSample("localist", '<a href="{home}/api/2/events">API</a>', "{home}/api/2/events", JSON, of_localist),
    PlatformSample(
        "squarespace",
        '<script src="https://static1.squarespace.com/static/site.js"></script>'
        '<article class="eventlist-event">x</article>',
        "{home}/events/?format=json",
        JSON,
        of_squarespace,
    ),
    PlatformSample(
        "legistar",
        '<a href="https://wickerby.legistar.com/Calendar.aspx">Meetings</a>',
        "https://webapi.legistar.com/v1/wickerby/events",
        JSON,
        of_legistar,
        guess=True,
    ),
    PlatformSample("gancio", GENERATOR.format("gancio v1.27.0"), "{home}/api/events", JSON, of_gancio, guess=True),
    PlatformSample(
        "meetup", '<a href="https://www.meetup.com/mill-walkers/">Walks</a>', MEETUP, ICS, calendar("m1", "Walk")
    ),
    PlatformSample(
        "google_calendar",
        '<iframe src="https://calendar.google.com/calendar/embed?src=mill%40group.calendar.google.com&ctz=x"></iframe>',
        "https://calendar.google.com/calendar/ical/mill%40group.calendar.google.com/public/basic.ics",
        ICS,
        calendar("g1", "Choir"),
    ),
    PlatformSample(
        "civicplus",
        '<a href="/RSSFeed.aspx?ModID=58&CID=All-calendar.xml">All</a>',
        "{home}/RSSFeed.aspx?ModID=58&CID=All-calendar.xml",
        XML,
        of_civicplus,
    ),
    PlatformSample(
        "tockify",
        '<div data-tockify-component="calendar" data-tockify-calendar="mill.house"></div>',
        "https://tockify.com/api/feeds/ics/mill.house",
        ICS,
        calendar("t1", "Choir"),
    ),
    PlatformSample(
        "libcal",
        '<iframe src="https://mill.libcal.com/embed_calendar.php?m=month&cid=1234"></iframe>',
        "https://mill.libcal.com/ical_subscribe.php?src=p&cid=1234",
        ICS,
        calendar("l1", "Story time"),
    ),
    PlatformSample(
        "growthzone",
        '<script src="https://chambermaster.blob.core.windows.net/x.js"></script>'
        '<a href="/events/details/breakfast">B</a>',
        "{home}/api/events",
        XML,
        of_growthzone,
        guess=True,
    ),
    PlatformSample(
        "modern_events_calendar",
        f'<script src="{PLUGINS}/modern-events-calendar-lite/assets/js/frontend.js"></script>',
        "{home}/?mec-ical-feed=1",
        ICS,
        calendar("mec1", "Choir"),
        guess=True,
    ),
    PlatformSample(
        "livewhale",
        '<a href="/live/ical/events">All events</a>',
        "{home}/live/ical/events",
        ICS,
        calendar("w1", "Talk"),
    ),
    PlatformSample(
        "mobilizon",
        GENERATOR.format("Mobilizon") + '<a href="/@mill">Mill</a>',
        "{home}/@mill/feed/ics",
        ICS,
        calendar("mo1", "Choir"),
    ),
    PlatformSample(
        "membershipworks",
        '<script src="https://cdn.membershipworks.com/mfm.js"></script>'
        '<div id="SFctr" class="SF" data-org="10001"></div>',
        "https://api.membershipworks.com/v2/events?_op=ics&org=10001",
        ICS,
        calendar("mw1", "Lunch"),
    ),
    PlatformSample(
        "eventbrite",
        '<a href="https://www.eventbrite.com/e/choir-tickets-1?aff=site">Tickets</a>',
        "https://www.eventbrite.com/e/choir-tickets-1",
        HTML,
        of_eventbrite,
    ),
    PlatformSample("icalendar", '<a href="/choir.ics">Calendar</a>', "{home}/choir.ics", ICS, calendar("i1", "Choir")),
    PlatformSample(
        "syndication",
        '<link rel="alternate" type="application/rss+xml" href="/feed/">',
        "{home}/feed/",
        XML,
        of_syndication,
        guess=True,
    ),
)
