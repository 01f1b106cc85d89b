"""Jobs of discovery: queued sessions and periodic jobs."""

import pytest
from django.db import connection
from procrastinate.contrib.django import app
from procrastinate.contrib.django.models import ProcrastinateJob
from procrastinate.exceptions import ConnectorException

from gleanery.accounts.actor import Actor, system
from gleanery.discovery import services, tasks
from gleanery.discovery.intake import store_hits
from gleanery.discovery.models import Result, Session, Topic
from gleanery.discovery.screening import screen
from tests.discovery.test_intake import CASINO, hit, make_older

pytestmark = [pytest.mark.database, pytest.mark.django_db]

HALF_PAST_THREE = 1_763_177_400  # 2025-11-15 03:30 UTC


@pytest.fixture
def topic(monkeypatch: pytest.MonkeyPatch) -> Topic:
    """Enable a provider that is never queried."""
    monkeypatch.setenv("SEARXNG_URL", "http://127.0.0.1:9")
    return services.add_topic(system(), "funding", "Bulgaria", max_queries=2)


def waiting(task: str) -> list[dict[str, str]]:
    """Return the arguments of the jobs of a task."""
    jobs = ProcrastinateJob.objects.filter(task_name=task, status="todo")
    return list(jobs.order_by("id").values_list("args", flat=True))


def spam_of(topic: Topic) -> Result:
    session = services.start_file_session(system(), topic)
    store_hits(session.pk, "searxng", [screen(hit("https://lucky.example/", 1, text=CASINO, title="Casino bonus"))])
    return Result.objects.get(session=session)


def test_a_session_in_the_background_is_a_job(topic: Topic) -> None:
    session = tasks.start_in_background(system(), topic, "manual_search", most=1)
    assert waiting(tasks.run_session.name) == [{"session": str(session.pk)}]
    assert len(session.queries) == 1


def test_a_session_without_a_job_is_not_created(topic: Topic) -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE procrastinate_jobs ADD CONSTRAINT no_more_jobs CHECK (false) NOT VALID")
    with pytest.raises(ConnectorException):
        tasks.start_in_background(system(), topic, "manual_search")
    assert not Session.objects.exists()


def test_the_schedule_of_a_topic_queues_a_job_for_each_session(topic: Topic) -> None:
    Topic.objects.update(schedule="30 3 * * *")
    tasks.start_scheduled_sessions(timestamp=HALF_PAST_THREE)
    tasks.start_scheduled_sessions(timestamp=HALF_PAST_THREE + 60)
    assert waiting(tasks.run_session.name) == [{"session": str(Session.objects.get().pk)}]


def test_a_topic_without_a_schedule_is_never_started(topic: Topic) -> None:
    for hours in range(25):
        tasks.start_scheduled_sessions(timestamp=HALF_PAST_THREE + 3600 * hours)
    assert not Session.objects.exists()
    assert waiting(tasks.run_session.name) == []


def test_a_rescued_result_is_judged_by_a_job(topic: Topic, admin: Actor) -> None:
    spam = spam_of(topic)
    assert waiting("gleanery.judging.tasks.judge_session") == []
    services.rescue(admin, spam)
    assert waiting("gleanery.judging.tasks.judge_session") == [{"session": str(spam.session_id)}]


@pytest.mark.parametrize(
    ("name", "cron"),
    [("start_scheduled_sessions", "* * * * *"), ("close_dead_sessions", "* * * * *"), ("empty_spam_bin", "17 4 * * *")],
)
def test_periodic_jobs_are_registered_and_queued_only_once(name: str, cron: str) -> None:
    task = getattr(tasks, name)
    (periodic,) = [each for each in app.periodic_registry.periodic_tasks.values() if each.task.name == task.name]
    assert periodic.cron == cron
    assert periodic.task.queueing_lock == name


@pytest.mark.parametrize(("days", "left"), [(29, "Casino bonus"), (31, "")])
def test_the_nightly_job_deletes_text_in_the_spam_bin_after_thirty_days(topic: Topic, days: int, left: str) -> None:
    spam = spam_of(topic)
    make_older(days)
    tasks.empty_spam_bin(timestamp=0)
    spam.refresh_from_db()
    assert (spam.title, spam.outcome) == (left, "spam")
