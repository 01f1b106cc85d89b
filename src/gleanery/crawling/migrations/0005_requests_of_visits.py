"""Visits tell how many requests they cost."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("crawling", "0004_rendering"),
    ]

    operations = [
        migrations.AddField(
            model_name="visit",
            name="requests",
            field=models.PositiveSmallIntegerField(
                db_default=1,
                default=1,
                help_text="Its own, and those of a browser that showed it: all count for the crawl.",
            ),
        ),
    ]
