"""A program ends with its parent, however that ends."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.vault_processes import ROOT, wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the kernel's own signal is Linux's")

PARENT = """
import os, subprocess, sys, time
child = "import time; print('there', flush=True); time.sleep(600)"
run = [sys.executable, "-m", "vault.lifeline", str(os.getpid()), sys.executable, "-c", child]
process = subprocess.Popen(run, stdout=subprocess.PIPE, start_new_session=True)
process.stdout.readline()
print(process.pid, flush=True)
time.sleep(600)
"""


def is_alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_a_program_ends_when_its_parent_is_killed():
    parent = subprocess.Popen([sys.executable, "-c", PARENT], cwd=ROOT, stdout=subprocess.PIPE)
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    assert is_alive(pid)

    parent.kill()
    parent.communicate()

    wait_until(lambda: not is_alive(pid))


def test_a_program_whose_parent_is_gone_already_does_not_start():
    answer = subprocess.run(
        [sys.executable, "-m", "vault.lifeline", str(os.getpid() + 1), sys.executable, "-c", "print('ran')"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert (answer.returncode, answer.stdout) == (143, "")


def test_a_program_is_the_process_that_was_started():
    code = "import os; print(os.getpid())"
    process = subprocess.Popen(
        [sys.executable, "-m", "vault.lifeline", str(os.getpid()), sys.executable, "-c", code],
        cwd=ROOT, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip

    said, _ = process.communicate()

    assert int(said) == process.pid
