"""From the pages of the sample web to records: what two sites tell of under the same name is one thing."""

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


def told_by_two() -> dict[str, list[tuple[str, str]]]:
    """Events that sites tell of under one name: the pages, as host and path, by the id of the thing."""
    found = {}
    for thing in truth()["things"]:
        told = [(page.partition("#")[0], normal(said)) for page, said in thing["told"].items()]
        alike = [page for page, said in told if [other for _, other in told].count(said) > 1]
        pages = {page.partition("/")[0]: page.partition("/")[2] for page in alike if not page.endswith(".ics")}
        if thing["kind"] == "event" and len(pages) > 1:
            found[thing["id"]] = [(host, f"/{path}") for host, path in pages.items()]
    return found


def test_the_truth_knows_such_events() -> None:
    assert set(told_by_two()) - PLAIN


@pytest.mark.django_db
@pytest.mark.parametrize("thing", sorted(set(told_by_two()) - PLAIN))
def test_two_sites_that_tell_of_one_event_under_one_name_give_one_record(thing: str) -> None:
    web = SampleWeb(datetime.now(UTC).date())
    for host, path in told_by_two()[thing]:
        domain = stored_pages.approved(host)
        seen = look(web, f"http://{host}{path}")
        seen = look(web, seen.headers["Location"]) if "Location" in seen.headers else seen
        stored_pages.store_page(domain, path, seen.body)
        extraction.extract_domain(domain)
        resolution.resolve_domain(domain.pk)
    (record,) = Record.objects.filter(kind="event")
    said = Observation.objects.filter(record=record.pk, superseded_at=None)
    assert {each.source.name for each in said.select_related("source")} == {host for host, _ in told_by_two()[thing]}
    assert record.occurrences.count() == 1
    assert record.status == "published"
    assert set(record.fields) >= {"name", "description", "start", "end", "keywords"}, "each fills the other's gaps"
