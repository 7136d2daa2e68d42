"""What `manage.py evaluate` and `bench` run: the real pipeline over labelled data, and honest figures.

A task is a module of this package with `evaluate(folder: Path) -> dict[str, Any]`. It is imported when it
is asked for, so that a task for screening does not load what retrieval needs.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

TASKS = (
    "retrieval",
    "injection",
    "secrets",
    "pii",
    "sensitive",
    "contradiction",
    "consolidation",
    "worth",
    "followup",
    "window",
    "leakage",
    "vectors",
)

# The tasks whose module is not their name.
MODULES = {"retrieval": "retrieval_sealed", "vectors": "protected_vectors"}

Evaluate = Callable[..., dict[str, Any]]


def task(name: str) -> Evaluate:
    """The evaluation of that name; raises LookupError when there is none."""
    if name not in TASKS:
        raise LookupError(name)
    evaluate: Evaluate = import_module(f"vault.evaluation.{MODULES.get(name, name)}").evaluate
    return evaluate
