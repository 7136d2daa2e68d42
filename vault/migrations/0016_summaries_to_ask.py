"""Summaries that a language model is to be asked for."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("vault", "0015_namespace_policies")]

    operations = [
        migrations.AddField(
            model_name="sessionsummary", name="ask_model_at", field=models.DateTimeField(null=True)
        ),
        migrations.AddField(
            model_name="sessionsummary", name="asked", field=models.PositiveSmallIntegerField(default=0)
        ),
        migrations.AddIndex(
            model_name="sessionsummary",
            index=models.Index(
                condition=models.Q(("ask_model_at__isnull", False)),
                fields=["ask_model_at"],
                name="summary_to_ask",
            ),
        ),
    ]
