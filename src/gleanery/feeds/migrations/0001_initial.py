"""Feeds of sources."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models

import gleanery.ids


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("domains", "0002_submission"),
    ]

    operations = [
        migrations.CreateModel(
            name="Feed",
            fields=[
                ("id", models.UUIDField(default=gleanery.ids.uuid7, editable=False, primary_key=True, serialize=False)),
                ("url", models.CharField(max_length=2000)),
                (
                    "host",
                    models.CharField(
                        help_text="Who is asked; another one than the source for some platforms.", max_length=253
                    ),
                ),
                ("platform", models.CharField(max_length=40)),
                ("title", models.CharField(db_default="", default="", max_length=200)),
                (
                    "found_on",
                    models.CharField(db_default="", default="", help_text="A page that shows it.", max_length=2000),
                ),
                (
                    "is_guess",
                    models.BooleanField(
                        db_default=False, default=False, help_text="It follows from a sign of its platform."
                    ),
                ),
                (
                    "covers",
                    models.JSONField(default=list, help_text="Addresses that bring the same and are not asked."),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("found", "found"),
                            ("approved", "approved"),
                            ("left_out", "left_out"),
                            ("stopped", "stopped"),
                            ("removed", "removed"),
                        ],
                        db_default="found",
                        default="found",
                        max_length=10,
                    ),
                ),
                ("state_reason", models.TextField(db_default="", default="", help_text="Why it is in this state.")),
                ("found_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "shown_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), help_text="When a page showed it last."
                    ),
                ),
                (
                    "due_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(),
                        help_text="Empty: it is not asked.",
                        null=True,
                    ),
                ),
                ("asked_url", models.CharField(db_default="", default="", max_length=2000)),
                ("etag", models.CharField(db_default="", default="", max_length=300)),
                ("last_modified", models.CharField(db_default="", default="", max_length=300)),
                ("digest", models.BinaryField(default=b"", help_text="Of all that it answered.", max_length=32)),
                ("ttl", models.DurationField(help_text="How long it asks not to be asked.", null=True)),
                ("asked_at", models.DateTimeField(null=True)),
                ("read_at", models.DateTimeField(help_text="When it last answered as its platform does.", null=True)),
                ("changed_at", models.DateTimeField(null=True)),
                (
                    "answer",
                    models.TextField(db_default="", default="", help_text="What the last answer was, in a sentence."),
                ),
                ("pages", models.PositiveSmallIntegerField(db_default=0, default=0)),
                ("size", models.PositiveIntegerField(db_default=0, default=0)),
                (
                    "said",
                    models.JSONField(default=list, help_text="Kind and external id of each thing that it tells of."),
                ),
                ("sample", models.JSONField(default=list, help_text="The first few of them.")),
                ("problems", models.JSONField(default=list)),
                ("failures", models.PositiveSmallIntegerField(db_default=0, default=0, help_text="In a row.")),
                (
                    "domain",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="feeds",
                        to="domains.domain",
                    ),
                ),
            ],
            options={
                "db_table": "feed",
                "indexes": [
                    models.Index(
                        condition=models.Q(("state__in", ("found", "approved"))), fields=["due_at"], name="feed_due"
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("domain", "url"), name="feed_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state", "stopped"), _negated=True),
                            models.Q(("state_reason", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="stopped_feed_needs_reason",
                    ),
                ],
            },
        ),
    ]
