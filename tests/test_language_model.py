"""The endpoint's faults: each is told by its code, within the time that is given."""

from __future__ import annotations

import pytest
from django.core.exceptions import ImproperlyConfigured
from hypothesis import given
from hypothesis import strategies as st

from tests.model_server import FAULTS
from vault.language_model import MAX_MATERIAL_CHARACTERS, ModelFailed, as_line, ask_model, may_ask
from vault.model_settings import model_from_environment
from vault.types import ModelUse

LINES = [as_line(turn=1, text="The gate code is kept at lodge 7.")]


def failure() -> str:
    with pytest.raises(ModelFailed) as caught:
        ask_model("Say what is kept where.", LINES)
    return caught.value.code


def test_an_answer_is_an_object(model):
    model.says({"kept": "at lodge 7"})

    assert ask_model("Say what is kept where.", LINES) == {"kept": "at lodge 7"}


def test_an_object_in_a_block_of_code_is_one_too(model):
    model.says('Sure!\n```json\n{"kept": 7}\n```')

    assert ask_model("Say what is kept where.", LINES) == {"kept": 7}


@pytest.mark.parametrize("fault", FAULTS)
def test_whatever_an_endpoint_gets_wrong_has_a_code(model, fault):
    code = model.fails(fault)

    assert failure() == code


@pytest.mark.parametrize(
    "text", ['{"a": "\\ud800"}', '{"a": "\\u0000"}', '{"a":' * 20_000, '{"a": 1} {"b": 2}']
)
def test_an_object_that_could_not_be_stored_is_no_answer(model, text):
    model.says(text)

    assert failure() == "model_answer_invalid"


def test_an_endpoint_that_does_not_answer_is_given_up(model, settings):
    settings.LANGUAGE_MODEL_SECONDS = 0.05
    model.is_silent()

    assert failure() == "model_timeout"


@pytest.mark.parametrize("from_the_head", [True, False])
def test_an_endpoint_that_drips_is_given_up(model, settings, from_the_head):
    settings.LANGUAGE_MODEL_SECONDS = 0.3
    model.drips(from_the_head=from_the_head)

    assert failure() == "model_timeout"


def test_an_answer_that_never_ends_is_given_up(model):
    model.never_ends()

    assert failure() == "model_answer_invalid"


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/v1", "nowhere", "ftp://127.0.0.1/v1", "http://[::1"])
def test_an_endpoint_that_is_not_there_is_told(settings, url):
    settings.LANGUAGE_MODEL_URL = url

    assert failure() == "model_unreachable"


def test_lines_are_fenced_as_data(model):
    model.says({})
    ask_model("Say what is kept where.", LINES)

    system, user = (message["content"] for message in model.asked[0]["messages"])
    fence = user.split("\n")[0]
    assert user.split("\n")[-1] == fence
    assert fence in system
    assert "lodge" not in system


def test_each_question_has_a_fence_of_its_own(model):
    model.says({})
    for _ in range(2):
        ask_model("Say what is kept where.", LINES)

    first, second = (asked["messages"][1]["content"].split("\n")[0] for asked in model.asked)
    assert first != second


def test_a_line_cannot_make_another(model):
    model.says({})
    ask_model("Say what is kept where.", ["one\ntwo\u2028three", as_line(text="four\nfive")])

    assert len(model.asked[0]["messages"][1]["content"].split("\n")) == 4


def test_of_too_much_the_last_whole_lines_are_sent(model):
    model.says({})
    ask_model("Say.", [as_line(n=n, text="x" * 1000) for n in range(100)])

    sent = model.material
    assert sent[-1]["n"] == 99
    assert 50 < len(sent) < MAX_MATERIAL_CHARACTERS / 1000


@given(st.text())
def test_a_value_stays_within_its_line(text):
    assert len(as_line(text=text).split("\n")) == 1


def test_no_endpoint_no_question(settings):
    settings.LANGUAGE_MODEL_URL = ""
    settings.LANGUAGE_MODEL_USES = frozenset(ModelUse)

    assert not any(may_ask(use) for use in ModelUse)


def test_only_what_was_allowed_leaves_the_vault(model, settings):
    settings.LANGUAGE_MODEL_USES = frozenset({"drafts"})

    assert [use for use in ModelUse if may_ask(use)] == [ModelUse.DRAFTS]


def test_memories_stay_in_the_vault_unless_somebody_says_otherwise(monkeypatch):
    monkeypatch.delenv("LANGUAGE_MODEL_USES", raising=False)

    assert model_from_environment().uses == {"drafts", "questions", "summaries"}


def test_a_use_that_nobody_knows_stops_the_start(monkeypatch):
    monkeypatch.setenv("LANGUAGE_MODEL_USES", "drafts,everything")

    with pytest.raises(ImproperlyConfigured, match="LANGUAGE_MODEL_USES"):
        model_from_environment()


def test_the_key_may_stand_in_a_file_and_in_no_repr(monkeypatch, tmp_path):
    (tmp_path / "key").write_text("of-the-endpoint\n")
    monkeypatch.delenv("LANGUAGE_MODEL_KEY", raising=False)
    monkeypatch.setenv("LANGUAGE_MODEL_KEY_FILE", str(tmp_path / "key"))

    found = model_from_environment()
    assert found.key == "of-the-endpoint"
    assert found.key not in repr(found)
