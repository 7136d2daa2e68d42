"""What data subjects ask for on the public page, and the contacts that prove who they are."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("vault", "0008_review_desk")]

    operations: list[migrations.operations.base.Operation] = []
