from django.db import migrations


class Migration(migrations.Migration):
    """Whatever was kept was made anew here; today a job does that, since 0018."""

    dependencies = [("resolution", "0013_likeness_aliases")]
