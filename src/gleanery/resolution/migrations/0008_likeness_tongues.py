from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("resolution", "0007_keys_of_the_named")]

    operations = [
        migrations.AlterField(
            model_name="likeness",
            name="keys",
            field=ArrayField(models.BigIntegerField(), help_text="All that it has: of likeness_key it may have these."),
        ),
        migrations.RunSQL("SET LOCAL lock_timeout = '10s'", migrations.RunSQL.noop),
        migrations.RunSQL("TRUNCATE likeness, likeness_key", migrations.RunSQL.noop),  # 0014 makes them anew
    ]
