from django.db import migrations


class Migration(migrations.Migration):
    """Room on every page, so that a row which is only seen again, or changed, is written where it stands."""

    dependencies = [("resolution", "0001_initial"), ("extraction", "0002_record_of_observation")]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '10s'", migrations.RunSQL.noop),
        migrations.RunSQL(
            "ALTER TABLE observation SET (fillfactor = 85)", "ALTER TABLE observation RESET (fillfactor)"
        ),
        migrations.RunSQL("ALTER TABLE record SET (fillfactor = 85)", "ALTER TABLE record RESET (fillfactor)"),
    ]
