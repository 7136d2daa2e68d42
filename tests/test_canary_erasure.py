"""After an erasure nothing of a subject is left in any file: canaries in every store, and a search for their bytes.

Before any VACUUM, so that rows which are deleted but still stand on their pages would be found. The search has to
be able to fail: words that are planted in clear are found in every one of these places first.
"""

from __future__ import annotations

import json
import logging
import os
import secrets
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from django.db import connections, transaction

from tests import canaries
from tests.factories import staff_scope
from tests.fillers import FILLERS, Words, fill
from tests.home import HOME, WORKER
from vault.celery import app
from vault.database import OWNER
from vault.embedding import embed
from vault.lifecycle.data_map import STORES
from vault.lifecycle.erasure import approve_erasure, get_request, list_requests, verify_request
from vault.lifecycle.erasure_run import execute_erasure
from vault.lifecycle.jobs import RUN_TASK
from vault.logs import logging_settings
from vault.models import isolation
from vault.sessions import summaries

VACUUM_SECONDS = 60
pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.timeout(400),
    pytest.mark.skipif(not (HOME.database / "pg_wal").is_dir(), reason="the server is not the embedded one"),
]
ENCODINGS = ("utf-8", "utf-16-le", "utf-16-be")
# Longer than a row may be on its page, and no compression finds anything in it.
TOAST_BYTES = 30_000


def needles_of(words: Words) -> dict[str, bytes]:
    """Every spelling of both words, and of vectors of sentences that the fillers write."""
    found = {
        f"{name} word as {kind}": needle
        for name, word in (("plain", words.plain), ("accented", words.accented))
        for kind, needle in canaries.spellings(word).items()
    }
    sentence = words.in_a("The supplier prefers to be called by")
    return {**found, **canaries.vector_spellings(embed([sentence])[0])}


@pytest.fixture
def words() -> Words:
    return Words(canaries.canary(), canaries.canary(accented=True))


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where this process makes its temporary files."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


@pytest.fixture
def log_file() -> Iterator[Path]:
    """The log as a process of the vault writes it, with all that anybody has to say."""
    path = HOME.logs / f"canaries{WORKER}.log"
    handler = logging.FileHandler(path)
    json_lines = dict(logging_settings("DEBUG")["formatters"]["json"])
    handler.setFormatter(json_lines.pop("()")(**json_lines))
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield path
    root.setLevel(level)
    root.removeHandler(handler)
    handler.close()


@pytest.fixture
def unvacuumed() -> Iterator[datetime]:
    """No page is tidied while the test looks at it."""
    with connections[OWNER].cursor() as cursor:
        cursor.execute("ALTER SYSTEM SET autovacuum = off")
        cursor.execute("SELECT pg_reload_conf()")
        wait_for_vacuums_to_end(cursor)
        cursor.execute("SELECT now()")
        since = cursor.fetchone()[0]
    yield since
    with connections[OWNER].cursor() as cursor:
        cursor.execute("ALTER SYSTEM RESET autovacuum")
        cursor.execute("SELECT pg_reload_conf()")


def wait_for_vacuums_to_end(cursor: Any) -> None:
    """One that had begun goes on after the setting has changed."""
    over = time.monotonic() + VACUUM_SECONDS
    while True:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'autovacuum worker'")
        if not cursor.fetchone()[0]:
            return
        assert time.monotonic() < over, "a vacuum does not end"
        time.sleep(0.1)


