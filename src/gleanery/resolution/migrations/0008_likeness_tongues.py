from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models

from gleanery.resolution.migrations._likeness import anew


class Migration(migrations.Migration):
    """With the languages that the words of names are a sign of, and under no key that too many have."""

    dependencies = [("resolution", "0007_keys_of_the_named")]

    operations = [
        migrations.AlterField(
            model_name="likeness",
            name="keys",
            field=ArrayField(models.BigIntegerField(), help_text="All that it has: of likeness_key it may have these."),
        ),
        *anew(),
    ]
