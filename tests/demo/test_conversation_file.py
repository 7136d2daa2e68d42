from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from vault.demo.conversation_file import BadConversation, read_questions, read_turns

TURN = {
    "subject": "talk-1",
    "id": "talk-1/1",
    "speaker": "Ana",
    "text": "The kettle is fixed.",
    "created": "2026-05-08T13:56:00",
    "session": 1,
}


def written(path: Path, *rows: dict) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_a_time_without_an_offset_is_taken_as_utc(tmp_path):
    turns = read_turns(written(tmp_path / "memories.jsonl", TURN))

    assert turns[0].created == datetime(2026, 5, 8, 13, 56, tzinfo=UTC)


def test_an_offset_is_kept(tmp_path):
    turns = read_turns(written(tmp_path / "memories.jsonl", {**TURN, "created": "2026-05-08T13:56:00+02:00"}))

    assert turns[0].created == datetime(2026, 5, 8, 11, 56, tzinfo=UTC)


def test_a_gzipped_file_reads_the_same(tmp_path):
    plain = written(tmp_path / "memories.jsonl", TURN)
    packed = tmp_path / "memories.jsonl.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))

    assert read_turns(packed) == read_turns(plain)


def test_turns_of_one_session_share_it_and_others_do_not(tmp_path):
    turns = read_turns(
        written(tmp_path / "memories.jsonl", TURN, {**TURN, "id": "talk-1/2"}, {**TURN, "session": 2})
    )

    assert turns[0].session == turns[1].session != turns[2].session


@pytest.mark.parametrize("missing", ["id", "subject", "text", "created"])
def test_a_row_without_a_field_names_its_line_and_not_its_text(tmp_path, missing):
    broken = {name: value for name, value in TURN.items() if name != missing}

    with pytest.raises(BadConversation, match=r"memories\.jsonl, line 2") as raised:
        read_turns(written(tmp_path / "memories.jsonl", TURN, broken))

    assert "kettle" not in str(raised.value)


def test_a_line_that_is_not_json_is_named(tmp_path):
    path = tmp_path / "memories.jsonl"
    path.write_text("not json\n", encoding="utf-8")

    with pytest.raises(BadConversation, match="line 1"):
        read_turns(path)


def test_questions_are_read_from_beside_the_turns(tmp_path):
    row = {"subject": "talk-1", "question": "What was fixed?", "evidence_ids": ["talk-1/1"]}
    written(tmp_path / "questions.jsonl", row)

    questions = read_questions(tmp_path / "memories.jsonl")

    assert [(q.text, q.evidence) for q in questions] == [("What was fixed?", {"talk-1/1"})]


def test_a_conversation_without_questions_is_only_loaded(tmp_path):
    assert read_questions(tmp_path / "memories.jsonl") == []
