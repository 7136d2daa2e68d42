"""Certificates, made and checked without a database."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from audit import canonical, merkle
from audit.proofs import InclusionProof
from audit.tree_head import TreeHead, sign_head
from vault.lifecycle import verify_certificate as verifier
from vault.lifecycle.certificate import ErasureFacts, issue
from vault.lifecycle.verify_certificate import CertificateFault, signed_bytes, verify_certificate

REQUEST = UUID("01a20000-0000-7000-8000-000000000001")
NOON = datetime(2026, 5, 3, 12, tzinfo=UTC)
ERASED = {"memories": 2, "versions": 3, "data_key": 1}


class FakeSigner:
    def __init__(self, key_id: str = "test-1") -> None:
        self.key_id = key_id
        self._key = Ed25519PrivateKey.generate()

    def sign(self, message: bytes) -> bytes:
        return self._key.sign(message)

    def public_keys(self) -> dict[str, bytes]:
        return {self.key_id: self._key.public_key().public_bytes_raw()}


def proved_entry(signer: FakeSigner, **changed) -> InclusionProof:
    """The proof of an entry that stands alone in its log."""
    fields = {"action": "erasure.completed", "target_id": str(REQUEST), "facts": ERASED, **changed}
    leaf = canonical.leaf_bytes(0, fields)
    head = TreeHead("test/log", 1, merkle.leaf_hash(leaf), canonical.instant(NOON), signer.key_id)
    return InclusionProof(0, leaf.decode("ascii"), (), sign_head(head, signer))


def make_certificate(signer: FakeSigner, *, entry: InclusionProof | None = None, **changed) -> dict:
    facts = {
        "request": REQUEST, "reason": "withdrawn_consent", "requested_at": NOON,
        "approved_at": NOON + timedelta(hours=1), "erased_at": NOON + timedelta(hours=2),
        "unreadable_at": NOON + timedelta(hours=2), "irrecoverable_at": NOON + timedelta(hours=3),
        "erased": ERASED, "left": dict.fromkeys(ERASED, 0), **changed,
    }  # fmt: skip
    proof = entry or proved_entry(signer)
    return issue(ErasureFacts(**facts), entry=proof, now=NOON + timedelta(hours=4), signer=signer)


def resigned(document: dict, signer: FakeSigner, **changed) -> dict:
    """The document with other fields and a good signature: what a dishonest signer could make."""
    fresh = {**document, **changed}
    return {**fresh, "signature": base64.b64encode(signer.sign(signed_bytes(fresh))).decode()}


def fault_of(document: dict, signer: FakeSigner) -> str:
    with pytest.raises(CertificateFault) as caught:
        verify_certificate(document, public_keys=signer.public_keys())
    return caught.value.code


@pytest.fixture
def signer() -> FakeSigner:
    return FakeSigner()


def test_a_good_certificate_says_what_it_shows(signer: FakeSigner):
    report = verify_certificate(make_certificate(signer), public_keys=signer.public_keys())

    assert report["request"] == str(REQUEST)
    assert (report["erased"], report["left"]) == (6, 0)
    assert report["irrecoverable_at"] == "2026-05-03T15:00:00.000000+00:00"


def test_it_survives_a_way_through_a_file(signer: FakeSigner):
    document = json.loads(json.dumps(make_certificate(signer), indent=3))

    verify_certificate(document, public_keys=signer.public_keys())


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("reason", "other"),
        ("request", "x"),
        ("unreadable_at", None),
        ("stores", [{"name": "a", "erased": 1, "left": 0}]),
    ],
)
def test_a_changed_field_breaks_the_signature(signer: FakeSigner, field: str, value: object):
    assert fault_of({**make_certificate(signer), field: value}, signer) == "signature"


def test_another_key_is_not_believed_though_it_stands_in_the_certificate(signer: FakeSigner):
    forger = FakeSigner()

    assert fault_of(make_certificate(forger), signer) == "signature"


def test_a_key_that_nobody_pinned_is_unknown(signer: FakeSigner):
    assert fault_of(make_certificate(FakeSigner("other")), signer) == "unknown_key"


def test_rows_that_are_left_are_a_fault(signer: FakeSigner):
    document = make_certificate(signer, left={**dict.fromkeys(ERASED, 0), "versions": 1})

    assert fault_of(document, signer) == "left"


def test_counts_that_the_log_does_not_know_are_a_fault(signer: FakeSigner):
    document = make_certificate(signer, erased={**ERASED, "memories": 9})

    assert fault_of(document, signer) == "entry"


def test_the_entry_of_another_erasure_is_a_fault(signer: FakeSigner):
    other = proved_entry(signer, target_id="01a20000-0000-7000-8000-000000000002")

    assert fault_of(make_certificate(signer, entry=other), signer) == "entry"


def test_an_entry_of_another_action_is_a_fault(signer: FakeSigner):
    assert (
        fault_of(make_certificate(signer, entry=proved_entry(signer, action="memory.read")), signer)
        == "entry"
    )


def test_an_entry_that_is_not_in_the_log_is_a_fault(signer: FakeSigner):
    document = make_certificate(signer)
    entry = {**document["entry"], "leaf": document["entry"]["leaf"].replace("memories", "memoriez")}

    assert fault_of(resigned(document, signer, entry=entry), signer) == "entry"


def test_an_approval_before_the_request_is_a_fault(signer: FakeSigner):
    document = make_certificate(signer, approved_at=NOON - timedelta(hours=1))

    assert fault_of(document, signer) == "times"


def test_a_time_without_offset_is_a_fault(signer: FakeSigner):
    document = resigned(make_certificate(signer), signer, erased_at="2026-05-03T14:00:00")

    assert fault_of(document, signer) == "times"


def test_a_root_that_ends_no_epoch_claims_unreadable_only(signer: FakeSigner):
    document = make_certificate(signer, irrecoverable_at=None)

    assert verify_certificate(document, public_keys=signer.public_keys())["irrecoverable_at"] is None


@pytest.mark.parametrize("document", [{}, {"format": "other"}, [], "text"])
def test_what_is_no_certificate_is_named_so(signer: FakeSigner, document: object):
    assert fault_of(document, signer) == "format"  # type: ignore[arg-type]


def test_an_unknown_field_is_a_fault_even_when_it_is_signed(signer: FakeSigner):
    assert fault_of(resigned(make_certificate(signer), signer, note="x"), signer) == "fields"


@pytest.mark.parametrize(
    "stores", [[], {}, [{"name": "a", "erased": True, "left": 0}], [{"name": "a", "erased": -1, "left": 0}]]
)
def test_stores_that_cannot_be_counted_are_a_fault(signer: FakeSigner, stores: object):
    assert fault_of(resigned(make_certificate(signer), signer, stores=stores), signer) == "fields"


def test_the_command_line_accepts_a_pinned_key(signer: FakeSigner, tmp_path: Path, capsys):
    file, pinned = tmp_path / "certificate.json", tmp_path / "keys.json"
    file.write_text(json.dumps(make_certificate(signer)))
    pinned.write_text(json.dumps({k: base64.b64encode(v).decode() for k, v in signer.public_keys().items()}))

    assert verifier.main([str(file), "--public-keys", str(pinned)]) == 0
    assert json.loads(capsys.readouterr().out)["left"] == 0


def test_the_command_line_believes_no_certificate_without_a_key(signer: FakeSigner, tmp_path: Path, capsys):
    file = tmp_path / "certificate.json"
    file.write_text(json.dumps(make_certificate(signer)))

    assert verifier.main([str(file)]) == 1
    assert capsys.readouterr().err.startswith("keys:")


def test_the_command_line_names_the_fault(signer: FakeSigner, tmp_path: Path, capsys):
    file = tmp_path / "certificate.json"
    file.write_text(json.dumps({**make_certificate(signer), "reason": "other"}))
    key = base64.b64encode(signer.public_keys()["test-1"]).decode()

    assert verifier.main([str(file), "--public-key", f"test-1={key}"]) == 1
    assert capsys.readouterr().err.startswith("signature:")


def test_a_missing_file_is_a_fault(tmp_path: Path, signer: FakeSigner, capsys):
    key = base64.b64encode(signer.public_keys()["test-1"]).decode()

    assert verifier.main([str(tmp_path / "none.json"), "--public-key", f"test-1={key}"]) == 1
    assert capsys.readouterr().err.startswith("format:")


def test_the_verifier_needs_neither_django_nor_a_database():
    code = (
        "import sys, vault.lifecycle.verify_certificate; "
        "sys.exit(any(name.split('.')[0] in ('django', 'psycopg', 'celery') for name in sys.modules))"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
