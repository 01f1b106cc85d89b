"""Jobs of publishing: e-mails about saved searches, and what time itself changes in the lists."""

from __future__ import annotations

from procrastinate.contrib.django import app


@app.periodic(cron="* * * * *")
@app.task(queueing_lock="send_letters")
def send_letters(timestamp: int) -> None:
    """Queue what is due and send what waits. It needs no retry: the letters are the queue."""
    from gleanery.publishing.digests import queue, sending, services

    if services.is_on():
        queue.revive()
        queue.queue_due()
        sending.send_waiting()


@app.periodic(cron="41 * * * *")
@app.task(queueing_lock="forget_subscribers")
def forget_subscribers(timestamp: int) -> None:
    from gleanery.publishing.digests import services

    services.forget()


@app.periodic(cron="*/10 * * * *")
@app.task(queueing_lock="refresh_lists")
def refresh_lists(timestamp: int) -> None:
    from gleanery.publishing import services

    services.refresh_lists()
