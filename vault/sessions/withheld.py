"""A turn that could not be screened: what stands in its place, so that the run goes on.

Nothing of it is kept but that it called tools, and how often. Each call stands there under a number of the vault's own,
without its name and arguments; by a salted hash of the agent's number, sealed with the turn, an answer finds its call.
Else every answer would be refused, and an agent that goes on with its conversation would be stuck for good.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Collection
from typing import Any

from vault.retrieval.turns import TOOL_CALL, TOOL_CALLS, OpenedTurn
from vault.sessions.records import TurnDraft

WITHHELD = "<NOT_SCREENED>"
# In letters that every model's interface takes for the name of a tool.
WITHHELD_NAME = "not_screened"
CALL_PRINTS = "call_prints"
SALT_BYTES = 16
# Enough that two withheld calls of a session never share a number.
NUMBER_BYTES = 8


def withheld_metadata(draft: TurnDraft) -> dict[str, Any]:
    """What is kept beside the text of a withheld turn."""
    if draft.tool_call:
        # Only stored where a call with this id, or with its hash, waits for the answer.
        return {TOOL_CALL: draft.tool_call}
    numbers = {
        f"{WITHHELD_NAME}_{secrets.token_hex(NUMBER_BYTES)}": str(call["id"]) for call in draft.tool_calls
    }
    if not numbers:
        return {}
    return {
        TOOL_CALLS: [{"id": number, "name": WITHHELD_NAME, "arguments": {}} for number in numbers],
        CALL_PRINTS: {number: _print(given) for number, given in numbers.items()},
    }


def call_among(turn: OpenedTurn, ids: Collection[str]) -> str | None:
    """The id under which a call stands in a turn that one of these means; None where it is not this turn's."""
    known = [str(call.get("id")) for call in turn.tool_calls]
    prints = turn.content.metadata.get(CALL_PRINTS, {})
    for number in known:
        if number in ids or (number in prints and any(_is_print(given, prints[number]) for given in ids)):
            return number
    return None


def _print(given: str, salt: str = "") -> str:
    salt = salt or secrets.token_hex(SALT_BYTES)
    return f"{salt}:{hmac.digest(salt.encode(), given.encode(), 'sha256').hex()}"


def _is_print(given: str, kept: str) -> bool:
    return hmac.compare_digest(_print(given, kept.partition(":")[0]), kept)
