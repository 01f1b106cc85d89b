from typing import Any

from django.db import migrations


def fill(apps: Any, editor: Any) -> None:
    """Whatever was kept is made anew: further scripts, short forms, towns, days of the week, and a key of codes."""
    from gleanery.resolution.matches.backfill import backfill  # noqa: PLC0415 - only where there is something to do

    if apps.get_model("resolution", "Record").objects.using(editor.connection.alias).exists():
        backfill()


class Migration(migrations.Migration):
    dependencies = [("resolution", "0013_likeness_aliases")]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '10s'", migrations.RunSQL.noop),
        migrations.RunSQL("TRUNCATE likeness, likeness_key", migrations.RunSQL.noop),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
