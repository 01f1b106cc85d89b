"""Running sessions: providers work concurrently and fail independently."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.db.models.functions import Now

from gleanery.accounts.actor import system
from gleanery.accounts.models import JournalEntry
from gleanery.discovery import numbers, questions, services
from gleanery.discovery.models import Question, Result, Session, Topic
from gleanery.discovery.providers.brave_search import BraveSearch
from gleanery.discovery.providers.pacing import Pacing
from gleanery.discovery.providers.searxng import SearXNG
from gleanery.discovery.questions import Cap
from gleanery.discovery.run import Progress, run
from gleanery.discovery.status import provider_status
from gleanery.discovery.tasks import close_dead_sessions, run_session, start_scheduled_sessions
from gleanery.domains.models import Domain
from gleanery.errors import Invalid, ProviderFailure, ProviderProblem
from tests.discovery.engines import ProviderResponse, brave, engine, searxng, sites

pytestmark = pytest.mark.django_db(transaction=True)

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten timeouts and pauses."""
    monkeypatch.setattr(BraveSearch, "timeout", 0.2)
    monkeypatch.setattr(BraveSearch, "pause", 0.0)
    monkeypatch.setattr("gleanery.discovery.run.PACING", Pacing(first_back_off=0.01))


@pytest.fixture
def topic() -> Topic:
    return services.add_topic(system(), "funding", "Bulgaria", max_queries=4)


