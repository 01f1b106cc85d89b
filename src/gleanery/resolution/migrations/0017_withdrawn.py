from django.db import migrations, models


class Migration(migrations.Migration):
    """Records may be withdrawn: while only blacklisted domains speak of them. Nothing is changed in the table."""

    dependencies = [("resolution", "0016_record_notes")]

    operations = [
        migrations.AlterField(
            model_name="record",
            name="status",
            field=models.CharField(
                choices=[
                    ("in_review", "in_review"),
                    ("published", "published"),
                    ("merged", "merged"),
                    ("deleted", "deleted"),
                    ("withdrawn", "withdrawn"),
                ],
                db_default="in_review",
                default="in_review",
                max_length=10,
            ),
        ),
    ]
