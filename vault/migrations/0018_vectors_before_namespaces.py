"""A restore brings vectors before their namespaces: only one that is there and sealed refuses them."""

from django.db import migrations

# The lock is taken whatever the row says: a write and a sealing wait for each other, and the later one sees the other.
FUNCTION = """
CREATE OR REPLACE FUNCTION vault_no_vector_where_sealed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    is_sealed boolean;
BEGIN
    SELECT sealed INTO is_sealed FROM vault_namespace WHERE id = NEW.namespace_id FOR KEY SHARE;
    IF is_sealed THEN
        NEW.vector := NULL;
    END IF;
    RETURN NEW;
END
$$
"""


class Migration(migrations.Migration):
    dependencies = [("vault", "0017_linked_drafts")]

    operations = [migrations.RunSQL(FUNCTION, migrations.RunSQL.noop)]
