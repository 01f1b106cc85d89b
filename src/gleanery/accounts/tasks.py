"""Jobs of accounts: delete stored responses after a day."""

from __future__ import annotations

from procrastinate.contrib.django import app

from gleanery.accounts import idempotency


@app.periodic(cron="23 * * * *")
@app.task(queueing_lock="forget_answers")
def forget_answers(timestamp: int) -> None:
    idempotency.forget()
