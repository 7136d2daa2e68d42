"""The house rules that a machine can keep: layers, sizes, names, settings, and what may lie in the repository."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ("vault", "audit", "console")
MAX_FILE_LINES = 250
MAX_FUNCTION_LINES = 60
VAGUE_NAMES = frozenset({"utils", "util", "helpers", "helper", "common", "base", "misc", "tools"})
COMMAND_TIMEOUT_SECONDS = 120
# Assembled, so that this file does not hold what it looks for.
MACHINE_PATHS = re.compile("|".join(rf"(?<![\w.])/{word}/" for word in ("work", "root", "home", "Users")))
INDEX_OPTIONS = re.compile(
    r"^\s*--(?:index-url|extra-index-url|find-links|trusted-host)|https?://", re.MULTILINE
)
PINNED = re.compile(r"^[A-Za-z0-9][\w.\-\[\],]*==\S+")


def source_files() -> list[Path]:
    found = [path for folder in SOURCE for path in (ROOT / folder).rglob("*.py")]
    return sorted(path for path in found if "migrations" not in path.parts)


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def run(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=ROOT,
        # The journeys' browser sets this for their own process; no command of the vault's ever sees it.
        env={k: v for k, v in {**os.environ, **environment}.items() if k != "DJANGO_ALLOW_ASYNC_UNSAFE"},
        capture_output=True,
        text=True,
        timeout=COMMAND_TIMEOUT_SECONDS,
        check=False,
    )


def manage(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return run(sys.executable, "manage.py", *arguments, **environment)


def tracked_files() -> list[Path]:
    listed = run("git", "ls-files", "-z")
    if listed.returncode != 0:
        pytest.skip("not a checkout: git does not know which files are tracked")
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def test_imports_go_downwards_only():
    answer = run(str(Path(sys.executable).with_name("lint-imports")), "--no-cache")

    assert answer.returncode == 0, answer.stdout + answer.stderr


def test_no_source_file_is_longer_than_its_limit():
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines())
        for path in source_files()
    }

    assert {name: lines for name, lines in lengths.items() if lines > MAX_FILE_LINES} == {}


def test_no_function_is_longer_than_its_limit():
    long = {
        f"{path.relative_to(ROOT)}:{node.name}": lines
        for path in source_files()
        for node in functions(path)
        if (lines := (node.end_lineno or node.lineno) - node.lineno + 1) > MAX_FUNCTION_LINES
    }

    assert long == {}


def test_every_file_is_named_for_what_it_holds():
    everything = [*source_files(), *(ROOT / "tests").rglob("*.py")]

    assert [str(path) for path in everything if path.stem in VAGUE_NAMES] == []


def test_imports_stand_at_the_top_unless_a_comment_says_why():
    unexplained = [
        f"{path.relative_to(ROOT)}:{inner.lineno}"
        for path in source_files()
        for node in functions(path)
        for inner in ast.walk(node)
        if isinstance(inner, ast.Import | ast.ImportFrom)
        and "PLC0415 - " not in path.read_text(encoding="utf-8").splitlines()[inner.lineno - 1]
    ]

    assert unexplained == []


def test_the_migrations_say_what_the_models_say():
    answer = manage("makemigrations", "--check", "--dry-run")

    assert answer.returncode == 0, answer.stdout + answer.stderr


def test_production_settings_pass_the_deployment_check(tmp_path):
    answer = manage(
        "check",
        "--deploy",
        "--fail-level",
        "INFO",
        VAULT_PRODUCTION="1",
        ALLOWED_HOSTS="vault.example",
        VAULT_BASE_URL="https://vault.example",
        ROOT_KEY_FILE=str(tmp_path / "root_key"),
    )

    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert "0 silenced" in answer.stdout + answer.stderr


@pytest.mark.parametrize("name", ["SECRET_KEY", "METRICS_TOKEN", "DATABASE_RUNTIME_PASSWORD", "DATABASE_URL"])
def test_a_missing_secret_stops_the_start(name, tmp_path):
    without = {key: value for key, value in os.environ.items() if key not in (name, f"{name}_FILE")}

    answer = subprocess.run(
        [sys.executable, "-c", "import vault.settings"],
        cwd=ROOT, env=without, capture_output=True, text=True, timeout=COMMAND_TIMEOUT_SECONDS, check=False,
    )  # fmt: skip

    assert answer.returncode != 0
    assert f"Set {name} or {name}_FILE" in answer.stderr


def test_every_locked_package_has_a_version_and_a_hash():
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    joined = text.replace("\\\n", " ")
    entries = [line for line in joined.splitlines() if line.strip() and not line.lstrip().startswith("#")]

    assert entries
    assert [line[:60] for line in entries if not PINNED.match(line) or "--hash=sha256:" not in line] == []


def test_the_lock_names_no_index():
    assert INDEX_OPTIONS.findall((ROOT / "requirements.lock").read_text(encoding="utf-8")) == []


def test_no_tracked_file_holds_a_path_of_a_machine():
    found = []
    for path in tracked_files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        if MACHINE_PATHS.search(text):
            found.append(str(path.relative_to(ROOT)))

    assert found == []
