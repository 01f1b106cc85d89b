"""Sessions with the demo's search engines, with simulated delays and failures."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date

import pytest

from gleanery.accounts.actor import system
from gleanery.discovery import numbers, services
from gleanery.discovery.models import Topic
from gleanery.discovery.providers.brave_search import BraveSearch
from gleanery.discovery.providers.pacing import Pacing
from gleanery.discovery.providers.searxng import SearXNG
from gleanery.discovery.run import run
from gleanery.interfaces.cli.demonstration.tour import settings_for
from gleanery.net import ports

pytestmark = pytest.mark.django_db(transaction=True)

DAY = date(2026, 11, 15)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gleanery.discovery.run.PACING", Pacing(first_back_off=0.01))
    monkeypatch.setattr(BraveSearch, "pause", 0.0)
    for each in (BraveSearch, SearXNG):  # on a busy machine whatever is not told to be slow may be slow as well
        monkeypatch.setattr(each, "timeout", 50.0)


@pytest.fixture
def topic() -> Topic:
    asked = ["grants for schools Bulgaria", "финансиране за училища"]
    return services.add_topic(system(), "funding", "Bulgaria", query_templates=asked)


@contextmanager
def sample_web(faults: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The demo's search engines, served and configured as by `gleanery demo`."""
    port = ports.free_port()
    where = ["--interface", "wsgi", "--host", "127.0.0.1", "--port", str(port)]
    command = [sys.executable, "-m", "granian", *where, "--blocking-threads", "8", "--log-level", "error"]
    for name, value in settings_for(port, DAY).items():
        monkeypatch.setenv(name, value)
    environment = os.environ | {"GLEANERY_DEMO_FAULTS": faults}
    with subprocess.Popen([*command, "gleanery.demo.web:application"], env=environment) as web:
        try:
            while not ports.answers(port):
                assert web.poll() is None
                time.sleep(0.05)
            yield
        finally:
            web.terminate()


def test_a_demo_engine_that_fails_half_way_leaves_the_session_a_partial_success(
    topic: Topic, monkeypatch: pytest.MonkeyPatch
) -> None:
    with sample_web("searxng:slow=0.2,brave:fail_after=1", monkeypatch):
        session = run(services.start_session(system(), topic, "manual_search"))
    assert session.status == "partial_success"
    brave, searxng = numbers.of_session(session.pk).providers
    assert (brave.provider, brave.totals.queries, brave.totals.failures) == ("brave_search", 2, 1)
    assert brave.last_error
    assert brave.totals.returned, "what it said before it failed is kept"
    assert (searxng.totals.queries, searxng.totals.failures, searxng.last_error) == (2, 0, "")
    assert searxng.totals.returned
    assert searxng.mean_seconds >= 0.2


def test_a_slow_or_limited_demo_engine_only_affects_its_own_results(
    topic: Topic, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BraveSearch, "timeout", 0.5)
    with sample_web("brave:slow=2,searxng:limit_after=1", monkeypatch):
        session = run(services.start_session(system(), topic, "manual_search"))
    assert session.status == "partial_success"
    assert "None of the engines behind SearXNG responded" in session.error
    brave, searxng = numbers.of_session(session.pk).providers
    assert (brave.totals.failures, brave.totals.returned) == (2, 0)
    assert searxng.totals.failures == 1
    assert searxng.totals.returned
