"""Every vault starts with one namespace, the one that a write without a namespace goes to."""

from django.db import migrations


def add_default(apps, schema_editor):
    namespace = apps.get_model("vault", "Namespace")
    namespace.objects.using(schema_editor.connection.alias).get_or_create(
        name="default", defaults={"purpose": "Whatever no other namespace is meant for"}
    )


class Migration(migrations.Migration):
    dependencies = [("vault", "0002_row_level_security")]

    operations = [migrations.RunPython(add_default, migrations.RunPython.noop)]
