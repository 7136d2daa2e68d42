from __future__ import annotations

import pytest
from django.conf import settings
from django.db import connection, connections, transaction

from tests.drafts import make_agent_scope, make_draft
from vault.evaluation.scratch import scratch_vault
from vault.models import Memory, isolation
from vault.writing.pipeline import write_memory

pytestmark = pytest.mark.django_db(transaction=True)


def count() -> int:
    with transaction.atomic():
        isolation.open_everything()
        return Memory.objects.count()


def test_what_is_written_in_a_scratch_vault_is_nowhere_else():
    with scratch_vault():
        write_memory(draft=make_draft("The lamp is green."), scope=make_agent_scope())
        assert count() == 1

    assert count() == 0


def test_the_scratch_database_and_its_keys_are_gone_afterwards():
    before = settings.KEYSTORE_URL
    with scratch_vault():
        assert before != settings.KEYSTORE_URL
        name = connection.settings_dict["NAME"]

    assert before == settings.KEYSTORE_URL
    with connections["owner"].cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_database WHERE datname = %s", [name])
        assert cursor.fetchone() == (0,)


def test_a_failed_measurement_leaves_nothing_behind():
    names = []

    def fail() -> None:
        with scratch_vault():
            names.append(connection.settings_dict["NAME"])
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()

    with connections["owner"].cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_database WHERE datname = ANY(%s)", [names])
        assert cursor.fetchone() == (0,)
