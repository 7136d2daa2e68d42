"""Manifests of sessions. Those that began before are bound with their next turn, or when they end."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("vault", "0013_patterns")]

    operations = [
        migrations.AddField(
            model_name="session", name="manifest_count", field=models.PositiveIntegerField(default=0)
        ),
        migrations.AddField(
            model_name="session", name="manifest_mac", field=models.BinaryField(default=bytes)
        ),
        migrations.AddField(
            model_name="session", name="manifest_sequence", field=models.PositiveBigIntegerField(default=0)
        ),
        migrations.AddField(
            model_name="session", name="manifest_value", field=models.BinaryField(default=bytes)
        ),
        migrations.AddField(
            model_name="sessionsummary", name="is_bound", field=models.BooleanField(default=False)
        ),
    ]
