"""Jobs of webhooks: delivering each minute, forgetting old deliveries."""

from __future__ import annotations

from procrastinate.contrib.django import app


@app.periodic(cron="* * * * *")
@app.task(queueing_lock="deliver_webhooks")
def deliver_webhooks(timestamp: int) -> None:
    from gleanery.publishing.webhooks import delivering

    delivering.deliver()


@app.periodic(cron="47 3 * * *")
@app.task(queueing_lock="forget_deliveries")
def forget_deliveries(timestamp: int) -> None:
    from gleanery.publishing.webhooks import delivering

    delivering.forget()
