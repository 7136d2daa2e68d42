"""Four eyes: requests that a second person approves."""

from django.db import migrations, models

import vault.models.identifiers


class Migration(migrations.Migration):
    dependencies = [
        ("vault", "0005_cache_table"),
    ]

    operations = [
        migrations.CreateModel(
            name="Approval",
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
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("release", "Release"),
                            ("rollback", "Rollback"),
                            ("export", "Export"),
                            ("hold_release", "Hold Release"),
                            ("key_epoch", "Key Epoch"),
                            ("restore", "Restore"),
                            ("retraining", "Retraining"),
                        ],
                        max_length=16,
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("asked", "Asked"),
                            ("approved", "Approved"),
                            ("refused", "Refused"),
                            ("used", "Used"),
                            ("expired", "Expired"),
                        ],
                        default="asked",
                        max_length=8,
                    ),
                ),
                ("target_id", models.UUIDField(null=True)),
                ("particulars", models.JSONField(default=dict)),
                ("request_hash", models.BinaryField(max_length=32)),
                ("reason_code", models.SlugField(max_length=64)),
                ("requested_by", models.CharField(max_length=80)),
                ("requested_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField()),
                ("decided_by", models.CharField(blank=True, max_length=80)),
                ("decided_at", models.DateTimeField(null=True)),
                ("ground_code", models.SlugField(blank=True, max_length=64)),
                ("used_at", models.DateTimeField(null=True)),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("status__in", ["asked", "approved"])),
                        fields=["expires_at"],
                        name="approval_open",
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("decided_by", ""),
                            models.Q(("decided_by", models.F("requested_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="approval_requester_is_not_approver",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("status__in", ["asked", "expired"]),
                            models.Q(("decided_by", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="approval_decision_has_a_decider",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("status__in", ["asked", "approved", "refused", "used", "expired"])
                        ),
                        name="approval_status_is_known",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("status__in", ["asked", "approved"])),
                        fields=("request_hash",),
                        name="one_open_approval_per_request",
                    ),
                ],
            },
        ),
    ]
