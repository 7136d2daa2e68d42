"""The weightiest points of a running session, in one row beside the summaries of its stretches."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("vault", "0019_turns_in_reach")]

    operations = [
        migrations.AlterField(
            model_name="sessionsummary",
            name="level",
            field=models.CharField(
                choices=[
                    ("turns", "Turns"),
                    ("session", "Session"),
                    ("subject", "Subject"),
                    ("best", "Strongest"),
                ],
                max_length=8,
            ),
        ),
        migrations.AddConstraint(
            model_name="sessionsummary",
            constraint=models.UniqueConstraint(
                condition=models.Q(("level", "best")), fields=("session",), name="one_strongest_per_session"
            ),
        ),
    ]
