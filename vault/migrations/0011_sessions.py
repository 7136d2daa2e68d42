"""Short-term memory: sessions, turns and their summaries."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

import vault.models.identifiers

OWN_SUBJECT = (
    "current_setting('vault.scope', true) = 'subject' "
    "AND subject_id = NULLIF(current_setting('vault.subject', true), '')::uuid"
)
OWN_NAMESPACE = (
    "(current_setting('vault.namespaces', true) = '*' OR namespace_id = ANY("
    "string_to_array(NULLIF(current_setting('vault.namespaces', true), '*'), ',')::bigint[]))"
)
EVERYTHING = "current_setting('vault.scope', true) = 'everything'"


def policy(table, condition):
    return [
        f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY",
        f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY",
        f"CREATE POLICY {table}_scope ON {table} USING ({condition}) WITH CHECK ({condition})",
    ]


def statements():
    result = []
    for table in ("vault_session", "vault_turn", "vault_sessionsummary"):
        result += policy(table, f"{EVERYTHING} OR ({OWN_SUBJECT} AND {OWN_NAMESPACE})")
    # Linking a visitor crosses namespaces.
    return result + policy("vault_visitorlink", f"{EVERYTHING} OR ({OWN_SUBJECT})")


class Migration(migrations.Migration):
    dependencies = [("vault", "0010_access_exports")]

    operations = [
        migrations.CreateModel(
            name='Session',
            fields=[
                ('id', models.UUIDField(default=vault.models.identifiers.new_id, editable=False, primary_key=True, serialize=False)),
                ('agent_id', models.UUIDField(null=True)),
                ('status', models.CharField(choices=[('active', 'Active'), ('ended', 'Ended'), ('expired', 'Expired')], default='active', max_length=8)),
                ('started_at', models.DateTimeField()),
                ('last_turn_at', models.DateTimeField()),
                ('idle_until', models.DateTimeField()),
                ('ends_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(null=True)),
                ('purge_at', models.DateTimeField(null=True)),
                ('turn_count', models.PositiveIntegerField(default=0)),
                ('token_count', models.PositiveBigIntegerField(default=0)),
                ('retrieve_why', models.CharField(blank=True, max_length=16)),
                ('state', models.BinaryField(default=bytes)),
                ('state_revision', models.PositiveIntegerField(default=0)),
                ('namespace', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='vault.namespace')),
                ('subject', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='vault.subject')),
            ],
        ),
        migrations.CreateModel(
            name='SessionSummary',
            fields=[
                ('id', models.UUIDField(default=vault.models.identifiers.new_id, editable=False, primary_key=True, serialize=False)),
                ('level', models.CharField(choices=[('turns', 'Turns'), ('session', 'Session'), ('subject', 'Subject')], max_length=8)),
                ('first', models.PositiveIntegerField(default=0)),
                ('last', models.PositiveIntegerField(default=0)),
                ('trust', models.CharField(max_length=12)),
                ('tokens', models.PositiveIntegerField()),
                ('method', models.CharField(max_length=12)),
                ('created_at', models.DateTimeField()),
                ('ciphertext', models.BinaryField()),
                ('namespace', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='vault.namespace')),
                ('session', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='summaries', to='vault.session')),
                ('subject', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='vault.subject')),
            ],
        ),
        migrations.CreateModel(
            name='Turn',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('role', models.CharField(max_length=9)),
                ('trust', models.CharField(max_length=12)),
                ('importance', models.FloatField()),
                ('tokens', models.PositiveIntegerField()),
                ('calls', models.PositiveSmallIntegerField(default=0)),
                ('answered', models.PositiveSmallIntegerField(default=0)),
                ('unit', models.PositiveIntegerField(null=True)),
                ('repeated', models.BooleanField(default=False)),
                ('fingerprint', models.BinaryField(max_length=32)),
                ('created_at', models.DateTimeField()),
                ('ciphertext', models.BinaryField()),
                ('namespace', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='vault.namespace')),
                ('session', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='turns', to='vault.session')),
                ('subject', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='vault.subject')),
            ],
        ),
        migrations.CreateModel(
            name='VisitorLink',
            fields=[
                ('id', models.UUIDField(default=vault.models.identifiers.new_id, editable=False, primary_key=True, serialize=False)),
                ('visitor_id', models.UUIDField(db_index=True)),
                ('linked_by', models.CharField(max_length=80)),
                ('linked_at', models.DateTimeField()),
                ('undo_until', models.DateTimeField()),
                ('undone_by', models.CharField(blank=True, max_length=80)),
                ('undone_at', models.DateTimeField(null=True)),
                ('memories', django.contrib.postgres.fields.ArrayField(base_field=models.UUIDField(), default=list, size=None)),
                ('sessions', django.contrib.postgres.fields.ArrayField(base_field=models.UUIDField(), default=list, size=None)),
                ('subject', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='vault.subject')),
            ],
        ),
        migrations.AddIndex(
            model_name='session',
            index=models.Index(fields=['subject', 'namespace', 'started_at'], name='session_by_subject'),
        ),
        migrations.AddIndex(
            model_name='session',
            index=models.Index(condition=models.Q(('status', 'active')), fields=['idle_until'], name='session_idle'),
        ),
        migrations.AddIndex(
            model_name='session',
            index=models.Index(condition=models.Q(('purge_at__isnull', False)), fields=['purge_at'], name='session_to_purge'),
        ),
        migrations.AddConstraint(
            model_name='session',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['active', 'ended', 'expired'])), name='session_status_is_known'),
        ),
        migrations.AddConstraint(
            model_name='session',
            constraint=models.CheckConstraint(condition=models.Q(('status', 'active'), ('ended_at__isnull', False), _connector='OR'), name='session_over_has_an_end'),
        ),
        migrations.AddIndex(
            model_name='sessionsummary',
            index=models.Index(fields=['subject', 'namespace', 'level'], name='summary_by_subject'),
        ),
        migrations.AddConstraint(
            model_name='sessionsummary',
            constraint=models.UniqueConstraint(condition=models.Q(('level', 'turns')), fields=('session', 'first', 'last'), name='one_summary_per_stretch'),
        ),
        migrations.AddConstraint(
            model_name='sessionsummary',
            constraint=models.UniqueConstraint(condition=models.Q(('level', 'session')), fields=('session',), name='one_summary_per_session'),
        ),
        migrations.AddConstraint(
            model_name='sessionsummary',
            constraint=models.UniqueConstraint(condition=models.Q(('level', 'subject')), fields=('subject', 'namespace'), name='one_summary_per_subject_and_namespace'),
        ),
        migrations.AddConstraint(
            model_name='sessionsummary',
            constraint=models.CheckConstraint(condition=models.Q(('trust__in', ['untrusted', 'inferred', 'stated', 'verified'])), name='summary_trust_is_known'),
        ),
        migrations.AddIndex(
            model_name='turn',
            index=models.Index(fields=['session', 'fingerprint'], name='turn_by_statement'),
        ),
        migrations.AddConstraint(
            model_name='turn',
            constraint=models.UniqueConstraint(fields=('session', 'number'), name='one_turn_per_number'),
        ),
        migrations.AddConstraint(
            model_name='turn',
            constraint=models.CheckConstraint(condition=models.Q(('role__in', ['system', 'user', 'assistant', 'tool'])), name='turn_role_is_known'),
        ),
        migrations.AddConstraint(
            model_name='turn',
            constraint=models.CheckConstraint(condition=models.Q(('trust__in', ['untrusted', 'inferred', 'stated', 'verified'])), name='turn_trust_is_known'),
        ),
        migrations.AddConstraint(
            model_name='turn',
            constraint=models.CheckConstraint(condition=models.Q(('importance__gte', 0), ('importance__lte', 1)), name='turn_importance_in_bounds'),
        ),
        migrations.AddConstraint(
            model_name='turn',
            constraint=models.CheckConstraint(condition=models.Q(('unit__isnull', True), ('unit__lt', models.F('number')), _connector='OR'), name='turn_answers_an_earlier_one'),
        ),
        migrations.AddConstraint(
            model_name='visitorlink',
            constraint=models.UniqueConstraint(condition=models.Q(('undone_at__isnull', True)), fields=('visitor_id',), name='one_live_link_per_visitor'),
        ),
        migrations.AddConstraint(
            model_name='visitorlink',
            constraint=models.CheckConstraint(condition=models.Q(('visitor_id', models.F('subject_id')), _negated=True), name='visitor_link_joins_two'),
        ),
        migrations.RunSQL(statements(), migrations.RunSQL.noop),
    ]
