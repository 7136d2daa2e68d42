"""Exports of all that is kept on one subject."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("vault", "0009_privacy_requests")]

    operations: list[migrations.operations.base.Operation] = []
