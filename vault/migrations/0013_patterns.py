"""Staff's own patterns, their versions and hits."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("vault", "0012_upkeep")]

    operations: list[migrations.operations.base.Operation] = []
