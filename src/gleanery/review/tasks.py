"""Jobs of review: deletes data about people who reported a problem."""

from __future__ import annotations

from procrastinate.contrib.django import app

from gleanery.review.reports import services as reports


@app.periodic(cron="47 * * * *")
@app.task(queueing_lock="forget_reporters")
def forget_reporters(timestamp: int) -> None:
    reports.forget()
