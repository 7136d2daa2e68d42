"""`manage.py up` as an operator meets it: real processes in a home of their own, two of them side by side."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import canaries
from tests.vault_processes import ROOT, Run, free_port, inherited, manage, processes_of, up, wait_until

# What is asked of a machine that does nothing else.
SECOND_START_SECONDS = 10.0
TOKEN = re.compile(r"\bmv_[\w-]{20,}")
LINK = re.compile(r"http://\S+/accounts/welcome/\S+")

pytestmark = [
    pytest.mark.timeout(400),
    pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="looks at processes through /proc"),
]


def worker_of(run: Run) -> int | None:
    """The Celery worker that the supervisor started itself."""
    for pid, command in processes_of(run.home).items():
        parent = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1]
        if " worker " in command and int(parent) == run.process.pid:
            return pid
    return None


def kill_the_worker(run: Run) -> tuple[int, int]:
    """End the worker without warning; gives its process and the one that came after it."""
    wait_until(lambda: worker_of(run) is not None)
    before = worker_of(run)
    assert before is not None
    os.kill(before, signal.SIGKILL)
    wait_until(lambda: worker_of(run) not in (None, before))
    after = worker_of(run)
    assert after is not None
    return before, after


@pytest.fixture(scope="module")
def word() -> str:
    return canaries.canary()


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """Not pytest's own: any other run of pytest shuts its folders to the user that the database runs as."""
    made = Path(tempfile.mkdtemp(prefix="vault-up-"))
    yield made
    shutil.rmtree(made)


@pytest.fixture(scope="module")
def first(folder: Path, word: str) -> Run:
    """A first start, with a write, a worker that was killed, and a clean stop."""
    run = up(folder / "first", free_port())
    try:
        token = TOKEN.search(run.output)
        run.facts["token"] = token.group() if token else ""
        run.facts["ready"] = run.call("/readyz")
        written = {"subject": f"supplier {word}", "text": f"The supplier {word} prefers invoices in Hindi."}
        run.facts["write"] = run.call("/api/v1/memories", written, token=run.facts["token"])
        run.facts["refusal"] = run.call("/api/v1/memories", {**written, "text": 7}, token=run.facts["token"])
        run.facts["workers"] = kill_the_worker(run)
    finally:
        run.facts["code"] = run.stop()
    run.facts["left"] = processes_of(run.home)
    return run


@pytest.fixture(scope="module")
def second(first: Run, folder: Path) -> Iterator[tuple[Run, Run]]:
    """The same vault started again, and another one beside it."""
    again = up(first.home, first.port)
    try:
        neighbour = up(folder / "neighbour", free_port())
        try:
            yield again, neighbour
        finally:
            neighbour.stop()
    finally:
        again.stop()


def test_the_first_start_prints_a_link_and_a_token(first):
    assert first.facts["token"]
    assert LINK.search(first.output)


def test_a_ready_vault_names_its_parts(first):
    status, body = first.facts["ready"]

    assert status == 200
    assert body["checks"] == {"database": "ok", "keystore": "ok", "migrations": "ok"}


def test_the_printed_token_writes_at_once(first):
    assert first.facts["write"][0] == 201


def test_a_killed_worker_is_started_again(first):
    before, after = first.facts["workers"]

    assert before != after
    assert "worker ended with code -9" in first.output


def test_a_request_to_stop_is_not_a_failure(first):
    assert first.facts["code"] == 0
    assert first.output.rstrip().endswith("Stopped.")


def test_no_process_is_left_after_a_stop(first):
    """Neither web, worker and beat nor the embedded database."""
    assert first.facts["left"] == {}


def test_no_address_is_left_after_a_stop(first):
    assert not (first.home / "address").exists()


