from django.db import migrations, models

GONE = (
    *("name", "also", "title", "tongue", "street", "house", "unit", "locality", "region", "postal_code", "country"),
    *("lat", "lon", "phone", "email", "site", "page", "official_id", "venue", "run_by", "at", "by", "begins", "minute"),
    *("day", "last_day", "deadline", "year", "least", "most", "currency", "founded", "hours", "whom", "about"),
)


class Migration(migrations.Migration):
    """What is compared of a record is one value now; the job that follows new rules makes it anew, nothing waits for it."""

    dependencies = [("resolution", "0019_occurrence_day")]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '10s'", migrations.RunSQL.noop),
        migrations.RunSQL("TRUNCATE likeness, likeness_key", migrations.RunSQL.noop),
        *(migrations.RemoveField("likeness", name) for name in GONE),
        migrations.AddField(
            "likeness",
            "facts",
            models.JSONField(default=dict, help_text="As matching.facts has them; what is unknown is left out."),
        ),
    ]
