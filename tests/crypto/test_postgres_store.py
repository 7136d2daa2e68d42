import psycopg
import pytest

from tests.crypto.fakes import FakeKms
from vault.crypto import open_vault
from vault.crypto.errors import KeystoreUnavailable


@pytest.fixture
def vault(emptied_postgres, kms: FakeKms):
    opened = open_vault(keystore=emptied_postgres, root=kms, create=True)
    yield opened
    opened.close()


def end_all_connections(url):
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def test_a_database_that_went_away_is_told_of_and_used_again_when_it_is_back(
    vault, emptied_postgres, make_subjects
):
    [subject] = make_subjects(vault, 1)
    end_all_connections(emptied_postgres)

    with pytest.raises(KeystoreUnavailable):
        vault.subject(subject)
    vault.subject(subject)


def test_no_keystore_is_made_in_a_database_that_does_not_answer(kms, tmp_path):
    with pytest.raises(KeystoreUnavailable):
        open_vault(keystore=f"postgresql:///keys?host={tmp_path}", root=kms, create=True)


def test_what_concerns_a_key_waits_for_the_disk(vault, store_settings):
    assert store_settings["writing"] == "on"


@pytest.fixture
def store_settings(vault):
    with vault._store.writing() as rows:
        return {"writing": rows.run("SHOW synchronous_commit")[0][0]}
