"""Caps, lives by kind, feedback and what consolidation put together."""

import django.db.models.deletion
from django.db import migrations, models

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
TABLE = "vault_memoryfeedback"


def statements() -> list[str]:
    return [
        f"ALTER TABLE {TABLE} ENABLE ROW LEVEL SECURITY",
        f"ALTER TABLE {TABLE} FORCE ROW LEVEL SECURITY",
        f"CREATE POLICY {TABLE}_scope ON {TABLE} USING ({CONDITION}) WITH CHECK ({CONDITION})",
    ]


class Migration(migrations.Migration):
    dependencies = [("vault", "0011_sessions")]

    operations = [
        migrations.CreateModel(
            name='MemoryFeedback',
            fields=[
                ('id', models.UUIDField(default=vault.models.identifiers.new_id, editable=False, primary_key=True, serialize=False)),
                ('caller', models.CharField(max_length=80)),
                ('day', models.DateField(db_index=True)),
                ('useful', models.BooleanField()),
            ],
        ),
        migrations.AddField(
            model_name='memory',
            name='consolidated',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='memory',
            name='destroyed_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name='memory',
            name='life_days',
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.AddField(
            model_name='memory',
            name='life_extends',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='memory',
            name='useful_count',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='memory',
            name='useless_count',
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='memoryversion',
            name='destroyed_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddIndex(
            model_name='memory',
            index=models.Index(condition=models.Q(('life_extends', True), ('status', 'active')), fields=['last_used_at'], name='memory_extending'),
        ),
        migrations.AddIndex(
            model_name='memory',
            index=models.Index(condition=models.Q(('consolidated', True)), fields=['subject'], name='memory_consolidated'),
        ),
        migrations.AddIndex(
            model_name='memoryindex',
            index=models.Index(condition=models.Q(('vector__isnull', True)), fields=['memory'], name='memoryindex_to_embed'),
        ),
        migrations.AddField(
            model_name='memoryfeedback',
            name='memory',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='vault.memory'),
        ),
        migrations.AddField(
            model_name='memoryfeedback',
            name='namespace',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='vault.namespace'),
        ),
        migrations.AddField(
            model_name='memoryfeedback',
            name='subject',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='vault.subject'),
        ),
        migrations.AddConstraint(
            model_name='memoryfeedback',
            constraint=models.UniqueConstraint(fields=('memory', 'caller', 'day'), name='one_word_per_caller_and_day'),
        ),
        migrations.RunSQL(statements(), migrations.RunSQL.noop),
    ]
