"""How the workers of a run share the tests: one at a time, but for files whose tests share what was dear to make.

pytest-xdist's own way of saying so, a mark, no longer reaches it: pytest 9.2 keeps the id that it wants to change.
"""

from __future__ import annotations

from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

# The tests of each of these stand on one fixture of their module. The dearest come first: at the end of a run the
# other worker would have nothing to do meanwhile.
TOGETHER = ("tests/test_up.py", "tests/evaluation/test_contradiction.py")


def file_of(nodeid: str) -> str:
    return nodeid.partition("::")[0]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=_place)


def _place(item: pytest.Item) -> int:
    file = file_of(item.nodeid)
    return TOGETHER.index(file) if file in TOGETHER else len(TOGETHER)


class TestByTest(LoadScopeScheduling):  # type: ignore[misc]
    """A test is a unit of work; so is a whole file of TOGETHER."""

    __test__ = False

    def _split_scope(self, nodeid: str) -> str:
        file = file_of(nodeid)
        return file if file in TOGETHER else nodeid


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> TestByTest:
    return TestByTest(config, log)
