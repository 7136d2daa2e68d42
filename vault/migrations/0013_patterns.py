"""Staff's own patterns, their versions and hits."""

import django.db.models.deletion
from django.db import migrations, models

import vault.models.identifiers


class Migration(migrations.Migration):
    dependencies = [("vault", "0012_upkeep")]

    operations = [
        migrations.CreateModel(
            name="Rule",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=vault.models.identifiers.new_id,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("name", models.SlugField(max_length=48, unique=True)),
                ("position", models.PositiveIntegerField()),
                ("version", models.PositiveIntegerField(default=1)),
                ("live_version", models.PositiveIntegerField(null=True)),
                ("created_by", models.CharField(max_length=80)),
                ("created_at", models.DateTimeField()),
                ("hits", models.PositiveBigIntegerField(default=0)),
                ("last_hit_at", models.DateTimeField(null=True)),
                (
                    "namespace",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="vault.namespace",
                    ),
                ),
            ],
            options={
                "ordering": ["position", "pk"],
            },
        ),
        migrations.CreateModel(
            name="RuleVersion",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=vault.models.identifiers.new_id,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("pattern", models.CharField(max_length=500)),
                ("action", models.CharField(max_length=20)),
                ("slot", models.SlugField(blank=True, max_length=64)),
                ("author", models.CharField(max_length=80)),
                ("written_at", models.DateTimeField()),
                ("tried_at", models.DateTimeField(null=True)),
                ("tried_on", models.PositiveIntegerField(null=True)),
                ("matched", models.PositiveIntegerField(null=True)),
                (
                    "rule",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="versions", to="vault.rule"
                    ),
                ),
            ],
            options={
                "ordering": ["-number"],
            },
        ),
        migrations.AddConstraint(
            model_name="rule",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("live_version__isnull", True),
                    ("live_version__lte", models.F("version")),
                    _connector="OR",
                ),
                name="rule_live_version_exists",
            ),
        ),
        migrations.AddConstraint(
            model_name="ruleversion",
            constraint=models.UniqueConstraint(fields=("rule", "number"), name="one_rule_version_per_number"),
        ),
        migrations.AddConstraint(
            model_name="ruleversion",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "action__in",
                        [
                            "redact",
                            "quarantine",
                            "refuse",
                            "store_as_preference",
                            "store_with_priority",
                            "forget_previous",
                        ],
                    )
                ),
                name="rule_action_is_known",
            ),
        ),
    ]
