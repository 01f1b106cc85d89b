"""Observations know the feed that lists them: a feed and the page that it links to give one."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("crawling", "0006_hosts_of_feeds"),
        ("extraction", "0004_preview_find"),
    ]

    operations = [
        migrations.AddField(
            model_name="observation",
            name="feed",
            field=models.UUIDField(editable=False, help_text="The feed that said so last.", null=True),
        ),
        migrations.AddField(
            model_name="observation",
            name="in_feed",
            field=models.BooleanField(db_default=False, default=False, editable=False, help_text="A feed says so now."),
        ),
        migrations.AddField(
            model_name="observation",
            name="link",
            field=models.CharField(db_default="", default="", editable=False, max_length=300),
        ),
        migrations.AddField(
            model_name="observation",
            name="parts",
            field=models.JSONField(editable=False, help_text="What the feed says and what its page adds.", null=True),
        ),
        migrations.AddIndex(
            model_name="observation",
            index=models.Index(
                condition=models.Q(("superseded_at__isnull", True), models.Q(("link", ""), _negated=True)),
                fields=["source", "link"],
                name="observation_link",
            ),
        ),
    ]
