"""Console shows words instead of codes, except in addresses."""

import re
from collections.abc import Callable
from html import unescape

import pytest
from django.test import Client

from gleanery import words
from gleanery.accounts.actor import system
from gleanery.crawling.models import Crawl
from gleanery.discovery import services as discovery
from gleanery.discovery.models import Session
from gleanery.domains.models import Domain
from gleanery.judging import services as judging
from gleanery.judging.models import Candidate
from gleanery.resolution.models import Record
from gleanery.review.models import Item
from gleanery.roles import Role
from tests.judging.test_services import GOOD, WEAK, take
from tests.resolution.shop import BACKWARDS, record_of, tell
from tests.review.shop import proposed, put

pytestmark = pytest.mark.django_db

LoggedIn = Callable[[Role], Client]
LISTS = (
    *("review/item", "domains/domain", "judging/candidate", "judging/run", "discovery/session", "discovery/result"),
    *("crawling/crawl", "resolution/record", "extraction/observation", "accounts/journalentry"),
    "procrastinate/procrastinatejob",
)
CODE = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")


def visible(page: str) -> str:
    """The text of a page, without the names of its icons."""
    body = re.sub(r"<(script|style)\b.*?</\1>", " ", page.partition("<body")[2], flags=re.DOTALL)
    drawn = re.sub(r"<span[^>]*material-symbols.*?</span>", " ", body, flags=re.DOTALL)
    return unescape(re.sub(r"<[^>]*>", " ", drawn))


@pytest.fixture
def full_house(db: None) -> None:
    session = discovery.start_file_session(system(), discovery.add_topic(system(), "funding", "Bulgaria"))
    take(session, ("https://iskra.bg/", GOOD), ("https://recipes.example/", WEAK))
    judging.judge_session(session)
    put("rejected", "old.lampa.bg")
    proposed("lampa.bg")
    record = record_of(tell("a", "event", "1", **BACKWARDS))
    Item.objects.get(record=record).warnings.create(code="potential_duplicate", sentence="Like it.")


@pytest.mark.parametrize("page", ["", *(f"{each}/" for each in LISTS)])
def test_lists_and_filters_show_no_codes(full_house: None, logged_in: LoggedIn, page: str) -> None:
    answer = logged_in(Role.ADMIN).get(f"/admin/{page}", {"status": "all"} if page.startswith("review") else {})
    assert set(CODE.findall(visible(answer.content.decode()))) == set()


def test_detail_pages_show_no_codes(full_house: None, logged_in: LoggedIn) -> None:
    client = logged_in(Role.ADMIN)
    for model in (Item, Domain, Candidate, Crawl, Record):
        for row in model.objects.all():  # type: ignore[attr-defined]
            address = f"/admin/{row._meta.app_label}/{row._meta.model_name}/{row.pk}/change/"
            assert set(CODE.findall(visible(client.get(address).content.decode()))) == set(), address


def test_figures_of_a_session_have_names(full_house: None, logged_in: LoggedIn) -> None:
    session = Session.objects.get()
    page = visible(logged_in(Role.VIEWER).get(f"/admin/discovery/session/{session.pk}/change/").content.decode())
    assert re.search(r"new domains\s+\d+\s+\d+\s+duplicates\s+\d+", page)


def test_filters_keep_codes_in_their_addresses(full_house: None, logged_in: LoggedIn) -> None:
    client = logged_in(Role.VIEWER)
    for page, code, parameter in (
        ("domains/domain", "pending_review", "approval_status__exact"),
        ("review/item", "potential_duplicate", "warning"),
        ("resolution/record", "in_review", "status"),
    ):
        text = client.get(f"/admin/{page}/", {parameter: code}).content.decode()
        assert f"{parameter}={code}" in text or f'value="{code}"' in text, page
        assert words.of(code) in visible(text).replace("\n", " "), page
