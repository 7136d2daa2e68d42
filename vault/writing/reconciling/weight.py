"""How much speaks for a new statement taking the place of an old one."""

from __future__ import annotations

from enum import IntEnum


class Weight(IntEnum):
    """NONE: both stand. WEAK: a person should look. STRONG: the old one no longer holds."""

    NONE = 0
    WEAK = 1
    STRONG = 2

    @staticmethod
    def graded(*, strong: bool, weak: bool) -> Weight:
        return Weight.STRONG if strong else Weight.WEAK if weak else Weight.NONE
