"""From pages of the sample web to records: an event on two sites under one name is one record."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from gleanery.demo.sites import truth
from gleanery.demo.web import SampleWeb
from gleanery.extraction import services as extraction
from gleanery.extraction.models import Observation
from gleanery.matching.normal import name as normal
from gleanery.resolution import services as resolution
from gleanery.resolution.models import Record
from tests.demo.conftest import look
from tests.extraction import stored_pages

# Of one name and day, but the pages do not agree on the place: the one gives a venue and the other only its address, or
# they spell the square differently. That is for whoever looks for near duplicates.
PLAIN = {"short-story", "bazaar"}


def on_two_sites() -> dict[str, list[tuple[str, str]]]:
    """Return events on several sites under one name: their pages, as host and path, by the id of the thing."""
    found = {}
    for thing in truth()["things"]:
        mentions = [(page.partition("#")[0], normal(said)) for page, said in thing["mentions"].items()]
        alike = [page for page, said in mentions if [other for _, other in mentions].count(said) > 1]
        pages = {page.partition("/")[0]: page.partition("/")[2] for page in alike if not page.endswith(".ics")}
        if thing["kind"] == "event" and len(pages) > 1:
            found[thing["id"]] = [(host, f"/{path}") for host, path in pages.items()]
    return found


def test_the_truth_has_such_events() -> None:
    assert set(on_two_sites()) - PLAIN


@pytest.mark.django_db
@pytest.mark.parametrize("thing", sorted(set(on_two_sites()) - PLAIN))
def test_an_event_on_two_sites_under_one_name_gives_one_record(thing: str) -> None:
    web = SampleWeb(datetime.now(UTC).date())
    for host, path in on_two_sites()[thing]:
        domain = stored_pages.approved(host)
        seen = look(web, f"http://{host}{path}")
        seen = look(web, seen.headers["Location"]) if "Location" in seen.headers else seen
        stored_pages.store_page(domain, path, seen.body)
        extraction.extract_domain(domain)
        resolution.resolve_domain(domain.pk)
    (record,) = Record.objects.filter(kind="event")
    said = Observation.objects.filter(record=record.pk, superseded_at=None)
    assert {each.source.name for each in said.select_related("source")} == {host for host, _ in on_two_sites()[thing]}
    assert record.occurrences.count() == 1
    assert record.status == "published"
    assert set(record.fields) >= {"name", "description", "start", "end", "keywords"}, "each fills the other's gaps"
