"""The page of a record: what it tells first, to whom it leads, what never leaves the house, what became of the gone."""

from __future__ import annotations

import json
import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from icalendar import Calendar

from gleanery.accounts.actor import Actor
from gleanery.resolution import services as resolution
from gleanery.resolution.models import Record
from tests.publishing.test_freshness import evening, read
from tests.resolution.shop import BACKWARDS, JAZZ, record_of, tell

pytestmark = pytest.mark.django_db
ORGANISER = {"organizer_name": "Jazz Club Sofia", "country": "BG"}


def page_of(client: Client, record: Record) -> str:
    answer = client.get(f"/records/{record.pk}/")
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def test_what_a_visitor_needs_stands_first(client: Client) -> None:
    record = record_of(
        tell("town.example", "event", "1", **JAZZ, **ORGANISER, cost="12 lv", end="2027-03-12T22:00:00+02:00")
    )
    page = page_of(client, record)
    assert "Fri 12 Mar 2027, 19:00 – 22:00" in page
    assert "Sofia time" in page
    assert "12 lv" in page
    page = page.partition("<main")[2]
    assert page.index("At a glance") < page.index("An evening with the trio.") < page.index("Who says so")
    assert "last seen today" in page


def test_a_time_in_utc_is_told_on_the_clock_of_the_place(client: Client) -> None:
    told = JAZZ | {"start": "2027-07-12T17:00:00Z", "country": "BG"}
    assert "Mon 12 Jul 2027, 20:00" in page_of(client, record_of(tell("a", "event", "1", **told)))


def test_venue_and_organiser_have_pages_with_what_else_is_on(client: Client) -> None:
    first = record_of(tell("a", "event", "1", **JAZZ, **ORGANISER))
    tell("a", "event", "2", **(JAZZ | ORGANISER | {"name": "Tango lesson", "start": "2027-03-14T18:00:00+02:00"}))
    page = page_of(client, first)
    assert "Also at The Rex" in page
    assert "Tango lesson" in page
    assert first.place is not None
    assert first.organization is not None
    assert f'href="/records/{first.place.pk}/the-rex/"' in page
    for named, heading in ((first.place, "What is on here"), (first.organization, "What it runs and offers")):
        page = page_of(client, named)
        assert page.index(heading) < page.index("Tango lesson") < page.index("Who says so")
        assert page.count("last seen") == 1, "a source that names it twice is one source"


def test_programs_read_where_it_is_and_how_to_join(client: Client) -> None:
    spot = {"lat": 42.69, "lon": 23.32, "attendance_mode": "mixed", "virtual_url": "https://meet.example/jazz"}
    record = record_of(tell("a", "event", "1", **JAZZ, **spot))
    assert record.place is not None
    (document,) = re.findall(r'<script type="application/ld\+json">(.*?)</script>', page_of(client, record))
    told = json.loads(document)
    place, online = told["location"]
    assert place["url"] == f"http://testserver/records/{record.place.pk}/the-rex/"
    assert place["geo"] == {"@type": "GeoCoordinates", "latitude": 42.69, "longitude": 23.32}
    assert online == {"@type": "VirtualLocation", "url": "https://meet.example/jazz"}
    assert told["eventAttendanceMode"] == "https://schema.org/MixedEventAttendanceMode"


def test_two_pages_of_one_site_are_told_apart(client: Client) -> None:
    record = record_of(tell("town.example", "event", "1", **JAZZ, url="https://town.example/jazz%E2%80%AE/"))
    tell("town.example", "event", "2", **JAZZ, url="https://town.example/whats-on")
    page = page_of(client, record)
    assert ">town.example/jazz</a>" in page
    assert ">town.example/whats-on</a>" in page


def test_the_address_has_a_readable_end_and_a_wrong_one_leads_to_it(client: Client) -> None:
    record = record_of(tell("a", "event", "1", **(JAZZ | {"name": "Джаз вечер"})))
    good = f"/records/{record.pk}/dzhaz-vecher/"
    assert f'rel="canonical" href="http://testserver{good}"' in page_of(client, record)
    assert client.get(good).status_code == 200
    answer = client.get(f"/records/{record.pk}/something-else/")
    assert (answer.status_code, answer["Location"]) == (308, good)


def test_a_merged_record_leads_to_its_survivor(client: Client, admin: Actor) -> None:
    one, other = (record_of(tell("a", "event", str(n), **(JAZZ | {"name": name}))) for n, name in enumerate(("A", "B")))
    resolution.merge(admin, one, other)
    answer = client.get(f"/records/{one.pk}/")
    assert answer.status_code == 308
    assert str(other.pk) in answer["Location"]


def test_what_is_gone_says_so_and_what_waits_is_not_there(client: Client, admin: Actor) -> None:
    gone = record_of(tell("a", "event", "1", **JAZZ))
    resolution.delete(admin, gone, "asked for")
    answer = client.get(f"/records/{gone.pk}/")
    assert answer.status_code == 410
    assert "Jazz" not in answer.content.decode()
    waiting = record_of(tell("a", "event", "2", **(BACKWARDS | {"name": "Backwards"})))
    assert waiting.status == "in_review"
    for address in ("", "calendar.ics"):
        assert client.get(f"/records/{waiting.pk}/{address}").status_code == 404


