"""A window of a long session costs by its own size: indexes along which it reads, and policies reckoned once a query.

As they were, the policies read their settings for every row that was looked at: three calls a row, most of what it
cost to count a long session. In a subquery of its own a setting is read once. What they allow is the same.
"""

from django.db import migrations, models

TABLES = ("vault_session", "vault_turn", "vault_sessionsummary")
SCOPE = "(SELECT current_setting('vault.scope', true))"
SUBJECT = "(SELECT NULLIF(current_setting('vault.subject', true), '')::uuid)"
NAMESPACES = "(SELECT current_setting('vault.namespaces', true))"
LISTED = "(SELECT string_to_array(NULLIF(current_setting('vault.namespaces', true), '*'), ',')::bigint[])::bigint[]"
# A planner expects half of the rows to pass a CASE, and next to none to pass the same as AND and OR: then it sorts a
# whole session where it could read the first rows of an index.
CONDITION = (
    f"CASE {SCOPE} WHEN 'everything' THEN true WHEN 'subject' THEN "
    f"subject_id = {SUBJECT} AND ({NAMESPACES} = '*' OR namespace_id = ANY({LISTED})) ELSE false END"
)


def statements() -> list[str]:
    return [
        f"ALTER POLICY {table}_scope ON {table} USING ({CONDITION}) WITH CHECK ({CONDITION})"
        for table in TABLES
    ]


class Migration(migrations.Migration):
    dependencies = [("vault", "0018_spent_assertions")]

    operations = [
        migrations.RunSQL(statements(), migrations.RunSQL.noop),
        migrations.AddIndex(
            model_name="turn",
            index=models.Index(
                condition=models.Q(("repeated", False)),
                fields=["session", "importance", "number"],
                name="turn_by_weight",
            ),
        ),
        migrations.AddIndex(
            model_name="turn",
            index=models.Index(
                fields=["session", "role", "number"],
                include=("tokens", "subject", "namespace"),
                name="turn_by_role",
            ),
        ),
        migrations.AddIndex(
            model_name="turn",
            index=models.Index(
                condition=models.Q(("unit__isnull", False)), fields=["session", "unit"], name="turn_by_call"
            ),
        ),
        migrations.AddIndex(
            model_name="turn",
            index=models.Index(
                condition=models.Q(("calls__gt", models.F("answered"))),
                fields=["session", "number"],
                name="turn_waiting",
            ),
        ),
    ]
