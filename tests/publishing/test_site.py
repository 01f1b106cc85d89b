"""How the public site presents itself, who may change that, and what search engines are told."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from lxml import etree

from gleanery.accounts.actor import Actor
from gleanery.accounts.models import JournalEntry
from gleanery.errors import Invalid
from gleanery.publishing import services
from gleanery.publishing.search import sitemap
from gleanery.publishing.site import accent, presentation
from gleanery.roles import Role
from tests.resolution.shop import BACKWARDS, JAZZ, record_of, tell

LoggedIn = Callable[[Role], Client]
pytestmark = pytest.mark.django_db
FORM = {
    "name": "Thornbury",
    "about": "What is on in Thornbury",
    "accent": "#1f5f8b",
    "language": "bg",
    "zone": "Europe/London",
}


def test_an_admin_sets_name_line_colour_and_language_in_the_console(logged_in: LoggedIn, client: Client) -> None:
    admin = logged_in(Role.ADMIN)
    assert admin.get("/admin/publishing/publicsite/", follow=True).status_code == 200
    assert admin.post("/admin/publishing/publicsite/add/", FORM).status_code == 302
    page = client.get("/").content.decode()
    assert "<title>Thornbury</title>" in page
    assert "What is on in Thornbury" in page
    assert "--accent: #1f5f8b;" in page
    assert '<html lang="bg">' in page
    assert admin.post("/admin/publishing/publicsite/1/change/", FORM | {"name": "Severn"}).status_code == 302
    assert presentation.current().name == "Severn"
    entry = JournalEntry.objects.filter(action="present").latest("id")
    assert (entry.before["name"], entry.after["name"]) == ("Thornbury", "Severn")


@pytest.mark.parametrize("role", [Role.VIEWER, Role.REVIEWER])
def test_nobody_else_changes_it(logged_in: LoggedIn, role: Role) -> None:
    assert logged_in(role).post("/admin/publishing/publicsite/add/", FORM).status_code == 403
    assert logged_in(role).get("/admin/publishing/publicsite/").status_code == 200
    assert presentation.current().name == "Gleanery"


@pytest.mark.parametrize("colour", ["red", "#FFF", "#2c6a4", "#2c6a41;}body{display:none", "#ffee00", "#777777", ""])
def test_a_colour_that_is_none_or_cannot_be_read_is_refused(admin: Actor, colour: str) -> None:
    with pytest.raises(ValidationError):
        accent.checked(colour)
    with pytest.raises(Invalid):
        services.present(admin, accent=colour)


def test_contrast_is_that_of_wcag() -> None:
    assert accent.contrast_to_white("#000000") == pytest.approx(21)
    assert accent.contrast_to_white("#767676") == pytest.approx(4.54, abs=0.01)


def test_the_sitemap_lists_what_is_published_alone(client: Client) -> None:
    record = record_of(tell("a", "event", "1", **(JAZZ | {"name": "Rock & <roll>"})))
    waiting = record_of(tell("a", "event", "2", **(BACKWARDS | {"name": "Waiting"})))
    robots = client.get("/robots.txt").content.decode()
    assert "Sitemap: http://testserver/sitemap.xml" in robots
    assert "Disallow: /admin/" in robots
    (part,) = (each.text for each in etree.fromstring(client.get("/sitemap.xml").content).iter("{*}loc"))
    pages = [each.text for each in etree.fromstring(client.get(part).content).iter("{*}loc")]
    assert f"http://testserver/records/{record.pk}/rock-roll/" in pages
    assert "http://testserver/" in pages
    assert not [each for each in pages if str(waiting.pk) in str(each)]
    assert client.get("/sitemap-99999999999999999999.xml").status_code == 200


def test_a_large_site_has_a_sitemap_of_several_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(3):
        tell("a", "funding", f"{number}", name=f"Fund {number}", funder_name=f"Funder {number}", deadline="2027-01-01")
    monkeypatch.setattr(sitemap, "A_PART", 4)
    assert list(sitemap.parts()) == [1, 2]
    assert [len(sitemap.pages(number)) for number in (1, 2, 3)] == [4, 2, 0]
