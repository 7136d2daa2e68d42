"""Of an erased subject the ids of the namespaces are kept that had something of it: nobody else is told that it was there.

Those that were erased before have none: to a reader they are as if they had never been; a write is refused as ever.
"""

import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("vault", "0023_conflicts_that_closed")]

    operations = [
        migrations.AddField(
            model_name="subject",
            name="erased_in",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.BigIntegerField(), default=list, size=None
            ),
        ),
    ]
