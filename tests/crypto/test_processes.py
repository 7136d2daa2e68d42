"""Several threads and processes on one vault at once."""

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from uuid import uuid4

import pytest

from tests.crypto.worker_process import work
from vault.crypto import FileRootKey, open_vault
from vault.errors import KeyDestroyed

CHECKOUT = Path(__file__).resolve().parents[2]
MAX_LOOKUP_SECONDS = 150e-6


@pytest.fixture
def shared(keystore, root_path):
    vault = open_vault(keystore=keystore, root=FileRootKey(root_path, create=True), create=True)
    yield vault
    vault.close()


@pytest.fixture
def start(keystore, root_path):
    def start(task, argument):
        command = [sys.executable, "-m", "tests.crypto.worker_process", str(keystore), str(root_path), task]
        return subprocess.Popen([*command, str(argument)], cwd=CHECKOUT)

    return start


def test_a_key_destroyed_by_another_process_is_gone_at_once(shared, start, make_subjects):
    [subject] = make_subjects(shared, 1)
    shared.subject(subject)

    assert start("destroy", subject).wait(timeout=60) == 0
    with pytest.raises(KeyDestroyed):
        shared.subject(subject)


def test_eight_threads_and_two_processes_share_a_vault(shared, start):
    processes = [start("work", 20) for _ in range(2)]
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda _: work(shared, 8), range(8)))

    assert [process.wait(timeout=120) for process in processes] == [0, 0]


def test_all_threads_creating_one_subject_get_one_key(shared):
    subject = uuid4()

    def create_and_read(_):
        shared.create_subject(subject)
        return shared.subject(subject).audit_reference

    with ThreadPoolExecutor(8) as threads:
        assert len(set(threads.map(create_and_read, range(16)))) == 1


def test_first_starts_at_once_make_one_vault(keystore, root_path):
    FileRootKey(root_path, create=True)

    def first_start(_):
        vault = open_vault(keystore=keystore, root=FileRootKey(root_path), create=True)
        digest = vault.reference_hash("acct-7")
        vault.close()
        return digest

    with ThreadPoolExecutor(4) as threads:
        assert len(set(threads.map(first_start, range(4)))) == 1


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_forked_child_goes_on_with_its_parents_vault(shared, make_subjects):
    subject, other = make_subjects(shared, 2)
    shared.subject(subject)
    child = os.fork()
    if child == 0:
        try:
            shared.destroy_subject(subject)
            os._exit(0)
        finally:
            os._exit(1)

    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    with pytest.raises(KeyDestroyed):
        shared.subject(subject)
    shared.subject(other)


class RolledUnderneath(FileRootKey):
    """A root whose vault is rolled by somebody else just before the first key is unwrapped."""

    def __init__(self, path: Path, roll) -> None:
        super().__init__(path)
        self._roll = [roll]

    def unwrap(self, wrapped, *, epoch, context):
        if self._roll:
            self._roll.pop()()
        return super().unwrap(wrapped, epoch=epoch, context=context)


def test_a_vault_opens_while_another_process_ends_the_epoch(shared, keystore, root_path):
    opened = open_vault(keystore=keystore, root=RolledUnderneath(root_path, shared.roll_epoch))

    assert opened.reference_hash("acct-7") == shared.reference_hash("acct-7")
    opened.close()


def test_looking_a_subject_up_is_quick(file_vault, make_subjects):
    [subject] = make_subjects(file_vault, 1)
    took = []
    for _ in range(300):
        start = time.perf_counter()
        file_vault.subject(subject)
        took.append(time.perf_counter() - start)

    assert median(took) < MAX_LOOKUP_SECONDS
