from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("resolution", "0003_likeness")]

    operations = [migrations.AddField("likeness", "title", models.TextField(db_default="", default=""))]