def test_a_stop_in_the_middle_of_the_start_leaves_no_database_behind(folder):
    home = folder / "early"
    environment = {**inherited(), "VAULT_HOME": str(home), "PORT": str(free_port())}
    process = subprocess.Popen(
        [sys.executable, "manage.py", "up"],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    wait_until((home / "database" / "pg_hba.conf").exists)
    wait_until(lambda: "written by" in (home / "database" / "pg_hba.conf").read_text())

    process.send_signal(signal.SIGTERM)
    process.wait(60)

    assert processes_of(home) == {}


def test_keys_and_logs_are_for_their_owner_alone(first):
    private = [
        *(first.home / "keys").iterdir(),
        *(first.home / "keystore").iterdir(),
        *(first.home / "logs").iterdir(),
    ]

    assert len(private) >= 8
    assert {oct(stat.S_IMODE(path.stat().st_mode)) for path in private} == {"0o600"}


def test_no_file_of_a_vault_holds_what_callers_said(first, word):
    """Logs of every process, broker, keystore, and the files of a database that was shut down."""
    assert first.facts["refusal"][0] == 400
    assert canaries.hits_in_files([first.home], canaries.spellings(word)) == []


def test_the_token_and_the_link_are_kept_nowhere(first):
    link = LINK.search(first.output)
    assert link
    secret = link.group().rstrip("/").rpartition("/")[2]

    needles = {"token": first.facts["token"].encode(), "link": secret.encode()}
    assert canaries.hits_in_files([first.home], needles) == []


def test_a_second_start_prints_no_secrets(second):
    again, _ = second

    assert not TOKEN.search(again.output)
    assert not LINK.search(again.output)


def test_other_commands_find_where_a_vault_listens(second):
    again, _ = second

    assert (again.home / "address").read_text(encoding="utf-8") == f"http://127.0.0.1:{again.port}"


def test_a_second_start_is_quicker_than_the_first(first, second, capsys):
    """Both on the same machine; how long either takes depends on what else that does."""
    again, _ = second

    with capsys.disabled():
        print(f"\nready after {first.ready_after:.1f} s, again after {again.ready_after:.1f} s", end=" ")
        print(f"(wanted: {SECOND_START_SECONDS:.0f} s)")
    assert again.ready_after < first.ready_after


def test_what_was_written_is_there_after_a_restart(first, second, word):
    again, _ = second
    question = {"subject": f"supplier {word}", "query": "which language for invoices"}

    status, answer = again.call("/api/v1/memories/search", question, token=first.facts["token"])

    assert status == 200
    assert [hit["memory"]["id"] for hit in answer["results"]] == [first.facts["write"][1]["memory"]["id"]]


def test_two_vaults_run_side_by_side_and_share_nothing(first, second):
    again, neighbour = second

    assert (again.is_ready(), neighbour.is_ready()) == (True, True)
    assert neighbour.call("/api/v1/subjects/S1", token=first.facts["token"])[0] == 401


@pytest.fixture(scope="module")
def demo(
    second: tuple[Run, Run], tmp_path_factory: pytest.TempPathFactory
) -> subprocess.CompletedProcess[str]:
    """The demo, with a short conversation and a question about it."""
    folder = tmp_path_factory.mktemp("conversation")
    texts = ["The kettle was repaired on Monday.", "My sister plays the cello.", "The garden gate is green."]
    turns = [
        {
            "subject": "talk",
            "id": f"t{n}",
            "speaker": "Ana",
            "text": text,
            "created": "2026-05-08T13:56:00",
            "session": 1,
        }
        for n, text in enumerate(texts)
    ]
    question = {"subject": "talk", "question": "Who plays the cello?", "evidence_ids": ["t1"]}
    (folder / "memories.jsonl").write_text("\n".join(map(json.dumps, turns)), encoding="utf-8")
    (folder / "questions.jsonl").write_text(json.dumps(question), encoding="utf-8")
    again, _ = second
    return manage(again.home, "demo", "--conversation", str(folder / "memories.jsonl"), port=again.port)


def test_the_demo_ends_well(demo):
    assert demo.returncode == 0, demo.stdout + demo.stderr


def test_the_demo_shows_every_outcome_of_a_write(demo):
    statuses = re.findall(r"^   (\d{3})  (?:refused: )?(\w+)", demo.stdout, re.MULTILINE)

    assert {("201", "created"), ("200", "merged"), ("422", "secret_detected"), ("202", "quarantined")} <= set(
        statuses
    )


def test_the_demo_ranks_the_rejection_first(demo):
    first_hit = demo.stdout.split("2. The question")[1].splitlines()[2]

    assert "Invoice 8841 was rejected for code E12" in first_hit


def test_the_demo_forgets_a_subject_for_good(demo, second):
    assert ("410", "subject_erased") in re.findall(r"^   (\d{3})  refused: (\w+)", demo.stdout, re.MULTILINE)
    assert list((second[0].home / "certificates").glob("erasure-*.json"))


def test_the_demo_finds_what_was_said_in_a_conversation(demo):
    assert re.search(r"Who plays the cello\?.*\n   \* ", demo.stdout)
    assert "evidence in the first 5: 1.00" in demo.stdout


def test_the_demo_says_what_the_block_saved(demo):
    assert "put 300 tokens in a prompt, not 300,000" in demo.stdout
    assert re.search(r"tokens in the prompt: [\d,]+ on average instead of [\d,]+", demo.stdout)


def test_the_demo_repeats_no_password(demo):
    assert "harbour!" not in demo.stdout + demo.stderr


def test_a_taken_port_is_named_at_once(second, folder):
    again, _ = second

    answer = manage(folder / "third", "up", port=again.port)

    assert answer.returncode != 0
    assert f"Port {again.port} is taken" in answer.stderr
    assert again.is_ready()
