# Two commands: `make run` serves a vault, `make test` proves it. Both make the environment they need.
PYTHON ?= python3
BIN := .venv/bin
WORKERS ?= 2
TESTS ?= tests/lifecycle tests/writing tests/sessions tests/retrieval

.PHONY: run test test-commits lint suite lock format clean

run: .venv/.ready
	@exec $(BIN)/python manage.py up

test: lint suite

lint: .venv/.ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache
	$(BIN)/mypy

suite: .venv/.ready
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n $(WORKERS)

# Every test commits what it does, as in life; slower, and finds a scope that was never opened.
test-commits: .venv/.ready
	VAULT_TESTS_COMMIT=1 OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n $(WORKERS) $(TESTS)

# pip installs wheels only, each checked against its hash.
.venv/.ready: requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Memory Vault needs Python 3.11 or newer")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: -r requirements.lock
	@touch $@

# Needs uv; pins everything anew, with hashes and without the address of any index.
lock:
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --group dev pyproject.toml -o requirements.lock

format: .venv/.ready
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis
