"""Isolation in the database: forced row-level security on every table that knows a subject.

The policies read the transaction-local settings that vault.models.isolation sets. An unset setting reads
as NULL or '', and neither equals anything: no scope, no rows.
"""

from django.db import migrations

EVERYTHING = "current_setting('vault.scope', true) = 'everything'"
DIRECTORY = "current_setting('vault.scope', true) IN ('everything', 'directory')"
OWN_SUBJECT = (
    "current_setting('vault.scope', true) = 'subject' "
    "AND {column} = NULLIF(current_setting('vault.subject', true), '')::uuid"
)
OWN_NAMESPACE = (
    "(current_setting('vault.namespaces', true) = '*' OR namespace_id = ANY("
    "string_to_array(NULLIF(current_setting('vault.namespaces', true), '*'), ',')::bigint[]))"
)

BY_SUBJECT_AND_NAMESPACE = (
    "vault_memory",
    "vault_memoryversion",
    "vault_memoryindex",
    "vault_keywordposting",
    "vault_conflict",
    "vault_quarantinedwrite",
)
BY_SUBJECT = ("vault_legalhold", "vault_erasurerequest")


def policy(table: str, condition: str) -> list[str]:
    return [
        f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY",
        f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY",
        f"CREATE POLICY {table}_scope ON {table} USING ({condition}) WITH CHECK ({condition})",
    ]


def statements() -> list[str]:
    own = OWN_SUBJECT.format(column="subject_id")
    result: list[str] = []
    for table in BY_SUBJECT_AND_NAMESPACE:
        result += policy(table, f"{EVERYTHING} OR ({own} AND {OWN_NAMESPACE})")
    for table in BY_SUBJECT:
        result += policy(table, f"{EVERYTHING} OR ({own})")
    # A subject is found by its keyed hash before anybody can know its id.
    result += policy("vault_subject", f"{DIRECTORY} OR ({OWN_SUBJECT.format(column='id')})")
    # An answer for replay is found by its caller's key; it is sealed under the subject's own key.
    result += policy("vault_idempotencyrecord", f"{DIRECTORY} OR ({own})")
    return result


class Migration(migrations.Migration):
    dependencies = [("vault", "0001_initial")]

    operations = [
        migrations.RunSQL(statements(), migrations.RunSQL.noop),
        # A halfvec is 776 bytes: beside the row, a scan reads pages in order instead of following TOAST pointers.
        migrations.RunSQL(
            ["ALTER TABLE vault_memoryindex ALTER COLUMN vector SET STORAGE PLAIN"], migrations.RunSQL.noop
        ),
    ]
