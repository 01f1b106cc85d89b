import django.contrib.postgres.fields
import django.contrib.postgres.indexes
from django.db import migrations, models


class Migration(migrations.Migration):
    """Notes of every record, and the number of the rules that computed it; a job computes those that are there again."""

    dependencies = [("resolution", "0015_other_identity")]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '10s'", migrations.RunSQL.noop),
        migrations.AddField(
            model_name="record",
            name="notes",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=40),
                db_default=[],
                default=list,
                help_text="Codes of what it lacks, or is odd in it.",
                size=None,
            ),
        ),
        migrations.AddField(
            model_name="record",
            name="rules",
            field=models.PositiveSmallIntegerField(
                db_default=0, default=0, editable=False, help_text="Number of the rules by which it was computed."
            ),
        ),
        migrations.AddIndex(
            model_name="record",
            index=django.contrib.postgres.indexes.GinIndex(
                condition=models.Q(("notes", []), _negated=True), fields=["notes"], name="record_notes"
            ),
        ),
        migrations.AddIndex(
            model_name="record",
            index=models.Index(
                condition=models.Q(("status__in", ("in_review", "published"))), fields=["rules"], name="record_rules"
            ),
        ),
    ]
