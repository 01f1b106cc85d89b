from django.db import migrations, models
from django.db.models import Func, Value


class Migration(migrations.Migration):
    dependencies = [("resolution", "0004_likeness_title")]

    operations = [
        migrations.RunSQL("TRUNCATE likeness, likeness_key", migrations.RunSQL.noop),
        migrations.RunSQL("CREATE SEQUENCE likeness_written", "DROP SEQUENCE likeness_written"),
        migrations.AddField(
            "likeness",
            "written",
            models.BigIntegerField(
                db_default=Func(Value("likeness_written"), function="nextval"),
                help_text="Later ones have higher numbers.",
            ),
        ),
        migrations.AddIndex("likeness", models.Index(fields=["written"], name="likeness_written_since")),
    ]
