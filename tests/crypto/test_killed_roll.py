import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.crypto.rolling_process import POINTS
from vault.crypto import FileRootKey, open_vault
from vault.errors import KeyDestroyed

CHECKOUT = Path(__file__).resolve().parents[2]


def roll_and_die(keystore, root_path, point):
    command = [sys.executable, "-m", "tests.crypto.rolling_process", str(keystore), str(root_path), point]
    return subprocess.run(command, cwd=CHECKOUT, check=False, timeout=60).returncode


@pytest.mark.parametrize("point", POINTS)
def test_a_roll_killed_at_any_point_loses_nobody_and_is_finished_by_the_next(
    keystore, root_path, store, make_subjects, point
):
    vault = open_vault(keystore=keystore, root=FileRootKey(root_path, create=True), create=True)
    erased, *subjects = make_subjects(vault, 11)
    sealed = {subject: vault.subject(subject).seal(subject.bytes, context=b"") for subject in subjects}
    vault.destroy_subject(erased)

    assert roll_and_die(keystore, root_path, point) == -signal.SIGKILL
    assert all(vault.subject(s).open(sealed[s], context=b"") == s.bytes for s in subjects)
    roll = vault.roll_epoch()

    assert all(vault.subject(s).open(sealed[s], context=b"") == s.bytes for s in subjects)
    assert FileRootKey(root_path).epochs() == [roll.new_epoch]
    with store.reading() as rows:
        assert not rows.retiring_epochs()
    with pytest.raises(KeyDestroyed):
        vault.subject(erased)
    vault.close()
