"""Rate limits per credential, counted in the database: the same for every process and machine.

A leaky bucket (GCRA): a whole minute's calls may come at once, then one is let in for each that leaks out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.db import connection

WINDOW_SECONDS = 60
POLICY = "credential"

TAKE = """
INSERT INTO vault_callrate AS rate (caller, empty_at)
VALUES (%(caller)s, clock_timestamp() + %(cost)s * interval '1 second')
ON CONFLICT (caller) DO UPDATE
SET empty_at = GREATEST(rate.empty_at, clock_timestamp()) + %(cost)s * interval '1 second'
WHERE GREATEST(rate.empty_at, clock_timestamp()) + %(cost)s * interval '1 second'
      <= clock_timestamp() + %(window)s * interval '1 second'
RETURNING EXTRACT(epoch FROM rate.empty_at - clock_timestamp())
"""
FILLED = "SELECT EXTRACT(epoch FROM empty_at - clock_timestamp()) FROM vault_callrate WHERE caller = %s"


@dataclass(frozen=True, slots=True)
class Allowance:
    """What is left to a caller. `wait_seconds` is 0 when the call is let in."""

    limit: int
    remaining: int
    reset_seconds: int
    wait_seconds: float

    @property
    def is_refused(self) -> bool:
        return self.wait_seconds > 0

    def headers(self) -> dict[str, str]:
        """As the IETF draft names them, and the three older names that clients read."""
        return {
            "RateLimit-Policy": f'"{POLICY}";q={self.limit};w={WINDOW_SECONDS}',
            "RateLimit": f'"{POLICY}";r={self.remaining};t={self.reset_seconds}',
            "RateLimit-Limit": str(self.limit),
            "RateLimit-Remaining": str(self.remaining),
            "RateLimit-Reset": str(self.reset_seconds),
        }


def take(caller: UUID, *, limit: int | None = None) -> Allowance:
    """Count one call. `limit` is calls per minute; the setting's when it is not given."""
    limit = limit or settings.RATE_LIMIT_PER_MINUTE
    cost = WINDOW_SECONDS / limit
    with connection.cursor() as cursor:
        cursor.execute(TAKE, {"caller": caller, "cost": cost, "window": WINDOW_SECONDS})
        row = cursor.fetchone()
        if row is not None:
            return _allowance(limit, float(row[0]), wait=0.0)
        cursor.execute(FILLED, [caller])
        row = cursor.fetchone()
    filled = float(row[0]) if row else WINDOW_SECONDS
    return _allowance(limit, filled, wait=max(filled + cost - WINDOW_SECONDS, cost))


def _allowance(limit: int, filled_seconds: float, *, wait: float) -> Allowance:
    used = max(0.0, filled_seconds) * limit / WINDOW_SECONDS
    remaining = 0 if wait else max(0, math.floor(limit - used + 1e-6))
    return Allowance(limit, remaining, math.ceil(max(0.0, filled_seconds)), wait)
