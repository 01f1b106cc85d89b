"""Jobs of discovery: a session, the schedules of topics, the sweeping up."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

import structlog
from croniter import croniter
from procrastinate.contrib.django import app

from gleanery.accounts.actor import system
from gleanery.discovery import services
from gleanery.discovery.models import Session, Topic
from gleanery.discovery.run import run
from gleanery.errors import Invalid

log = structlog.get_logger(__name__)


@app.task(queue="discovery")
def run_session(session: str) -> None:
    """Run again after its worker died, it goes on where it was; a session that was closed meanwhile stays closed."""
    row = Session.objects.filter(pk=UUID(session), status="running").first()
    if row is not None:
        run(row)


@app.periodic(cron="* * * * *")
@app.task(queueing_lock="start_scheduled_sessions")
def start_scheduled_sessions(timestamp: int) -> None:
    """Starts the topics whose cron text names this very minute."""
    minute = datetime.fromtimestamp(timestamp, tz=UTC)
    for topic in Topic.objects.exclude(schedule=""):
        if croniter.match(topic.schedule, minute):
            try:
                session = services.start_session(system(), topic, "nightly_discovery")
            except Invalid as problem:
                log.warning("a scheduled session was not started", topic=topic.name, reason=str(problem))
            else:
                run_session.defer(session=str(session.pk))


@app.periodic(cron="* * * * *")
@app.task(queueing_lock="close_dead_sessions")
def close_dead_sessions(timestamp: int) -> None:
    services.close_dead_sessions()


@app.periodic(cron="17 4 * * *")
@app.task(queueing_lock="empty_spam_bin")
def empty_spam_bin(timestamp: int) -> None:
    services.empty_spam_bin()
