"""The table of Django's cache: rate limits and used one-time codes hold for all processes together."""

from django.core.management import call_command
from django.db import migrations


def create_table(apps, schema_editor):
    call_command("createcachetable", database=schema_editor.connection.alias, verbosity=0)


class Migration(migrations.Migration):
    dependencies = [("vault", "0004_call_rate")]

    operations = [migrations.RunPython(create_table, migrations.RunPython.noop)]
