from django.db import migrations, models


class Migration(migrations.Migration):
    """Lists ask what is on between two days."""

    dependencies = [("resolution", "0018_loose_identity")]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '10s'", migrations.RunSQL.noop),
        migrations.AddIndex(
            model_name="occurrence",
            index=models.Index(fields=["start_date", "record"], name="occurrence_day"),
        ),
    ]
