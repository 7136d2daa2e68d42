"""The history of a namespace's policy, changes of it that wait for approval, and no vector where it is sealed."""

import django.db.models.deletion
from django.db import migrations, models

import vault.models.identifiers

# A write that began before a namespace was sealed brings its vector along. The lock, taken whatever the row says, lets
# it wait for the sealing, and the sealing for it: whichever comes last sees the other. A restore brings vectors before
# their namespaces: only one that is there and sealed refuses them.
NO_VECTOR_WHERE_SEALED = """
CREATE FUNCTION vault_no_vector_where_sealed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    is_sealed boolean;
BEGIN
    SELECT sealed INTO is_sealed FROM vault_namespace WHERE id = NEW.namespace_id FOR KEY SHARE;
    IF is_sealed THEN
        NEW.vector := NULL;
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER vault_memoryindex_sealed BEFORE INSERT OR UPDATE OF vector ON vault_memoryindex
    FOR EACH ROW WHEN (NEW.vector IS NOT NULL) EXECUTE FUNCTION vault_no_vector_where_sealed()
"""


class Migration(migrations.Migration):
    dependencies = [("vault", "0014_session_sets")]

    operations = [
        migrations.AlterField(
            model_name="approval",
            name="kind",
            field=models.CharField(
                choices=[
                    ("release", "Release"),
                    ("rollback", "Rollback"),
                    ("export", "Export"),
                    ("hold_release", "Hold Release"),
                    ("key_epoch", "Key Epoch"),
                    ("restore", "Restore"),
                    ("retraining", "Retraining"),
                    ("policy", "Policy"),
                ],
                max_length=16,
            ),
        ),
        migrations.CreateModel(
            name="PolicyProposal",
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
                ("before", models.JSONField()),
                ("after", models.JSONField()),
                ("purpose_before", models.CharField(blank=True, max_length=200)),
                ("purpose_after", models.CharField(blank=True, max_length=200)),
                ("reason", models.CharField(max_length=200)),
                ("author", models.CharField(max_length=80)),
                ("created_at", models.DateTimeField()),
                (
                    "namespace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="vault.namespace"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="NamespacePolicyVersion",
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
                ("version", models.PositiveIntegerField()),
                ("policy", models.JSONField()),
                ("purpose", models.CharField(blank=True, max_length=200)),
                ("sealed", models.BooleanField()),
                ("author", models.CharField(blank=True, max_length=80)),
                ("approved_by", models.CharField(blank=True, max_length=80)),
                ("reason", models.CharField(blank=True, max_length=200)),
                ("created_at", models.DateTimeField()),
                (
                    "namespace",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="policy_versions",
                        to="vault.namespace",
                    ),
                ),
            ],
            options={
                "ordering": ["-version"],
                "constraints": [
                    models.UniqueConstraint(fields=("namespace", "version"), name="one_policy_per_version")
                ],
            },
        ),
        migrations.RunSQL(
            NO_VECTOR_WHERE_SEALED,
            "DROP TRIGGER vault_memoryindex_sealed ON vault_memoryindex; DROP FUNCTION vault_no_vector_where_sealed()",
        ),
    ]
