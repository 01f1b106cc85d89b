from typing import Any

from django.db import migrations, models


def fill(apps: Any, editor: Any) -> None:
    """Whatever was kept is made anew: with what descriptions tell, the days of opening hours, and halls of a house."""
    from gleanery.resolution.matches.backfill import backfill  # noqa: PLC0415 - only where there is something to do

    if apps.get_model("resolution", "Record").objects.using(editor.connection.alias).exists():
        backfill()


class Migration(migrations.Migration):
    dependencies = [("resolution", "0009_likeness_written_out")]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '10s'", migrations.RunSQL.noop),
        migrations.RunSQL("TRUNCATE likeness, likeness_key", migrations.RunSQL.noop),
        migrations.AddField("likeness", "about", models.TextField(db_default="", default="")),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
