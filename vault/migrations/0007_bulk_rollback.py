"""What a rollback of many memories was asked to undo, and how far it is."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("vault", "0006_approvals")]

    operations: list[migrations.operations.base.Operation] = []
