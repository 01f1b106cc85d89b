"""A crawl may be part of a session."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("crawling", "0002_snapshot_storage"),
        ("discovery", "0003_deep_crawl_session"),
    ]

    operations = [
        migrations.AddField(
            model_name="crawl",
            name="session",
            field=models.ForeignKey(
                db_index=False,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="crawls",
                to="discovery.session",
            ),
        ),
        migrations.AddIndex(
            model_name="crawl",
            index=models.Index(
                condition=models.Q(("session__isnull", False)), fields=["session"], name="crawl_of_session"
            ),
        ),
    ]
