"""Snapshots say whether scripts make the page, and whether a browser ran them."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("crawling", "0003_session_of_crawl"),
    ]

    operations = [
        migrations.AddField(
            model_name="snapshot",
            name="rendering",
            field=models.CharField(
                choices=[("plain", "plain"), ("wanted", "wanted"), ("rendered", "rendered")],
                db_default="plain",
                default="plain",
                help_text="Whether scripts make it, and a browser ran them: then `raw` is what it showed.",
                max_length=10,
            ),
        ),
    ]
