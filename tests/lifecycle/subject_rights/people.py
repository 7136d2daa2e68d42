"""A subject with a contact, and the ways in which it proves who it is."""

from __future__ import annotations

import base64
import json
import re
import secrets
from datetime import timedelta
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.core import mail
from django.db import transaction
from django.utils import timezone

from audit.log import Actor
from tests.factories import make_subject, staff_scope
from vault.lifecycle.subject_rights import contacts, inquiries, links, proofs
from vault.lifecycle.subject_rights.assertion_keys import register_key
from vault.lifecycle.subject_rights.proofs import Receipt, public_scope
from vault.models import Agent, AssertionKey, RequestKind, Subject, SubjectRequest, isolation

EMAIL = "ada.winter@example.com"


def subject_with_contact(reference: str = "S1", email: str = EMAIL) -> Subject:
    subject = make_subject(reference)
    contacts.add_contact(subject_id=subject.pk, email=email, scope=staff_scope())
    return subject


def ask(kind: RequestKind = RequestKind.ERASURE, email: str = EMAIL) -> None:
    """What somebody sends from the public page, and what the worker does with it."""
    inquiries.inquire(kind=kind, email=email, scope=public_scope())
    work()


def work() -> None:
    inquiries.answer_inquiries(limit=100)
    links.send_due_links(limit=100)


def mailed_token(index: int = -1) -> str:
    """The token behind the link in a mail that went out."""
    found = re.search(r"/privacy/link/([\w-]+)/", mail.outbox[index].body)
    assert found
    return found[1]


def proved(
    kind: RequestKind = RequestKind.ERASURE, *, reference: str = "S1", email: str = EMAIL, text: str = ""
) -> Receipt:
    """A verified request of a subject, made if it is new."""
    subject_with_contact(reference, email)
    ask(kind, email)
    return proofs.prove(token=mailed_token(), text=text, scope=public_scope())


def rows(**wanted: Any) -> list[SubjectRequest]:
    with transaction.atomic():
        isolation.open_everything()
        found = list(SubjectRequest.objects.filter(**wanted).order_by("received_at", "pk"))
        isolation.close()
    return found


def row_of(receipt: Receipt) -> SubjectRequest:
    return rows(pk=receipt.request_id)[0]


def change_row(request_id: Any, **fields: Any) -> None:
    with transaction.atomic():
        isolation.open_everything()
        SubjectRequest.objects.filter(pk=request_id).update(**fields)
        isolation.close()


class Application:
    """A calling application with a key of its own, registered for an agent."""

    def __init__(self, agent: str = "support-app") -> None:
        self.private = Ed25519PrivateKey.generate()
        Agent.objects.get_or_create(name=agent)
        raw = self.private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        self.key: AssertionKey = register_key(
            agent=agent, public_key=base64.b64encode(raw).decode(), actor=Actor("system", "tests")
        )

    def header(self, **changes: Any) -> dict[str, Any]:
        return {"alg": "EdDSA", "typ": "JWT", "kid": str(self.key.pk), **changes}

    def claims(self, subject: str, **changes: Any) -> dict[str, Any]:
        now = timezone.now()
        return {
            "sub": subject, "aud": proofs.audience(), "iat": int(now.timestamp()),
            "exp": int((now + timedelta(minutes=5)).timestamp()), "jti": secrets.token_hex(16), **changes,
        }  # fmt: skip

    def assert_that(self, subject: str, *, header: dict[str, Any] | None = None, **changes: Any) -> str:
        return sign(self.private, header or self.header(), self.claims(subject, **changes))


def sign(private: Ed25519PrivateKey, header: Any, claims: Any) -> str:
    signed = f"{part(header)}.{part(claims)}"
    return f"{signed}.{encoded(private.sign(signed.encode()))}"


def part(value: Any) -> str:
    return encoded(json.dumps(value).encode())


def encoded(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