@pytest.fixture
def engines(monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    """Enable both providers with the given behaviour."""
    opened = []

    def start(for_searxng: ProviderResponse | None, for_brave: ProviderResponse | None) -> None:
        if for_searxng:
            opened.append(engine(for_searxng))
            monkeypatch.setenv("SEARXNG_URL", opened[-1].__enter__())
        if for_brave:
            opened.append(engine(for_brave))
            monkeypatch.setenv("BRAVE_API_KEY", "a-key")
            monkeypatch.setenv("GLEANERY_PROVIDER_URLS", f"brave_search={opened[-1].__enter__()}")

    yield start
    for each in opened:
        each.__exit__(None, None, None)


def both_find(query: str, number: int) -> tuple[int, object]:
    return 200, searxng(sites(f"s{number}.example", "both.example"))


def brave_finds(query: str, number: int) -> tuple[int, object]:
    return 200, brave(sites(f"b{number}.example", "both.example"))


def brave_hangs_half_way(query: str, number: int) -> tuple[int, object]:
    return brave_finds(query, number) if number < 2 else (0, None)


def test_a_session_without_failures_is_completed(topic: Topic, engines: object) -> None:
    engines(both_find, brave_finds)  # type: ignore[operator]
    steps: list[Progress] = []
    session = run(services.start_session(system(), topic, "manual_search"), steps.append)
    assert session.status == "completed"
    assert session.completed_at is not None
    totals = numbers.of_session(session.pk).totals
    assert (totals.queries, totals.returned, totals.results, totals.failures) == (8, 16, 16, 0)
    assert (totals.new_domains, totals.duplicates) == (9, 7)
    assert Domain.objects.count() == 9
    assert {(step.provider, step.done) for step in steps} >= {("searxng", 4), ("brave_search", 4)}


def test_a_hanging_provider_only_affects_its_own_results(topic: Topic, engines: object) -> None:
    engines(both_find, brave_hangs_half_way)  # type: ignore[operator]
    session = run(services.start_session(system(), topic, "manual_search"))
    assert session.status == "partial_success"
    assert session.error.startswith("brave_search: ")
    found = {each.provider: each for each in numbers.of_session(session.pk).providers}
    assert found["searxng"].totals.results == 8
    assert found["searxng"].totals.failures == 0
    assert found["brave_search"].totals.results == 4
    assert found["brave_search"].totals.failures == 2
    assert found["brave_search"].last_error
    (status,) = [each for each in provider_status() if each.provider == "brave_search"]
    assert status.on
    assert "last error" in status.sentence


def test_providers_are_queried_concurrently(topic: Topic, engines: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each engine responds only after the other was queried too, so sequential queries would never finish."""
    monkeypatch.setattr(BraveSearch, "timeout", 50.0)
    monkeypatch.setattr(SearXNG, "timeout", 50.0)
    both_asked = threading.Barrier(2, timeout=25)

    def together(finds: ProviderResponse) -> ProviderResponse:
        def answer(query: str, number: int) -> tuple[int, object]:
            both_asked.wait()
            return finds(query, number)

        return answer

    engines(together(both_find), together(brave_finds))  # type: ignore[operator]
    session = run(services.start_session(system(), topic, "manual_search", most=2))
    assert (session.status, session.error) == ("completed", "")
    assert [each.totals.results for each in numbers.of_session(session.pk).providers] == [4, 4]


def test_a_session_fails_only_when_all_providers_failed(topic: Topic, engines: object) -> None:
    broken = lambda query, number: (500, {})  # noqa: E731
    engines(broken, broken)  # type: ignore[operator]
    session = run(services.start_session(system(), topic, "manual_search"))
    assert session.status == "failed"
    assert "searxng: " in session.error
    assert "brave_search: " in session.error


def test_a_provider_that_fails_three_times_in_a_row_is_not_queried_again(topic: Topic, engines: object) -> None:
    asked: list[str] = []

    def broken(query: str, number: int) -> tuple[int, object]:
        asked.append(query)
        return 403, {}

    engines(None, broken)  # type: ignore[operator]
    session = run(services.start_session(system(), topic, "manual_search"))
    assert len(set(asked)) <= 3
    assert session.questions.count() <= 3


def test_an_invalid_response_is_a_failure_of_the_provider_only(topic: Topic, engines: object) -> None:
    engines(both_find, lambda query, number: (200, ["not", "what", "we", "asked"]))  # type: ignore[operator]
    session = run(services.start_session(system(), topic, "manual_search"))
    assert session.status == "partial_success"
    assert numbers.of_session(session.pk).totals.results == 8


def test_the_daily_cap_holds_across_sessions(topic: Topic, monkeypatch: pytest.MonkeyPatch, engines: object) -> None:
    monkeypatch.setattr(BraveSearch, "daily_cap", 5)
    engines(None, brave_finds)  # type: ignore[operator]
    first = run(services.start_session(system(), topic, "manual_search"))
    second = run(services.start_session(system(), topic, "manual_search"))
    assert (first.status, second.status) == ("completed", "partial_success")
    assert "limit of 5 requests is used up" in second.error
    assert questions.used_today("brave_search") == 5


def test_yesterdays_requests_do_not_count(topic: Topic) -> None:
    session = services.start_file_session(system(), topic)
    Question.objects.create(session=session, provider="brave_search", query="q", asked_at=Now() - timedelta(days=1))
    assert questions.used_today("brave_search") == 0


def test_a_session_run_again_repeats_only_queries_without_a_response(topic: Topic, engines: object) -> None:
    asked: list[str] = []

    def noting(query: str, number: int) -> tuple[int, object]:
        asked.append(query)
        return 200, searxng(sites(f"s{query[:3].strip()}.example"))

    engines(noting, None)  # type: ignore[operator]
    session = services.start_session(system(), topic, "manual_search")
    done = questions.reserve(session, session.queries[0], Cap("searxng", None))
    cut = questions.reserve(session, session.queries[1], Cap("searxng", None))
    assert done is not None
    assert cut is not None
    questions.answered(done, 0.1, 1)
    run_session(session=str(session.pk))
    assert asked == session.queries[1:]
    session.refresh_from_db()
    assert session.status == "completed"
    run_session(session=str(session.pk))
    assert len(asked) == 3, "a closed session stays closed"


def test_without_providers_the_error_says_what_to_set(topic: Topic) -> None:
    with pytest.raises(Invalid, match=r"BRAVE_API_KEY.* --file"):
        services.start_session(system(), topic, "manual_search")
    with pytest.raises(Invalid, match="serper is not enabled"):
        services.start_session(system(), topic, "manual_search", providers=["serper"])


@pytest.mark.parametrize(("results", "status"), [(True, "partial_success"), (False, "failed")])
def test_a_session_whose_worker_died_is_closed_with_its_results(topic: Topic, results: bool, status: str) -> None:
    session = services.start_file_session(system(), topic)
    if results:
        domain = Domain.objects.create(name="a.example", registrable="a.example")
        Result.objects.create(session=session, provider="searxng", query="q", position=1, domain=domain, outcome="new")
    close_dead_sessions(timestamp=0)
    assert Session.objects.get().status == "running", "it may be alive still"
    with connection.cursor() as cursor:
        cursor.execute("UPDATE session SET alive_at = now() - interval '6 minutes'")
    close_dead_sessions(timestamp=0)
    session.refresh_from_db()
    assert session.status == status
    assert "died" in session.error
    assert JournalEntry.objects.filter(subject_id=str(session.pk), actor__username="system").count() == 2


def test_a_topic_runs_by_itself_at_the_minute_of_its_schedule(topic: Topic, engines: object) -> None:
    engines(both_find, None)  # type: ignore[operator]
    Topic.objects.update(schedule="30 3 * * *")
    start_scheduled_sessions(timestamp=1_763_177_400 - 60)
    assert not Session.objects.exists()
    start_scheduled_sessions(timestamp=1_763_177_400)  # 2025-11-15 03:30 UTC
    session = Session.objects.get()
    assert (session.type, session.status) == ("nightly_discovery", "running")


def test_a_query_beyond_the_cap_is_recorded_as_a_failure(topic: Topic) -> None:
    session = services.start_file_session(system(), topic)
    question = questions.reserve(session, "q", Cap("brave_search", 0))
    assert question is not None
    assert (question.failure_kind, question.tries) == ("quota", 0)
    assert numbers.of_session(session.pk).providers[0].last_error.startswith("Today's limit of 0 requests")


def test_a_session_run_again_remembers_the_failures_of_its_first_run(topic: Topic, engines: object) -> None:
    engines(both_find, None)  # type: ignore[operator]
    session = services.start_session(system(), topic, "manual_search")
    question = questions.reserve(session, session.queries[0], Cap("searxng", None))
    assert question is not None
    questions.failed(question, ProviderFailure(ProviderProblem.TIMEOUT, "It did not answer in time."))
    assert run(session).status == "partial_success"


def test_an_unexpected_error_counts_as_a_failure_too(
    topic: Topic, engines: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_arguments: object) -> None:
        raise RuntimeError("a bug of ours")

    monkeypatch.setattr("gleanery.discovery.run.store_hits", broken)
    engines(both_find, None)  # type: ignore[operator]
    session = run(services.start_session(system(), topic, "manual_search"))
    assert session.status == "failed"
    totals = numbers.of_session(session.pk).totals
    assert totals.failures == totals.queries == 3


def test_a_session_that_waits_for_a_worker_is_not_closed(topic: Topic, engines: object) -> None:
    engines(both_find, None)  # type: ignore[operator]
    session = services.start_session(system(), topic, "manual_search")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE session SET started_at = now() - interval '1 hour'")
    close_dead_sessions(timestamp=0)
    session.refresh_from_db()
    assert session.status == "running"


@pytest.mark.parametrize(
    "changes",
    [
        {"schedule": "at noon"},
        {"keywords": ["grant"]},
        {"keywords": {"en": "grant"}},
        {"organization_words": {"en": [1]}},
        {"country": "b1"},
        {"weights": {"mood": 1}},
        {"query_templates": ["{planet}"]},
    ],
)
def test_an_invalid_topic_is_refused_when_it_is_saved(topic: Topic, changes: dict[str, object]) -> None:
    for name, value in changes.items():
        setattr(topic, name, value)
    with pytest.raises(Invalid):
        services.save_topic(system(), topic, "change")


def test_one_topic_with_a_bad_schedule_does_not_stop_the_others(topic: Topic, engines: object) -> None:
    engines(both_find, None)  # type: ignore[operator]
    services.add_topic(system(), "events", "Sofia")
    Topic.objects.filter(preset="events").update(schedule="at noon")
    Topic.objects.filter(preset="funding").update(schedule="30 3 * * *")
    start_scheduled_sessions(timestamp=1_763_177_400)
    assert Session.objects.get().topic == topic


def test_a_late_worker_still_starts_a_due_session_once(topic: Topic, engines: object) -> None:
    engines(both_find, None)  # type: ignore[operator]
    Topic.objects.update(schedule="30 3 * * *")
    start_scheduled_sessions(timestamp=1_763_177_400 + 1200)
    start_scheduled_sessions(timestamp=1_763_177_400 + 1260)
    assert Session.objects.count() == 1


@pytest.mark.database
def test_a_killed_session_loses_no_result_and_counts_none_twice(topic: Topic, engines: object) -> None:
    """A real process runs the session and is killed; another one finishes it."""

    def slow_start(query: str, number: int) -> tuple[int, object]:
        return (0, None) if number == 2 else (200, searxng(sites(f"s{number}.example", "both.example")))

    engines(slow_start, None)  # type: ignore[operator]
    session = services.start_session(system(), topic, "manual_search")
    name = connection.settings_dict["NAME"]
    command = [sys.executable, "-m", "tests.discovery.session_process", name, str(session.pk)]
    process = subprocess.Popen(command, cwd=ROOT, env={**os.environ})
    try:
        while session.questions.count() < 3:
            assert process.poll() is None
            time.sleep(0.02)
    finally:
        process.kill()
        process.wait()
    assert session.results.count() == 4
    run(session)
    session.refresh_from_db()
    assert session.status == "completed"
    totals = numbers.of_session(session.pk).totals
    assert (totals.queries, totals.returned) == (4, 8)
    assert Domain.objects.count() == totals.new_domains
