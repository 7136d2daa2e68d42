"""Manifests of sessions cover what a window chooses by. Those there are stay so until they are written anew."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("vault", "0020_strongest_points")]

    operations = [
        # Those there are have the first form, those that begin the second.
        migrations.AddField(
            model_name="session", name="manifest_form", field=models.PositiveSmallIntegerField(default=1)
        ),
        migrations.AlterField(
            model_name="session", name="manifest_form", field=models.PositiveSmallIntegerField(default=2)
        ),
        migrations.AddField(
            model_name="session", name="system_turns", field=models.PositiveIntegerField(default=0)
        ),
        migrations.AddField(model_name="session", name="strongest_id", field=models.UUIDField(null=True)),
    ]
