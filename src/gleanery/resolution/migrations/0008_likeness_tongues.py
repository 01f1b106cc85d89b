from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models


def fill(apps: Any, editor: Any) -> None:
    """Whatever was kept is made anew: with languages told by words, and nobody under a key that too many have."""
    from gleanery.resolution.matches.backfill import backfill  # noqa: PLC0415 - only where there is something to do

    if apps.get_model("resolution", "Record").objects.using(editor.connection.alias).exists():
        backfill()


class Migration(migrations.Migration):
    dependencies = [("resolution", "0007_keys_of_the_named")]

    operations = [
        migrations.AlterField(
            model_name="likeness",
            name="keys",
            field=ArrayField(models.BigIntegerField(), help_text="All that it has: of likeness_key it may have these."),
        ),
        migrations.RunSQL("SET LOCAL lock_timeout = '10s'", migrations.RunSQL.noop),
        migrations.RunSQL("TRUNCATE likeness, likeness_key", migrations.RunSQL.noop),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
