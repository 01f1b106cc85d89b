"""Jobs of discovery: run a session, start scheduled sessions, close dead ones, empty the spam bin."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import structlog
from croniter import CroniterError, croniter
from django.db import transaction
from procrastinate import RetryStrategy
from procrastinate.contrib.django import app

from gleanery.accounts.actor import Actor, system
from gleanery.database import failures
from gleanery.discovery.models import Session, Topic
from gleanery.errors import DatabaseProblem, Invalid

log = structlog.get_logger(__name__)

# How late a busy worker may start a scheduled session.
LATE = timedelta(hours=1)


@app.task(
    queue="discovery", retry=RetryStrategy(max_attempts=5, exponential_wait=4, retry_exceptions=[DatabaseProblem])
)
def run_session(session: str) -> None:
    """Run a session, or continue it after its worker or the database died; a closed session stays closed."""
    from gleanery.discovery.run import run

    row = Session.objects.filter(pk=UUID(session), status="running").first()
    if row is not None:
        with failures.translated():
            run(row)


@transaction.atomic
def start_in_background(actor: Actor, topic: Topic, type_: str, **wanted: Any) -> Session:
    """Create a session and its job in one transaction, since a session without a job would look alive for a day."""
    from gleanery.discovery import services

    session = services.start_session(actor, topic, type_, **wanted)
    run_session.defer(session=str(session.pk))
    return session


@app.periodic(cron="* * * * *")
@app.task(queueing_lock="start_scheduled_sessions")
def start_scheduled_sessions(timestamp: int) -> None:
    """Start due sessions; a problem with one topic does not stop the others."""
    now = datetime.fromtimestamp(timestamp, tz=UTC)
    for topic in Topic.objects.exclude(schedule=""):
        try:
            if _is_due(topic, now):
                start_in_background(system(), topic, "nightly_discovery")
        except (Invalid, CroniterError) as problem:
            log.warning("a scheduled session was not started", topic=topic.name, reason=str(problem))


def _is_due(topic: Topic, now: datetime) -> bool:
    """Return True if its last scheduled time was recent and no session has started since."""
    due = croniter(topic.schedule, now + timedelta(seconds=1)).get_prev(datetime)
    begun = topic.sessions.filter(type="nightly_discovery", started_at__gte=due).exists()
    return due > now - LATE and not begun


@app.periodic(cron="* * * * *")
@app.task(queueing_lock="close_dead_sessions")
def close_dead_sessions(timestamp: int) -> None:
    from gleanery.discovery import services

    services.close_dead_sessions()


@app.periodic(cron="17 4 * * *")
@app.task(queueing_lock="empty_spam_bin")
def empty_spam_bin(timestamp: int) -> None:
    from gleanery.discovery import services

    services.empty_spam_bin()
