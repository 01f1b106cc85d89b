"""Jobs of domains: deletes data kept for the daily limits of submissions."""

from __future__ import annotations

from procrastinate.contrib.django import app

from gleanery.domains.submissions import submitting


@app.periodic(cron="37 * * * *")
@app.task(queueing_lock="forget_submitters")
def forget_submitters(timestamp: int) -> None:
    submitting.forget()
