"""What a rollback of many memories was asked to undo, and how far it is."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import F, Q

import vault.models.identifiers

EVERYTHING = "current_setting('vault.scope', true) = 'everything'"
OWN_SUBJECT = (
    "current_setting('vault.scope', true) = 'subject' "
    "AND subject_id = NULLIF(current_setting('vault.subject', true), '')::uuid"
)
OWN_NAMESPACE = (
    "(current_setting('vault.namespaces', true) = '*' OR namespace_id = ANY("
    "string_to_array(NULLIF(current_setting('vault.namespaces', true), '*'), ',')::bigint[]))"
)
CONDITION = f"{EVERYTHING} OR ({OWN_SUBJECT} AND {OWN_NAMESPACE})"
POLICY = [
    "ALTER TABLE vault_bulkrollbackitem ENABLE ROW LEVEL SECURITY",
    "ALTER TABLE vault_bulkrollbackitem FORCE ROW LEVEL SECURITY",
    f"CREATE POLICY vault_bulkrollbackitem_scope ON vault_bulkrollbackitem "
    f"USING ({CONDITION}) WITH CHECK ({CONDITION})",
]


def identifier():
    return models.UUIDField(
        default=vault.models.identifiers.new_id, editable=False, primary_key=True, serialize=False
    )


def protected(to, **options):
    return models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to=f"vault.{to}", **options)


def choice(values, **options):
    return models.CharField(choices=[(value, value.capitalize()) for value in values.split()], **options)


class Migration(migrations.Migration):
    dependencies = [("vault", "0006_approvals")]

    operations = [
        migrations.CreateModel(
            name="BulkRollback",
            fields=[
                ("id", identifier()),
                ("status", choice("requested running done", default="requested", max_length=10)),
                ("agent_id", models.UUIDField(null=True)),
                ("source_type", models.CharField(blank=True, max_length=8)),
                ("by_reference", models.BooleanField(default=False)),
                ("session_id", models.UUIDField(null=True)),
                ("since", models.DateTimeField()),
                ("until", models.DateTimeField()),
                ("namespace", protected("namespace", null=True, related_name="+")),
                ("reason_code", models.SlugField(max_length=64)),
                ("items_digest", models.BinaryField(max_length=32)),
                ("total", models.PositiveIntegerField()),
                ("requested_by", models.CharField(max_length=80)),
                ("requested_at", models.DateTimeField()),
                ("approval_id", models.UUIDField(null=True)),
                ("started_at", models.DateTimeField(null=True)),
                ("finished_at", models.DateTimeField(null=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=Q(status__in=["requested", "running", "done"]), name="rollback_status_is_known"
                    ),
                    models.CheckConstraint(
                        condition=Q(
                            ("agent_id__isnull", False),
                            Q(("source_type", ""), _negated=True),
                            ("by_reference", True),
                            ("session_id__isnull", False),
                            _connector="OR",
                        ),
                        name="rollback_names_whose_writes",
                    ),
                    models.CheckConstraint(
                        condition=Q(since__lt=F("until")), name="rollback_window_has_a_length"
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="BulkRollbackItem",
            fields=[
                ("id", identifier()),
                ("rollback", protected("bulkrollback", db_index=False, related_name="items")),
                ("subject", protected("subject", related_name="+")),
                ("namespace", protected("namespace", db_index=False, related_name="+")),
                ("position", models.PositiveIntegerField()),
                ("kind", choice("restore forget stale revive reject conflict", max_length=8)),
                ("memory", protected("memory", null=True, related_name="+")),
                ("write", protected("quarantinedwrite", null=True, related_name="+")),
                ("seen_version", models.PositiveIntegerField()),
                ("to_version", models.PositiveIntegerField(default=0)),
                ("to_status", models.CharField(blank=True, max_length=12)),
                ("result_version", models.PositiveIntegerField(null=True)),
                ("status", choice("pending done skipped conflict failed", default="pending", max_length=8)),
                ("outcome_code", models.CharField(blank=True, max_length=64)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("rollback", "position"), name="one_rollback_item_per_position"
                    ),
                    models.CheckConstraint(
                        condition=Q(kind__in=["restore", "forget", "stale", "revive", "reject", "conflict"]),
                        name="rollback_item_kind_is_known",
                    ),
                    models.CheckConstraint(
                        condition=Q(status__in=["pending", "done", "skipped", "conflict", "failed"]),
                        name="rollback_item_status_is_known",
                    ),
                    models.CheckConstraint(
                        condition=Q(
                            Q(("memory__isnull", True), ("write__isnull", False)),
                            Q(("memory__isnull", False), ("write__isnull", True)),
                            _connector="OR",
                        ),
                        name="rollback_item_is_of_one_row",
                    ),
                ]
            },
        ),
        migrations.RunSQL(POLICY, migrations.RunSQL.noop),
        migrations.AddField(
            "conflict", "kind", choice("statement rollback", default="statement", max_length=12)
        ),
        migrations.AddField("conflict", "to_version", models.PositiveIntegerField(null=True)),
        migrations.AddField("conflict", "reason_code", models.CharField(blank=True, max_length=64)),
        migrations.AddIndex(
            "conflict",
            models.Index(condition=Q(("status", "open")), fields=["created_at"], name="conflict_open"),
        ),
        migrations.AddConstraint(
            "conflict",
            models.CheckConstraint(
                condition=Q(Q(("kind", "rollback"), _negated=True), ("to_version__isnull", False), _connector="OR"),
                name="conflict_goes_back_to_a_version",
            ),
        ),
    ]
