"""The public site gets a logo, a place, a time zone, a contact and more to say about itself."""

import django.core.validators
from django.db import migrations, models

import gleanery.publishing.site.languages
import gleanery.publishing.site.zones


class Migration(migrations.Migration):
    dependencies = [
        ("publishing", "0002_kept_by_the_database"),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '10s'", migrations.RunSQL.noop),
        migrations.AddField(
            model_name="publicsite",
            name="about_text",
            field=models.TextField(
                blank=True,
                default="",
                help_text="For the page About. An empty line begins a new paragraph.",
                validators=[django.core.validators.MaxLengthValidator(10000)],
                verbose_name="more about it",
            ),
        ),
        migrations.AddField(
            model_name="publicsite",
            name="contact",
            field=models.CharField(
                blank=True, default="", help_text="How to reach you, shown on the page About.", max_length=200
            ),
        ),
        migrations.AddField(
            model_name="publicsite",
            name="logo",
            field=models.BinaryField(null=True),
        ),
        migrations.AddField(
            model_name="publicsite",
            name="logo_digest",
            field=models.CharField(default="", editable=False, max_length=16),
        ),
        migrations.AddField(
            model_name="publicsite",
            name="logo_type",
            field=models.CharField(default="", editable=False, max_length=20),
        ),
        migrations.AddField(
            model_name="publicsite",
            name="place",
            field=models.CharField(
                blank=True,
                default="",
                help_text="The town or region that this site is about.",
                max_length=100,
            ),
        ),
        migrations.AddField(
            model_name="publicsite",
            name="zone",
            field=models.CharField(
                choices=gleanery.publishing.site.zones.choices,
                default="UTC",
                help_text="For times whose place is not known well enough to have a zone of its own.",
                max_length=64,
                verbose_name="time zone",
            ),
        ),
        migrations.AlterField(
            model_name="publicsite",
            name="language",
            field=models.CharField(
                choices=gleanery.publishing.site.languages.choices,
                default="en",
                help_text="For visitors whose browser asks for none of the languages of this site.",
                max_length=8,
            ),
        ),
    ]
