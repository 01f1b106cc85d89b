"""A session may crawl every approved domain: then it has no topic."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("discovery", "0002_page_threshold"),
    ]

    operations = [
        migrations.AlterField(
            model_name="session",
            name="topic",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="sessions",
                to="discovery.topic",
            ),
        ),
        migrations.AddConstraint(
            model_name="session",
            constraint=models.CheckConstraint(
                condition=models.Q(("type", "weekly_deep_crawl"), ("topic__isnull", False), _connector="OR"),
                name="search_has_a_topic",
            ),
        ),
    ]