def test_a_source_that_stopped_listing_it_is_named_and_two_readings_without_it_are_a_notice(client: Client) -> None:
    record, its_page = evening()
    read(its_page, -1, says=False)
    page = page_of(client, record)
    assert "no longer lists it since" in page
    assert "No longer listed by its source since" not in page
    read(its_page, 1, says=False)
    assert "No longer listed by its source since" in page_of(client, record)


HOSTILE = "\"><script>alert(1)</script><img src=x onerror=alert(2)>'{{7*7}}</title>"
TEXTS = ("name", "description", "venue_name", "address", "locality", "region", "organizer_name", "cost", "eligibility")


def test_whatever_a_source_writes_is_text_and_never_markup(client: Client) -> None:
    texts = {name: f"{name} {HOSTILE}" for name in TEXTS} | {"event_status": HOSTILE, "in_language": HOSTILE}
    told = JAZZ | texts | {"keywords": [HOSTILE], "url": 'https://a.example/"onmouseover="alert(3)'}
    record = record_of(tell(f"source {HOSTILE}", "event", "1", **told))
    Record.objects.filter(pk=record.pk).update(
        fields={**record.fields, "virtual_url": "javascript:alert(4)", "public_url": "data:text/html,x"}
    )
    for each in (record, record.place, record.organization):
        assert each is not None
        page = page_of(client, each)
        assert "<script>" not in page
        assert "<img" not in page
        assert "javascript:" not in page
        (document,) = re.findall(r'<script type="application/ld\+json">(.*?)</script>', page)
        assert '"onmouseover' not in page.replace(document, "")
        assert json.loads(document)["name"] == each.name


def test_a_contact_is_in_no_output(client: Client) -> None:
    planted = {"phone": "+359 88 123 4567", "email": "ivana@home.example"}
    event = record_of(tell("a", "event", "1", **JAZZ, **planted))
    place = record_of(tell("a", "place", "2", name="Chitalishte Svetlina", locality="Sofia", **planted))
    for address in (f"/records/{event.pk}/", f"/records/{event.pk}/calendar.ics", f"/records/{place.pk}/"):
        text = client.get(address).content.decode()
        assert "4567" not in text
        assert "ivana" not in text


def test_a_page_that_did_not_change_is_not_sent_again(client: Client) -> None:
    record = record_of(tell("a", "event", "1", **JAZZ))
    first = client.get(f"/records/{record.pk}/")
    assert first["Cache-Control"] == "public, max-age=300"
    assert {"Accept-Language", "Cookie"} <= set(first["Vary"].split(", "))
    again = client.get(f"/records/{record.pk}/", headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert (
        client.get(f"/records/{record.pk}/", headers={"If-Modified-Since": first["Last-Modified"]}).status_code == 304
    )
    tell("a", "event", "1", **(JAZZ | {"description": "Another evening."}))
    assert client.get(f"/records/{record.pk}/", headers={"If-None-Match": first["ETag"]}).status_code == 200


def test_the_calendar_file_has_the_instant_and_the_link(client: Client) -> None:
    record = record_of(tell("a", "event", "1", **JAZZ))
    answer = client.get(f"/records/{record.pk}/calendar.ics")
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    (event,) = Calendar.from_ical(answer.content).walk("VEVENT")
    assert event["DTSTART"].dt.isoformat() == "2027-03-12T17:00:00+00:00"
    assert str(event["SUMMARY"]) == "Jazz Night"
    assert str(event["URL"]).endswith(f"/records/{record.pk}/jazz-night/")


def test_funding_tells_when_it_closes_and_how_much_it_gives(client: Client) -> None:
    day = timezone.now().date() + timedelta(days=3)
    told = {"funder_name": "Kestrel Fund", "deadline": f"{day}", "amount_max": 5000, "currency": "GBP"}
    record = record_of(tell("a", "funding", "1", name="Small grants for halls", **told))
    page = page_of(client, record)
    assert "up to £5,000" in page
    assert "in 3 days" in page
    assert "Kestrel Fund" in page
    (event,) = Calendar.from_ical(client.get(f"/records/{record.pk}/calendar.ics").content).walk("VEVENT")
    assert event["DTSTART"].dt == day


def test_the_language_is_the_visitors(client: Client) -> None:
    record = record_of(tell("a", "event", "1", **JAZZ))
    address = f"/records/{record.pk}/"
    page = client.get(address, headers={"Accept-Language": "bg-BG,bg;q=0.9"}).content.decode()
    assert '<html lang="bg">' in page
    assert "Кой го казва" in page
    assert "12 март 2027" in page.lower() or "12 мар 2027" in page.lower()
    answer = client.get(f"/language/bg/?next={address}")
    assert (answer.status_code, answer["Location"]) == (302, address)
    assert '<html lang="bg">' in client.get(address, headers={"Accept-Language": "en"}).content.decode()


@pytest.mark.parametrize("elsewhere", ["//evil.example/", "/\\evil.example", "https://evil.example/", ""])
def test_the_switch_of_languages_leads_to_no_other_site(client: Client, elsewhere: str) -> None:
    assert client.get("/language/bg/", {"next": elsewhere})["Location"] == "/"
