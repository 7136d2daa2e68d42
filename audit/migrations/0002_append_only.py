"""Refuse UPDATE and DELETE on the log, whoever asks; its owner would have to disable the triggers first.

ENABLE ALWAYS: a session that plays replica does not get past them. TRUNCATE is left to rights: only the owner
has it, and the witness file tells of it.
"""

from django.db import migrations

TABLES = ("audit_entry", "audit_leaf", "audit_node", "audit_checkpoint")

FUNCTION = """
CREATE FUNCTION audit_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit log is append-only: % on %', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'integrity_constraint_violation';
END
$$
"""


def trigger(table: str) -> str:
    return f"""
        CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE ON {table}
            FOR EACH ROW EXECUTE FUNCTION audit_refuse_change();
        ALTER TABLE {table} ENABLE ALWAYS TRIGGER {table}_append_only
    """


class Migration(migrations.Migration):
    dependencies = [("audit", "0001_initial")]

    operations = [
        migrations.RunSQL(FUNCTION, "DROP FUNCTION audit_refuse_change()"),
        *(
            migrations.RunSQL(trigger(table), f"DROP TRIGGER {table}_append_only ON {table}")
            for table in TABLES
        ),
    ]
