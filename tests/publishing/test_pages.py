"""The pages About and Data, the logo, and what every public page has in common."""

from __future__ import annotations

import struct
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from gleanery.accounts.actor import Actor
from gleanery.errors import Invalid
from gleanery.publishing import services
from gleanery.publishing.site import languages, presentation
from gleanery.publishing.site.logo import LARGEST
from gleanery.publishing.site.offers import OFFERS
from gleanery.resolution.models import Record
from gleanery.roles import Role
from tests.publishing.test_site import FORM
from tests.resolution.shop import JAZZ, record_of, tell

LoggedIn = Callable[[Role], Client]
pytestmark = pytest.mark.django_db
PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR"
WEBP = b"RIFF\x10\x00\x00\x00WEBPVP8 "


@pytest.fixture(autouse=True)
def _counted_anew() -> None:
    cache.clear()


def text_of(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def test_about_counts_sources_and_entries_and_says_whom_to_write_to(client: Client, admin: Actor) -> None:
    tell("town.example", "event", "1", **JAZZ)
    tell("gazette.example", "event", "1", **JAZZ)
    said = {"about_text": "First <b>paragraph</b>.\n\nSecond.", "contact": "desk@thornbury.example"}
    services.present(admin, **said)
    page = text_of(client, "/about/")
    assert "town.example" in page
    assert "2 entries, last seen today" in page, "the event and its venue"
    assert "<p>First &lt;b&gt;paragraph&lt;/b&gt;.</p>" in page
    assert 'href="mailto:desk@thornbury.example"' in page


def test_data_lists_addresses_that_answer_and_no_others(client: Client) -> None:
    page = text_of(client, "/data/")
    assert "http://testserver/api/v1/openapi.json" in page
    for offer in OFFERS:
        for address in offer.addresses:
            if f"http://testserver{address}" in page:
                answer = client.get(address)
                assert answer.status_code == 200, address
                b"".join(answer)  # read to its end, a file is closed


@pytest.mark.parametrize("path", ["/", "/search", "/about/", "/data/", "/robots.txt", "/sitemap.xml", "/sitemap-1.xml"])
def test_a_page_may_be_kept_and_is_not_sent_again_unchanged(client: Client, path: str) -> None:
    first = client.get(path)
    assert first["Cache-Control"] == "public, max-age=300"
    again = client.get(path, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_the_sitemap_has_the_pages_about_the_site(client: Client) -> None:
    page = text_of(client, "/sitemap-1.xml")
    assert "<loc>http://testserver/about/</loc>" in page
    assert "<loc>http://testserver/data/</loc>" in page


def test_what_is_gone_leads_on_to_a_search(client: Client) -> None:
    record = record_of(tell("a", "event", "1", **JAZZ))
    Record.objects.filter(pk=record.pk).update(status="deleted")
    answer = client.get(f"/records/{record.pk}/")
    page = answer.content.decode()
    assert answer.status_code == 410
    assert "No longer here" in page
    assert 'action="/search"' in page


def test_an_admin_sets_a_logo_and_takes_it_away(logged_in: LoggedIn, client: Client) -> None:
    admin = logged_in(Role.ADMIN)
    picture = SimpleUploadedFile("logo.png", PNG, "text/html")
    assert admin.post("/admin/publishing/publicsite/add/", FORM | {"picture": picture}).status_code == 302
    address = presentation.current().logo_address
    assert f'<img src="{address}" alt="">' in client.get("/").content.decode()
    answer = client.get(address)
    assert (answer.content, answer["Content-Type"]) == (PNG, "image/png")
    assert "immutable" in answer["Cache-Control"]
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert address in admin.get("/admin/publishing/publicsite/1/change/").content.decode()
    assert admin.post("/admin/publishing/publicsite/1/change/", FORM).status_code == 302
    assert presentation.current().logo_address == address, "saving other things keeps it"
    taken = FORM | {"without_logo": "on"}
    assert admin.post("/admin/publishing/publicsite/1/change/", taken).status_code == 302
    assert presentation.current().logo_address == ""
    assert client.get(address).status_code == 404


@pytest.mark.parametrize(
    "content",
    [b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"GIF89a", b"RIFF____WAVE", PNG[1:], PNG + b"0" * LARGEST],
)
def test_a_logo_is_a_small_picture_by_its_first_bytes(logged_in: LoggedIn, admin: Actor, content: bytes) -> None:
    picture = SimpleUploadedFile("logo.png", content, "image/png")
    answer = logged_in(Role.ADMIN).post("/admin/publishing/publicsite/add/", FORM | {"picture": picture})
    assert answer.status_code == 200
    assert "The logo" in answer.content.decode()
    with pytest.raises(Invalid):
        services.present(admin, picture=content)
    assert services.present(admin, picture=WEBP).logo_type == "image/webp"


def test_a_time_of_unknown_zone_is_that_of_the_site(client: Client, admin: Actor) -> None:
    record = record_of(tell("a", "event", "1", **(JAZZ | {"start": "2027-07-12T17:00:00Z", "locality": "Thornbury"})))
    assert '17:00 <span class="note">UTC' in text_of(client, f"/records/{record.pk}/")
    services.present(admin, zone="Europe/London")
    assert 'Mon 12 Jul 2027, 18:00 <span class="note">London time' in text_of(client, f"/records/{record.pk}/")


def test_a_series_is_one_page_with_its_dates(client: Client) -> None:
    first = timezone.now().date() + timedelta(days=20)
    days = [{"start": f"{first + timedelta(weeks=week)}T18:00:00+02:00"} for week in range(15)]
    record = record_of(tell("a", "event", "1", **(JAZZ | {"start": days[0]["start"], "occurrences": days})))
    page = text_of(client, f"/records/{record.pk}/")
    assert "and 14 more dates" in page
    assert "Dates to come" in page
    assert "<summary>3 later dates</summary>" in page


def test_a_page_can_be_shared_and_found_on_a_map(client: Client) -> None:
    record = record_of(tell("a", "event", "1", **(JAZZ | {"name": 'Jazz & "more"', "lat": 42.69, "lon": 23.32})))
    page = text_of(client, f"/records/{record.pk}/")
    assert '<meta name="twitter:card" content="summary">' in page
    assert 'content="Jazz &amp; &quot;more&quot;"' in page
    assert 'href="mailto:?subject=Jazz%20%26%20%22more%22&amp;body=http%3A%2F%2Ftestserver%2Frecords%2F' in page
    assert "https://www.openstreetmap.org/?mlat=42.69000&amp;mlon=23.32000" in page


def test_a_further_language_is_a_compiled_file(tmp_path: Path) -> None:
    for code in ("fr", "de", "tlh"):
        (tmp_path / code / "LC_MESSAGES").mkdir(parents=True)
    for code in ("fr", "tlh"):
        (tmp_path / code / "LC_MESSAGES" / "django.mo").touch()
    assert languages.known(tmp_path) == {"en": "English", "fr": "Français", "tlh": "tlh"}
