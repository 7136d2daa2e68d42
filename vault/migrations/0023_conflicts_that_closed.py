"""A conflict may be closed without a decision: its side gave way, or says something else by now."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("vault", "0022_one_key_one_agent")]

    operations = [
        migrations.AlterField(
            model_name="conflict",
            name="status",
            field=models.CharField(
                choices=[
                    ("open", "Open"),
                    ("kept", "Kept"),
                    ("replaced", "Replaced"),
                    ("both", "Both"),
                    ("closed", "Closed"),
                ],
                default="open",
                max_length=8,
            ),
        ),
    ]
