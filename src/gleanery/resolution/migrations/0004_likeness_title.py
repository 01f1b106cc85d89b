from typing import Any

from django.db import migrations, models


def fill(apps: Any, editor: Any) -> None:
    """Whatever was kept is made anew: with titles, and under the keys of today."""
    from gleanery.resolution.matches.backfill import backfill  # noqa: PLC0415 - only where there is something to do

    editor.execute("TRUNCATE likeness, likeness_key")
    if apps.get_model("resolution", "Record").objects.using(editor.connection.alias).exists():
        backfill()


class Migration(migrations.Migration):
    dependencies = [("resolution", "0003_likeness")]

    operations = [
        migrations.AddField("likeness", "title", models.TextField(db_default="", default="")),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
