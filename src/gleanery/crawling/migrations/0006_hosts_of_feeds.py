"""Hosts that serve feeds have leases and a robots.txt of their own; crawls give way to feeds."""

import django.db.models.deletion
import django.db.models.functions.datetime
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("crawling", "0005_requests_of_visits"),
        ("domains", "0002_submission"),
    ]

    operations = [
        migrations.CreateModel(
            name="Host",
            fields=[
                ("name", models.CharField(max_length=253, primary_key=True, serialize=False)),
                ("ready_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("lease", models.UUIDField(null=True)),
                ("leased_until", models.DateTimeField(null=True)),
                ("holder", models.CharField(db_default="", default="", max_length=80)),
            ],
            options={
                "db_table": "host",
            },
        ),
        migrations.RemoveConstraint(
            model_name="robots",
            name="robots_once",
        ),
        migrations.AddField(
            model_name="site",
            name="wanted_until",
            field=models.DateTimeField(help_text="A feed of it is to be read first: crawls wait so long.", null=True),
        ),
        migrations.AlterField(
            model_name="robots",
            name="domain",
            field=models.ForeignKey(
                db_index=False,
                help_text="Empty: of a host.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="robots",
                to="domains.domain",
            ),
        ),
        migrations.AddConstraint(
            model_name="robots",
            constraint=models.UniqueConstraint(fields=("domain", "origin"), name="robots_once", nulls_distinct=False),
        ),
    ]
