"""Who works on what at the review desk, and the filters that staff keep."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("vault", "0007_bulk_rollback")]

    operations: list[migrations.operations.base.Operation] = []
