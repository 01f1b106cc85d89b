from django.db import migrations

from gleanery.resolution.migrations._likeness import anew


class Migration(migrations.Migration):
    """With the languages that the words of names are a sign of."""

    dependencies = [("resolution", "0007_keys_of_the_named")]

    operations = anew()
