"""Faults that users of similar systems reported, as far as they concern sessions (D01, D02, D08, D42, D43)."""

from __future__ import annotations

import pytest
from django.db import connection

from tests.api.test_sessions import TOKEN, added, started, user, window

pytestmark = pytest.mark.django_db(transaction=True)

NOTE = f"Notes for the staging box {TOKEN}"
TABLES = ("vault_turn", "vault_session", "vault_sessionsummary", "vault_idempotencyrecord", "audit_entry")


def stored_text():
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT set_config('vault.scope', 'everything', false), set_config('vault.namespaces', '*', false)"
        )
        return "".join(_rows(cursor, table) for table in TABLES)


def _rows(cursor, table):
    cursor.execute(f"SELECT string_agg(t::text, ' ') FROM {table} t")
    return cursor.fetchone()[0] or ""


def test_d01_a_session_sees_only_the_memories_of_exactly_its_subject(agent):
    agent.written("Lantern code word is MARZIPAN", subject="acct-70", source={"type": "user"})
    for subject in ("acct-7", "acct-7-archive", "ACCT-7", "acct_7", "acctX7"):
        agent.written(f"The depot of {subject} opens at six.", subject=subject)
    session = started(agent, subject="acct-7")
    added(agent, session, user("What is the lantern code word of the depot?"))

    body = window(agent, session, max_tokens=2000).json()

    assert "MARZIPAN" not in str(body)
    assert len(body["memories"]["ids"]) == 1


@pytest.mark.parametrize(
    "turn",
    [
        user(NOTE),
        user("Fine.", speaker=NOTE[:80]),
        {
            "role": "assistant",
            "text": "",
            "tool_calls": [{"id": "c2", "name": "note", "arguments": {"runner": {"note": NOTE}}}],
        },
        {
            "role": "assistant",
            "text": "",
            "tool_calls": [{"id": "c2", "name": "note", "arguments": {TOKEN: "x"}}],
        },
        {"role": "tool", "tool_call": "c1", "text": "done", "conclusion": NOTE},
        {"role": "tool", "tool_call": "c1", "text": NOTE},
    ],
)
def test_d08_a_secret_is_found_in_every_part_of_a_turn(agent, caplog, turn):
    session = started(agent)
    added(agent, session, {"role": "assistant", "tool_calls": [{"id": "c1", "name": "fetch"}]})
    stored = added(agent, session, turn)

    assert any(finding["category"] == "secret" for finding in stored[0]["findings"])
    assert TOKEN not in agent.get(f"/sessions/{session['id']}/turns").content.decode()
    assert TOKEN not in stored_text()
    assert TOKEN not in caplog.text


def test_d42_han_and_emoji_do_not_break_the_budget(agent):
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    session = started(agent)
    for index in range(3):
        added(
            agent,
            session,
            user("今日は倉庫の在庫を確認しました。" * 4 + str(index)),
            user(family * 20 + str(index)),
        )
    added(agent, session, user("ok"))

    body = window(agent, session, max_tokens=100).json()

    assert body["tokens"] <= 100
    assert body["counting"]
    for turn in agent.get(f"/sessions/{session['id']}/turns").json()["turns"]:
        assert turn["tokens"] >= len(turn["text"]) * 0.6


def test_d43_a_call_and_its_result_are_never_parted(agent):
    session = started(agent)
    added(
        agent,
        session,
        {"role": "system", "text": "Answer in Danish."},
        user("How many pallets are in hall 3?"),
    )
    added(agent, session, {"role": "assistant", "tool_calls": [{"id": "t1", "name": "count"}]})
    added(
        agent,
        session,
        {"role": "tool", "tool_call": "t1", "text": "Hall 3 holds 42 pallets."},
        user("Thank you."),
    )
    costs = [turn["tokens"] for turn in agent.get(f"/sessions/{session['id']}/turns").json()["turns"]]

    def shown(budget):
        answer = window(agent, session, max_tokens=max(budget, 16))
        return (
            [turn["role"] for turn in answer.json()["turns"]]
            if answer.status_code == 200
            else answer.status_code
        )

    last_two = shown(costs[0] + costs[3] + costs[4])
    assert "tool" not in last_two
    assert (last_two[0], last_two[-1]) == ("system", "user")
    assert shown(costs[0] + costs[4]) == ["system", "user"]
    assert shown(sum(costs)) == ["system", "user", "assistant", "tool", "user"]
