"""A bucket a caller, for rate limits that all processes share."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("vault", "0003_default_namespace")]

    operations = [
        migrations.CreateModel(
            name="CallRate",
            fields=[
                ("caller", models.UUIDField(primary_key=True, serialize=False)),
                ("empty_at", models.DateTimeField(db_index=True)),
            ],
        ),
        # Counting calls must not wait for a disk, and a crash may forget the counts; room for updates in place.
        migrations.RunSQL(
            ["ALTER TABLE vault_callrate SET UNLOGGED", "ALTER TABLE vault_callrate SET (fillfactor = 50)"],
            migrations.RunSQL.noop,
        ),
    ]
