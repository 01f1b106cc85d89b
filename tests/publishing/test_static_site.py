"""The static copy: every page and no dead link, nothing that only a server can do, written anew only where changed."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from django.utils import timezone
from selectolax.lexbor import LexborHTMLParser

from gleanery.accounts.actor import Actor
from gleanery.errors import Invalid
from gleanery.publishing.static_site import addresses
from gleanery.publishing.static_site.services import Copied, copy_site
from gleanery.resolution import services as resolution
from gleanery.resolution.models import Record
from tests.publishing.things import EMAIL, PHONE, fill
from tests.resolution.shop import WORDS, record_of, tell

pytestmark = pytest.mark.django_db
BASE = "https://pages.example/city"


def copy(folder: Path, **options: str) -> Copied:
    return copy_site(folder, BASE, **options)


def day(ahead: int) -> str:
    return f"{timezone.now().date() + timedelta(days=ahead)}"


def links(folder: Path, name: str) -> list[str]:
    tree = LexborHTMLParser((folder / name).read_text())
    found = [node.attributes.get(attribute) for tag, attribute in _LINKS for node in tree.css(f"{tag}[{attribute}]")]
    return [each for each in found if each]


_LINKS = (("a", "href"), ("link", "href"), ("script", "src"), ("img", "src"), ("form", "action"))


def html_files(folder: Path) -> list[str]:
    return [str(each.relative_to(folder)) for each in sorted(folder.rglob("*.html"))]


def leads_nowhere(folder: Path, name: str) -> list[str]:
    """Links of a page that lead to no file of the copy, and to no other site."""
    dead = []
    for link in links(folder, name):
        if link.startswith(("https://", "#", "data:", "mailto:", "webcal:")):
            continue
        path = unquote(urlsplit(urljoin(f"/{name}", link)).path)
        if not (folder / addresses.file_of(path)).is_file():
            dead.append(link)
    return dead


def test_no_link_of_any_page_leads_nowhere(tmp_path: Path) -> None:
    fill()
    done = copy(tmp_path)
    pages = html_files(tmp_path)
    assert done.records == Record.objects.filter(status="published").count()
    assert len(pages) > done.records
    assert {name: dead for name in pages if (dead := leads_nowhere(tmp_path, name))} == {}


def test_pages_stand_at_the_addresses_that_they_have_on_the_live_site(tmp_path: Path) -> None:
    record = fill()["event"]
    copy(tmp_path)
    page = (tmp_path / f"records/{record.pk}/jazz-blues/index.html").read_text()
    assert f'rel="canonical" href="{BASE}/records/{record.pk}/jazz-blues/"' in page
    assert (tmp_path / f"records/{record.pk}/calendar.ics").read_bytes().startswith(b"BEGIN:VCALENDAR")
    assert f"{BASE}/records/{record.pk}/" in (tmp_path / "sitemap-1.xml").read_text()


def test_nothing_that_only_a_server_can_do_is_in_it(tmp_path: Path) -> None:
    fill()
    copy(tmp_path)
    text = "".join(each.read_text() for each in tmp_path.rglob("*.html"))
    for absent in ("/submit/", "/admin/", "/language/", "localhost", PHONE, EMAIL):
        assert absent not in text, absent


def test_it_can_lead_to_the_live_site_for_that(tmp_path: Path) -> None:
    fill()
    copy(tmp_path, live_url="https://live.example")
    assert 'href="https://live.example/submit/"' in (tmp_path / "index.html").read_text()


def test_lists_are_cut_into_pages_and_events_also_into_months(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gleanery.publishing.static_site.lists.A_PAGE", 2)
    for number, word in enumerate(WORDS[:5]):
        tell("a", "event", word, name=f"{word} evening", start=day(number + 1), venue_name=f"House {word}")
    copy(tmp_path)
    assert [
        (tmp_path / addresses.file_of(addresses.numbered(addresses.list_path("event"), n))).exists()
        for n in (1, 2, 3, 4)
    ] == [
        *(True, True, True),
        False,
    ]
    month = (tmp_path / f"months/{day(1)[:7]}/index.html").read_text()
    assert f"{WORDS[0]} evening" in month


def test_a_second_copy_writes_only_what_changed_and_deletes_what_is_gone(tmp_path: Path, admin: Actor) -> None:
    made = fill()
    copy(tmp_path)
    assert copy(tmp_path).written == 0
    lean = record_of(tell("a", "organization", "x", name="Amber house", locality="Ruse"))
    again = copy(tmp_path)
    assert 0 < again.written < again.files / 2
    assert (tmp_path / f"records/{lean.pk}/amber-house/index.html").exists()
    resolution.delete(admin, made["service"], "asked for")
    assert copy(tmp_path).deleted == 1
    assert not (tmp_path / f"records/{made['service'].pk}").exists()


def test_a_folder_with_other_files_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(Invalid, match="other files"):
        copy(tmp_path)
    assert [each.name for each in tmp_path.iterdir()] == ["thesis.txt"]


def test_the_index_holds_what_is_to_come_folded_for_search(tmp_path: Path) -> None:
    tell("a", "event", "1", name="Джаз вечер", start=day(3), venue_name="Клуб", locality="Пловдив")
    tell("a", "event", "2", name="Long ago", start=day(-30), venue_name="Клуб", locality="Пловдив")
    copy(tmp_path)
    index = json.loads((tmp_path / "search-index.json").read_text())
    event = next(each for each in index["entries"] if each["kind"] == "event")
    assert "plovdiv" in event["words"]
    assert "Long ago" not in {each["name"] for each in index["entries"]}
    assert index["letters"]["П"] == "p"


def test_an_empty_store_gives_an_empty_site(tmp_path: Path) -> None:
    copy(tmp_path)
    assert (tmp_path / "index.html").exists()
    assert {name: dead for name in html_files(tmp_path) if (dead := leads_nowhere(tmp_path, name))} == {}


@pytest.mark.parametrize(
    ("to", "page", "link"),
    [
        ("/", "/", "./"),
        ("/records/1/a/", "/", "records/1/a/"),
        ("/", "/records/1/a/", "../../../"),
        ("/search/?q=a", "/lists/event/2/", "../../../search/?q=a"),
        ("/static/public/public.css", "/lists/event/", "../../static/public/public.css"),
    ],
)
def test_links_are_relative_so_that_the_copy_may_stand_in_any_folder(to: str, page: str, link: str) -> None:
    assert addresses.relative(to, page) == link
