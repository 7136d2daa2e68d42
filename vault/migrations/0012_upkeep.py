"""Caps, lives by kind, feedback and what consolidation put together."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("vault", "0011_sessions")]

    operations: list[migrations.operations.base.Operation] = []
