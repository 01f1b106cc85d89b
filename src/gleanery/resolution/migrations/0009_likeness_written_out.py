from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("resolution", "0008_likeness_tongues")]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '10s'", migrations.RunSQL.noop),
        migrations.RunSQL("TRUNCATE likeness, likeness_key", migrations.RunSQL.noop),  # 0014 makes them anew
    ]