@pytest.fixture
def short_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four turns are summarised as well as forty."""
    monkeypatch.setattr(summaries, "BLOCK_TURNS", 4)


def flush_pages() -> None:
    with connections[OWNER].cursor() as cursor:
        cursor.execute("CHECKPOINT")


def files_of(relation: str) -> list[Path]:
    """The files of a table or an index."""
    with connections[OWNER].cursor() as cursor:
        cursor.execute("SELECT pg_relation_filepath(%s::regclass)", [relation])
        (path,) = cursor.fetchone()
    return [HOME.database / str(path)]


@pytest.fixture
def planted() -> Iterator[str]:
    """A table with a plain word in a row, in its index, and beside a value that is kept out of line."""
    word = canaries.canary(accented=True)
    with connections[OWNER].cursor() as cursor:
        cursor.execute("CREATE TABLE planted (word text, big bytea)")
        cursor.execute("ALTER TABLE planted ALTER COLUMN big SET STORAGE EXTERNAL")
        cursor.execute("CREATE INDEX planted_word ON planted (word)")
        big = secrets.token_bytes(TOAST_BYTES) + word.encode()
        cursor.execute("INSERT INTO planted VALUES (%s, %s)", [word, big])
    yield word
    with connections[OWNER].cursor() as cursor:
        cursor.execute("DROP TABLE planted")


def found_in(places: list[Path], word: str) -> bool:
    return bool(canaries.hits_in_files(places, canaries.spellings(word)))


def toast_table() -> str:
    with connections[OWNER].cursor() as cursor:
        cursor.execute("SELECT reltoastrelid::regclass::text FROM pg_class WHERE relname = 'planted'")
        return str(cursor.fetchone()[0])


def test_the_search_finds_what_stands_in_heap_index_toast_and_wal(planted):
    flush_pages()

    for relation in ("planted", "planted_word", toast_table()):
        assert found_in(files_of(relation), planted), relation
    assert found_in([HOME.database / "pg_wal"], planted)


@pytest.mark.usefixtures("unvacuumed")
def test_the_search_finds_a_row_that_was_deleted_and_not_yet_vacuumed(planted):
    with connections[OWNER].cursor() as cursor:
        cursor.execute("DELETE FROM planted")
    flush_pages()

    for relation in ("planted", "planted_word", toast_table()):
        assert found_in(files_of(relation), planted), relation


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_the_search_finds_every_encoding_in_the_keystores_folder(encoding):
    word, path = canaries.canary(accented=True), HOME.keystore.with_name(f"planted-{encoding}.sqlite3")
    with sqlite3.connect(path) as keystore:
        keystore.execute("CREATE TABLE planted (word BLOB)")
        keystore.execute("INSERT INTO planted VALUES (?)", [word.encode(encoding)])
    keystore.close()

    assert found_in([HOME.keystore.parent], word)
    path.unlink()


def test_the_search_finds_what_waits_at_the_broker():
    """A message is JSON in base64 in JSON."""
    word = canaries.canary()
    app.send_task(RUN_TASK, args=[f"{word}"])

    assert found_in([HOME.broker], word)


def test_the_search_finds_what_stands_in_a_log_or_a_temporary_file(log_file, temporary):
    word = canaries.canary(accented=True)
    logging.getLogger("planted").warning(json.dumps(word))
    with tempfile.NamedTemporaryFile() as file:
        file.write(word.encode().hex().encode())
        file.flush()

        assert found_in([temporary], word)
    assert found_in([HOME.logs], word)


def test_every_store_has_a_filler():
    assert set(FILLERS) == {store.name for store in STORES}


@pytest.mark.usefixtures("short_blocks")
def test_after_an_erasure_no_file_holds_anything_of_the_subject(words, log_file, temporary, unvacuumed):
    subject_id = fill(words)
    before = counts(subject_id)
    wrapped = wrapped_key(subject_id)
    assert [name for name, rows in before.items() if not rows] == []
    assert canaries.hits_in_files([HOME.keystore.parent], {"wrapped key": wrapped})

    erase(words)

    assert set(counts(subject_id).values()) == {0}
    flush_pages()
    needles = needles_of(words)
    assert canaries.hits_in_files([HOME.path, temporary], needles) == []
    # The key itself, wrapped, is in no file of the keystore any more: neither its page nor its journal.
    assert canaries.hits_in_files([HOME.keystore.parent, HOME.keys], {"wrapped key": wrapped}) == []
    assert vacuumed(unvacuumed) == []


def counts(subject_id: Any) -> dict[str, int]:
    with transaction.atomic():
        isolation.open_whole_subject(subject_id)
        return {store.name: store.count(subject_id) for store in STORES}


def erase(words: Words) -> None:
    """Execute the request that the fillers have filed."""
    (request,) = list_requests(scope=staff_scope())
    verify_request(request_id=request.pk, scope=staff_scope())
    approve_erasure(request_id=request.pk, scope=staff_scope())
    execute_erasure(request.pk)
    assert get_request(request_id=request.pk, scope=staff_scope()).status == "done"


def wrapped_key(subject_id: Any) -> bytes:
    with sqlite3.connect(os.environ["KEYSTORE_URL"]) as keystore:
        row = keystore.execute(
            "SELECT wrapped_key FROM keystore_subject_key WHERE subject_id = ?", [subject_id.bytes]
        ).fetchone()
    keystore.close()
    return bytes(row[0])


def vacuumed(since: datetime) -> list[str]:
    """Tables of the vault that were tidied up meanwhile; then the search would have proved less."""
    with connections[OWNER].cursor() as cursor:
        cursor.execute(
            "SELECT relname FROM pg_stat_user_tables WHERE relname LIKE 'vault_%%' "
            "AND (last_vacuum > %s OR last_autovacuum > %s)",
            [since, since],
        )
        return [name for (name,) in cursor.fetchall()]
