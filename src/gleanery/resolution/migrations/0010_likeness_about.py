from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("resolution", "0009_likeness_written_out")]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '10s'", migrations.RunSQL.noop),
        migrations.RunSQL("TRUNCATE likeness, likeness_key", migrations.RunSQL.noop),  # 0014 makes them anew
        migrations.AddField("likeness", "about", models.TextField(db_default="", default="")),
    ]
