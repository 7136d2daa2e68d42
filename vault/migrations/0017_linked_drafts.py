"""Which waiting drafts came along with a visitor, so that they go back with it."""

import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("vault", "0016_summaries_to_ask")]

    operations = [
        migrations.AddField(
            model_name="visitorlink",
            name="quarantined",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.UUIDField(), default=list, size=None
            ),
        ),
    ]
