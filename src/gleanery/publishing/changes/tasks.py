"""Jobs of the change feed: listing what nobody reads, forgetting what nobody can ask for."""

from __future__ import annotations

from procrastinate.contrib.django import app


@app.periodic(cron="*/5 * * * *")
@app.task(queueing_lock="list_changes")
def list_changes(timestamp: int) -> None:
    from gleanery.publishing.changes import listing

    listing.list_changes()


@app.periodic(cron="37 3 * * *")
@app.task(queueing_lock="forget_changes")
def forget_changes(timestamp: int) -> None:
    from gleanery.publishing.changes import listing

    listing.forget()
