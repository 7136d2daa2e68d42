"""A key that is accepted stands there once, also when two register it at the same moment.

Of those that stand there twice the oldest stays, the others are revoked.
"""

from django.db import migrations, models

REVOKE_REPEATS = """
    UPDATE vault_assertionkey AS later SET revoked_at = now()
    WHERE later.revoked_at IS NULL AND EXISTS (
        SELECT 1 FROM vault_assertionkey earlier
        WHERE earlier.public_key = later.public_key AND earlier.revoked_at IS NULL
            AND (earlier.created_at, earlier.id) < (later.created_at, later.id)
    )
"""


class Migration(migrations.Migration):
    dependencies = [("vault", "0021_what_a_window_goes_by")]

    operations = [
        migrations.RunSQL(REVOKE_REPEATS, migrations.RunSQL.noop),
        migrations.AddConstraint(
            model_name="assertionkey",
            constraint=models.UniqueConstraint(
                fields=["public_key"],
                condition=models.Q(revoked_at__isnull=True),
                name="one_accepted_key",
            ),
        ),
    ]
