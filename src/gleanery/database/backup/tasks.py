"""The nightly backup job, if a backup directory is set."""

from __future__ import annotations

import os

from procrastinate.contrib.django import app

from gleanery import environment


@app.periodic(cron="47 1 * * *")
@app.task(queueing_lock="back_up_nightly")
def back_up_nightly(timestamp: int) -> None:
    from gleanery.database.backup import nightly

    settings = environment.read(os.environ)
    if settings.backup_dir:
        nightly.back_up(settings.backup_dir, settings.backup_keep)
