"""Exports of all that is kept on one subject."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

import vault.models.identifiers

EVERYTHING = "current_setting('vault.scope', true) = 'everything'"
OWN_SUBJECT = (
    "current_setting('vault.scope', true) = 'subject' "
    "AND subject_id = NULLIF(current_setting('vault.subject', true), '')::uuid"
)
STATUSES = ["waiting_for_approval", "queued", "running", "ready", "expired", "failed", "refused"]


def policy(table: str) -> list[str]:
    condition = f"{EVERYTHING} OR ({OWN_SUBJECT})"
    return [
        f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY",
        f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY",
        f"CREATE POLICY {table}_scope ON {table} USING ({condition}) WITH CHECK ({condition})",
    ]


class Migration(migrations.Migration):
    dependencies = [("vault", "0009_privacy_requests")]

    operations = [
        migrations.CreateModel(
            name="AccessExport",
            fields=[
                ("id", models.UUIDField(default=vault.models.identifiers.new_id, editable=False, primary_key=True, serialize=False)),
                ("subject_id", models.UUIDField(db_index=True)),
                ("agent_id", models.UUIDField(null=True)),
                ("namespaces", django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), null=True, size=None)),
                ("status", models.CharField(choices=[("waiting_for_approval", "Waiting"), ("queued", "Queued"), ("running", "Running"), ("ready", "Ready"), ("expired", "Expired"), ("failed", "Failed"), ("refused", "Refused")], default="waiting_for_approval", max_length=20)),
                ("reason_code", models.SlugField(max_length=64)),
                ("requested_by", models.CharField(max_length=80)),
                ("requested_at", models.DateTimeField()),
                ("attempt", models.PositiveIntegerField(default=0)),
                ("as_of", models.DateTimeField(null=True)),
                ("ready_at", models.DateTimeField(null=True)),
                ("expires_at", models.DateTimeField(null=True)),
                ("size", models.PositiveBigIntegerField(default=0)),
            ],
            options={
                "indexes": [models.Index(condition=models.Q(("status", "ready")), fields=["expires_at"], name="export_due")],
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("status__in", STATUSES)), name="export_status_is_known"),
                    models.CheckConstraint(condition=models.Q(models.Q(("status", "ready"), _negated=True), models.Q(("expires_at__isnull", False), ("ready_at__isnull", False)), _connector="OR"), name="export_that_is_ready_expires"),
                    models.UniqueConstraint(condition=models.Q(("status__in", STATUSES[:3])), fields=("subject_id", "requested_by"), name="one_open_export_per_asker"),
                ],
            },
        ),
        migrations.CreateModel(
            name="AccessExportPart",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("subject_id", models.UUIDField(db_index=True)),
                ("number", models.PositiveIntegerField()),
                ("ciphertext", models.BinaryField()),
                ("export", models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="parts", to="vault.accessexport")),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("export", "number"), name="one_export_part_per_place")],
            },
        ),
        migrations.RunSQL([*policy("vault_accessexport"), *policy("vault_accessexportpart")], migrations.RunSQL.noop),
    ]
