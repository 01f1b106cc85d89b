from django.db import migrations, models


class Migration(migrations.Migration):
    """Identities that hold only where one of two names no venue."""

    dependencies = [("resolution", "0017_withdrawn")]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '10s'", migrations.RunSQL.noop),
        migrations.AddField(
            model_name="otheridentity",
            name="loose",
            field=models.BooleanField(
                db_default=False, default=False, help_text="It joins two only if one of them names no venue."
            ),
        ),
    ]
