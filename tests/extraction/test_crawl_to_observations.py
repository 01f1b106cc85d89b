"""From a crawl of sites on loopback to observations."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from procrastinate.contrib.django.models import ProcrastinateJob

from gleanery.crawling.models import Page
from gleanery.environment import addresses
from gleanery.extraction import services, tasks
from gleanery.extraction.models import Extraction, Observation
from tests.crawling.conftest import approved, crawl
from tests.crawling.pages import Plan
from tests.crawling.sites import Sites, site
from tests.extraction import stored_pages


@pytest.mark.django_db(transaction=True)
def test_a_crawl_gives_observations_and_the_next_one_extracts_changes(settings: Any) -> None:
    stored_pages.topic()
    with Sites(1, [Plan(pages=6, fan_out=3, validators=True)]) as sites:
        settings.ENVIRONMENT = replace(settings.ENVIRONMENT, net_resolve=addresses(sites.resolve))
        domain = approved(site(0))
        row = crawl(domain)
        jobs = ProcrastinateJob.objects.filter(task_name="gleanery.extraction.tasks.extract_crawl")
        job = jobs.get(args__crawl=str(row.pk))
        tasks.extract_crawl(**job.args)
        found = Observation.objects.filter(kind="event", superseded_at=None)
        pages = Page.objects.filter(domain=domain, current_snapshot__isnull=False)
        assert {each.page for each in found} <= set(pages)
        assert len(found) >= 5
        assert all(each.payload["name"].startswith("Concert") and each.payload["start"] for each in found)
        assert Extraction.objects.count() == pages.count()
        requests = len(sites.requests_of(site(0)))
        before = set(Observation.objects.values_list("pk", flat=True))
        services.extract_again(domain)
        assert len(sites.requests_of(site(0))) == requests
        assert set(Observation.objects.values_list("pk", flat=True)) == before
        crawl(domain, "deep")
        assert services.extract_domain(domain).pages == 0
