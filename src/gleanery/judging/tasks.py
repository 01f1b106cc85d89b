"""Jobs of judging."""

from __future__ import annotations

from uuid import UUID

from procrastinate.contrib.django import app

from gleanery.discovery.models import Session
from gleanery.judging import services


@app.task(queue="judging")
def judge_session(session: str) -> None:
    services.judge_session(Session.objects.select_related("topic").get(pk=UUID(session)))
