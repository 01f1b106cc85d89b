"""Background jobs of judging."""

from __future__ import annotations

from uuid import UUID

from procrastinate import RetryStrategy
from procrastinate.contrib.django import app

from gleanery.discovery.models import Session


@app.task(queue="judging", retry=RetryStrategy(max_attempts=5, exponential_wait=4))
def judge_session(session: str) -> None:
    from gleanery.judging import services

    services.judge_session(Session.objects.select_related("topic").get(pk=UUID(session)))
