"""What data subjects ask for on the public page, and the contacts that prove who they are."""

import django.db.models.deletion
from django.db import migrations, models

import vault.models.identifiers

DIRECTORY = "current_setting('vault.scope', true) IN ('everything', 'directory')"
OWN = (
    "current_setting('vault.scope', true) = 'subject' "
    "AND subject_id = NULLIF(current_setting('vault.subject', true), '')::uuid"
)
# Each is found by a keyed hash, of an address, a number or a link, before anybody can know whose it is.
TABLES = ("vault_subjectcontact", "vault_subjectrequest", "vault_subjectproof")


def policies() -> list[str]:
    condition = f"{DIRECTORY} OR ({OWN})"
    return [
        statement
        for table in TABLES
        for statement in (
            f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY",
            f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY",
            f"CREATE POLICY {table}_scope ON {table} USING ({condition}) WITH CHECK ({condition})",
        )
    ]


class Migration(migrations.Migration):
    dependencies = [("vault", "0008_review_desk")]

    operations = [
        migrations.CreateModel(
            name="PrivacyInquiry",
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
                            ("access", "Access"),
                            ("correction", "Correction"),
                            ("restriction", "Restriction"),
                            ("erasure", "Erasure"),
                        ],
                        max_length=12,
                    ),
                ),
                ("lookup_hash", models.BinaryField(max_length=32)),
                ("received_at", models.DateTimeField()),
            ],
        ),
        migrations.AddField(
            model_name="subject",
            name="restricted_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.CreateModel(
            name="AssertionKey",
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
                ("public_key", models.BinaryField(max_length=32)),
                ("created_at", models.DateTimeField()),
                ("revoked_at", models.DateTimeField(null=True)),
                (
                    "agent",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="assertion_keys",
                        to="vault.agent",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="SubjectRequest",
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
                ("subject_id", models.UUIDField(db_index=True)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("access", "Access"),
                            ("correction", "Correction"),
                            ("restriction", "Restriction"),
                            ("erasure", "Erasure"),
                        ],
                        max_length=12,
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("received", "Received"),
                            ("verified", "Verified"),
                            ("on_hold", "On Hold"),
                            ("approved", "Approved"),
                            ("refused", "Refused"),
                            ("executing", "Executing"),
                            ("done", "Done"),
                        ],
                        default="received",
                        max_length=12,
                    ),
                ),
                ("received_at", models.DateTimeField()),
                ("due_at", models.DateTimeField()),
                (
                    "proved_by",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("mail", "Mail"),
                            ("handed_out", "Handed Out"),
                            ("application", "Application"),
                            ("staff", "Staff"),
                        ],
                        max_length=12,
                    ),
                ),
                ("verified_at", models.DateTimeField(null=True)),
                ("reference_hash", models.BinaryField(max_length=32, null=True, unique=True)),
                ("sealed_text", models.BinaryField(default=bytes)),
                ("extended_at", models.DateTimeField(null=True)),
                ("extension_code", models.SlugField(blank=True, max_length=64)),
                ("decided_by", models.CharField(blank=True, max_length=80)),
                ("decided_at", models.DateTimeField(null=True)),
                ("ground_code", models.SlugField(blank=True, max_length=64)),
                ("done_at", models.DateTimeField(null=True)),
                ("export_id", models.UUIDField(null=True)),
                ("link_sent_at", models.DateTimeField(null=True)),
                ("link_attempts", models.PositiveSmallIntegerField(default=0)),
                ("link_next_at", models.DateTimeField(null=True)),
                ("due_soon_noted_at", models.DateTimeField(null=True)),
                ("overdue_noted_at", models.DateTimeField(null=True)),
                (
                    "duplicate_of",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="duplicates",
                        to="vault.subjectrequest",
                    ),
                ),
                (
                    "erasure",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.PROTECT, to="vault.erasurerequest"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="SubjectProof",
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
                ("subject_id", models.UUIDField(db_index=True)),
                (
                    "method",
                    models.CharField(
                        choices=[
                            ("mail", "Mail"),
                            ("handed_out", "Handed Out"),
                            ("application", "Application"),
                            ("staff", "Staff"),
                        ],
                        max_length=12,
                    ),
                ),
                ("token_hash", models.BinaryField(max_length=32, unique=True)),
                ("nonce_hash", models.BinaryField(max_length=32, null=True, unique=True)),
                ("created_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField(db_index=True)),
                ("used_at", models.DateTimeField(null=True)),
                (
                    "request",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="proofs",
                        to="vault.subjectrequest",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="SubjectContact",
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
                ("lookup_hash", models.BinaryField(db_index=True, max_length=32)),
                ("sealed_address", models.BinaryField()),
                ("registered_by", models.CharField(max_length=80)),
                ("registered_at", models.DateTimeField()),
                (
                    "subject",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="contacts",
                        to="vault.subject",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("subject", "lookup_hash"), name="one_contact_per_address")
                ],
            },
        ),
        migrations.AddIndex(
            model_name="subjectrequest",
            index=models.Index(
                condition=models.Q(("status__in", ["refused", "done"]), _negated=True),
                fields=["due_at"],
                name="subject_request_due",
            ),
        ),
        migrations.AddConstraint(
            model_name="subjectrequest",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["access", "correction", "restriction", "erasure"])),
                name="subject_request_kind_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="subjectrequest",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "status__in",
                        ["received", "verified", "on_hold", "approved", "refused", "executing", "done"],
                    )
                ),
                name="subject_request_status_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="subjectrequest",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("status__in", ["received", "refused"]),
                    models.Q(
                        ("verified_at__isnull", False),
                        models.Q(("proved_by", ""), _negated=True),
                        ("reference_hash__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="subject_request_proved_or_refused",
            ),
        ),
        migrations.AddConstraint(
            model_name="subjectrequest",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("status__in", ("received", "verified", "on_hold")),
                    models.Q(("decided_by", ""), _negated=True),
                    _connector="OR",
                ),
                name="subject_request_has_a_decider",
            ),
        ),
        migrations.AddConstraint(
            model_name="subjectrequest",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("status", "refused"), _negated=True),
                    models.Q(("ground_code", ""), _negated=True),
                    _connector="OR",
                ),
                name="subject_request_refused_on_a_ground",
            ),
        ),
        migrations.AddConstraint(
            model_name="subjectrequest",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("status", "done"), ("done_at__isnull", False)),
                    models.Q(models.Q(("status", "done"), _negated=True), ("done_at__isnull", True)),
                    _connector="OR",
                ),
                name="subject_request_done_has_a_time",
            ),
        ),
        migrations.AddConstraint(
            model_name="subjectrequest",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("extended_at__isnull", True), ("extension_code", "")),
                    models.Q(("extended_at__isnull", False), models.Q(("extension_code", ""), _negated=True)),
                    _connector="OR",
                ),
                name="subject_request_extended_with_a_reason",
            ),
        ),
        migrations.AddConstraint(
            model_name="subjectrequest",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("duplicate_of__isnull", True),
                    models.Q(("duplicate_of", models.F("id")), _negated=True),
                    _connector="OR",
                ),
                name="subject_request_no_duplicate_of_itself",
            ),
        ),
        migrations.AddConstraint(
            model_name="subjectrequest",
            constraint=models.UniqueConstraint(
                condition=models.Q(("status", "received")),
                fields=("subject_id", "kind"),
                name="one_unproved_request_per_kind",
            ),
        ),
        migrations.AddConstraint(
            model_name="subjectrequest",
            constraint=models.UniqueConstraint(
                condition=models.Q(
                    ("duplicate_of__isnull", True),
                    ("status__in", ("verified", "on_hold", "approved", "executing")),
                ),
                fields=("subject_id", "kind"),
                name="one_first_request_per_kind",
            ),
        ),
        migrations.RunSQL(policies(), migrations.RunSQL.noop),
    ]
