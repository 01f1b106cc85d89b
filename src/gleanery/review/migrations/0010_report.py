"""Reports of visitors, counted for the limits of a day."""

import django.db.models.functions.datetime
from django.db import migrations, models

import gleanery.ids


class Migration(migrations.Migration):
    dependencies = [
        ("review", "0003_reasons_by_pair"),
    ]

    operations = [
        migrations.CreateModel(
            name="Report",
            fields=[
                ("id", models.UUIDField(default=gleanery.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ("address_hash", models.CharField(editable=False, max_length=64)),
                (
                    "created_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False),
                ),
            ],
            options={
                "db_table": "record_report",
                "indexes": [
                    models.Index(fields=["address_hash"], name="report_address"),
                    models.Index(fields=["created_at"], name="report_day"),
                ],
            },
        ),
    ]
