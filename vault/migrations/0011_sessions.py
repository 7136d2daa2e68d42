"""Short-term memory: sessions, turns and their summaries."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("vault", "0010_access_exports")]

    operations: list[migrations.operations.base.Operation] = []
