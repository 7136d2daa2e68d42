from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.faults import AuditError, FaultCode
from audit.tree_head import TreeHead, open_head, read_head, sign_head
from tests.audit.conftest import FakeSigner

SIGNER = FakeSigner()
HEAD = TreeHead("log.example", 12, b"\x07" * 32, "2026-03-01T12:00:00.000000Z", "test-1")
NOTE = sign_head(HEAD, SIGNER)


def fault_of(note: str, **options) -> FaultCode:
    with pytest.raises(AuditError) as fault:
        open_head(note, **{"public_keys": SIGNER.public_keys(), **options})
    return fault.value.code


def test_a_checkpoint_reads_back_as_it_was_signed():
    assert open_head(NOTE, public_keys=SIGNER.public_keys(), origin="log.example") == HEAD


def test_a_checkpoint_is_five_lines_a_gap_and_a_signature():
    assert NOTE.splitlines()[:6] == [
        "log.example",
        "12",
        "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=",
        "2026-03-01T12:00:00.000000Z",
        "test-1",
        "",
    ]


@pytest.mark.parametrize(
    "change",
    [
        {"origin": "log.invalid"},
        {"size": 13},
        {"root": b"\x08" * 32},
        {"time": "2026-03-01T12:00:00.000001Z"},
    ],
)
def test_a_changed_field_breaks_the_signature(change):
    forged = NOTE.replace(HEAD.body().decode(), replace(HEAD, **change).body().decode())

    assert fault_of(forged) is FaultCode.CHECKPOINT_SIGNATURE


def test_a_signature_of_another_key_does_not_pass():
    assert fault_of(sign_head(HEAD, FakeSigner())) is FaultCode.CHECKPOINT_SIGNATURE


def test_an_unknown_key_does_not_pass():
    assert fault_of(NOTE, public_keys={}) is FaultCode.CHECKPOINT_UNKNOWN_KEY


def test_a_public_key_that_is_no_key_does_not_pass():
    assert fault_of(NOTE, public_keys={"test-1": b"short"}) is FaultCode.CHECKPOINT_SIGNATURE


def test_the_checkpoint_of_another_log_does_not_pass():
    assert fault_of(NOTE, origin="log.invalid") is FaultCode.CHECKPOINT_ORIGIN


@pytest.mark.parametrize(
    "note",
    [
        "",
        NOTE + "\n",
        NOTE.rstrip("\n"),
        NOTE.replace("\n12\n", "\n012\n"),
        NOTE.replace("\n12\n", "\n-1\n"),
        NOTE.replace("\n12\n", "\n١٢\n"),
        NOTE.replace("BwcH", "!wcH", 1),
        NOTE.replace("BwcH", "", 1),
    ],
)
def test_a_malformed_text_is_no_checkpoint(note):
    assert fault_of(note) is FaultCode.CHECKPOINT_MALFORMED


@given(st.text())
def test_any_text_is_either_a_checkpoint_or_a_fault(text):
    with pytest.raises(AuditError):
        read_head(text)


@pytest.mark.parametrize("origin", ["", "two\nlines", "bell\x07"])
def test_a_field_that_would_break_the_format_is_not_signed(origin):
    with pytest.raises(ValueError, match="one printable line"):
        sign_head(replace(HEAD, origin=origin), SIGNER)
