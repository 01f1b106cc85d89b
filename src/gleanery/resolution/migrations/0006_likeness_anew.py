from django.db import migrations

from gleanery.resolution.migrations._likeness import anew


class Migration(migrations.Migration):
    """With titles, and under other keys."""

    dependencies = [("resolution", "0005_likeness_written")]

    operations = anew()
