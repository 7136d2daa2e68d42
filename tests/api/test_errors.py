"""One table turns refusals into answers, and nothing of an unknown fault is told."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import OperationalError

from audit.proofs import NotProvableError
from vault import errors
from vault.api.errors import HTTP_STATUS, as_refusal, exception_handler, problem_of
from vault.api.refusals import BodyTooLarge, FieldError, InvalidRequest
from vault.crypto import KeystoreUnavailable
from vault.types import Action, Category, Finding


def kinds_of(parent: type[errors.VaultError]) -> Iterator[type[errors.VaultError]]:
    for kind in parent.__subclasses__():
        yield kind
        yield from kinds_of(kind)


def test_every_refusal_of_the_vault_has_a_status():
    missing = {
        kind.__name__
        for kind in kinds_of(errors.VaultError)
        if kind.__module__ == "vault.errors" and not set(kind.__mro__) & set(HTTP_STATUS)
    }

    assert missing == set()


@pytest.mark.parametrize(
    ("refusal", "status", "code"),
    [
        (errors.NotFound(), 404, "not_found"),
        (errors.ScopeMissing(), 403, "scope_missing"),
        (errors.AlreadyDecided(), 409, "already_decided"),
        (errors.SubjectErased(), 410, "subject_erased"),
        (errors.KeyDestroyed(), 410, "key_destroyed"),
        (errors.StaleVersion(), 412, "stale_version"),
        (BodyTooLarge(), 413, "body_too_large"),
        (errors.IdempotencyMismatch(), 422, "idempotency_mismatch"),
        (errors.PreconditionRequired(), 428, "precondition_required"),
        (errors.IntegrityFault(), 500, "integrity_error"),
    ],
)
def test_a_refusal_has_its_status_and_code(refusal, status, code):
    answered, document = problem_of(refusal)

    assert (answered, document["status"], document["code"]) == (status, status, code)


@pytest.mark.parametrize(
    ("raised", "code"),
    [
        (OperationalError("the server closed the connection"), "database_unavailable"),
        (KeystoreUnavailable(), "keystore_unavailable"),
        (NotProvableError(), "not_found"),
        (ZeroDivisionError("ZEBRA-CANARY-771"), "internal_error"),
    ],
)
def test_what_the_world_does_becomes_a_refusal(raised, code):
    assert as_refusal(raised).code == code


def test_an_unknown_fault_tells_nothing():
    response = exception_handler(ZeroDivisionError("ZEBRA-CANARY-771"), {})

    assert response.status_code == 500
    assert response.data["detail"] == ""
    assert "ZEBRA" not in str(response.data)


def test_a_vault_that_is_out_asks_to_be_called_again():
    assert exception_handler(OperationalError(), {})["Retry-After"] == "1"


def test_every_field_that_is_wrong_is_named():
    _, document = problem_of(
        InvalidRequest((FieldError("/text", "invisible", "x"), FieldError("/k", "max", "y")))
    )

    assert [error["pointer"] for error in document["errors"]] == ["/text", "/k"]


def test_a_refused_write_tells_where_and_what_but_not_the_value():
    finding = Finding(Category.SECRET, "API_KEY", 3, 9, 1.0, Action.REFUSE, "/metadata/note")

    _, document = problem_of(errors.SecretDetected(findings=(finding,)))

    assert document["findings"][0]["pointer"] == "/metadata/note"
    assert "detector" not in document["findings"][0]
