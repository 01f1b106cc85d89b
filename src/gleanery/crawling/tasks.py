"""Periodic jobs of crawling: start due crawls and waiting previews, close deep crawls, delete old visits."""

from __future__ import annotations

import structlog
from procrastinate.contrib.django import app

from gleanery.crawling.schedule import refresh, weekly

log = structlog.get_logger(__name__)


@app.periodic(cron="* * * * *")
@app.task(queueing_lock="start_due_crawls")
def start_due_crawls(timestamp: int) -> None:
    refresh.start_due_crawls()


@app.periodic(cron="*/5 * * * *")
@app.task(queueing_lock="start_waiting_previews")
def start_waiting_previews(timestamp: int) -> None:
    refresh.start_waiting_previews()


@app.periodic(cron="0 3 * * 0")
@app.task(queueing_lock="start_weekly_deep_crawls")
def start_weekly_deep_crawls(timestamp: int) -> None:
    refresh.start_deep_crawls()


@app.periodic(cron="* * * * *")
@app.task(queueing_lock="close_deep_crawls")
def close_deep_crawls(timestamp: int) -> None:
    weekly.close_over()


@app.periodic(cron="43 4 * * *")
@app.task(queueing_lock="forget_old_visits")
def forget_old_visits(timestamp: int) -> None:
    refresh.forget_old_visits()
