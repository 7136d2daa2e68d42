"""Who works on what at the review desk, and the filters that staff keep."""

from datetime import timedelta

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import F, Q

import vault.models.identifiers


class Migration(migrations.Migration):
    dependencies = [("vault", "0007_bulk_rollback")]

    operations = [
        migrations.AddField("quarantinedwrite", "assigned_to", models.CharField(blank=True, max_length=80)),
        migrations.AddField("quarantinedwrite", "claimed_until", models.DateTimeField(null=True)),
        migrations.AddField(
            "quarantinedwrite",
            "detectors",
            django.contrib.postgres.fields.ArrayField(models.CharField(max_length=128), default=list),
        ),
        migrations.AddField("quarantinedwrite", "sealed_notes", models.BinaryField(default=bytes)),
        migrations.CreateModel(
            name="AllowedPattern",
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
                ("codes", django.contrib.postgres.fields.ArrayField(models.CharField(max_length=128))),
                ("until", models.DateTimeField()),
                ("reason_code", models.SlugField(max_length=64)),
                ("created_by", models.CharField(max_length=80)),
                ("created_at", models.DateTimeField()),
                ("revoked_by", models.CharField(blank=True, max_length=80)),
                ("revoked_at", models.DateTimeField(null=True)),
                ("hits", models.PositiveIntegerField(default=0)),
                ("last_hit_at", models.DateTimeField(null=True)),
                (
                    "agent",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="allowed_patterns",
                        to="vault.agent",
                    ),
                ),
                (
                    "namespace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="vault.namespace"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        name="allowed_pattern_ends_in_time",
                        condition=Q(until__gt=F("created_at"))
                        & Q(until__lte=F("created_at") + timedelta(days=90)),
                    ),
                    models.CheckConstraint(
                        name="allowed_pattern_revocation_has_an_author",
                        condition=Q(revoked_at__isnull=True) | ~Q(revoked_by=""),
                    ),
                    models.CheckConstraint(
                        name="allowed_pattern_names_a_code", condition=Q(codes__len__gt=0)
                    ),
                ],
                "indexes": [
                    models.Index(
                        condition=Q(revoked_at__isnull=True),
                        fields=["agent", "namespace", "until"],
                        name="allowed_pattern_live",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SavedFilter",
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
                ("name", models.CharField(max_length=40)),
                ("query", models.JSONField(default=dict)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "staff",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="saved_filters",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("staff", "name"), name="one_saved_filter_per_staff_and_name"
                    )
                ]
            },
        ),
    ]
