"""Which assertions of applications were used to start a session or to link a visitor."""

from django.db import migrations, models

import vault.models.identifiers


class Migration(migrations.Migration):
    dependencies = [("vault", "0017_linked_drafts")]

    operations = [
        migrations.CreateModel(
            name="SpentAssertion",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=vault.models.identifiers.new_id,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("number_hash", models.BinaryField(max_length=32, unique=True)),
                ("expires_at", models.DateTimeField(db_index=True)),
            ],
        ),
    ]
