"""Where the rules by which likeness is kept have changed: all of it is made anew from the records."""

from typing import Any

from django.db import migrations


def fill(apps: Any, editor: Any) -> None:
    from gleanery.resolution.matches.backfill import backfill  # noqa: PLC0415 - only where there is something to do

    if apps.get_model("resolution", "Record").objects.using(editor.connection.alias).exists():
        backfill()


def anew() -> list[Any]:
    return [
        migrations.RunSQL("SET LOCAL lock_timeout = '10s'", migrations.RunSQL.noop),
        migrations.RunSQL("TRUNCATE likeness, likeness_key", migrations.RunSQL.noop),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
