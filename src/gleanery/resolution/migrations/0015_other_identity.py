import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    """Records answer to the identities of all their observations."""

    dependencies = [("resolution", "0014_likeness_scripts")]

    operations = [
        migrations.CreateModel(
            name="OtherIdentity",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("identity_hash", models.BinaryField(max_length=32)),
                ("place", models.UUIDField(db_column="place_id", null=True)),
                ("organization", models.UUIDField(db_column="organization_id", null=True)),
                (
                    "record",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="other_identities",
                        to="resolution.record",
                    ),
                ),
            ],
            options={
                "db_table": "other_identity",
                "indexes": [
                    models.Index(fields=["identity_hash"], name="other_identity_found"),
                    models.Index(fields=["record"], name="other_identity_record"),
                    models.Index(fields=["place"], name="other_identity_held", condition=Q(("place__isnull", False))),
                    models.Index(
                        fields=["organization"],
                        name="other_identity_run",
                        condition=Q(("organization__isnull", False)),
                    ),
                ],
            },
        ),
    ]
