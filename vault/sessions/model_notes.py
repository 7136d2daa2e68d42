"""The audit log says that words of a session were sent to a language model: for what, how many turns, what came."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

from audit.actions import Action as Event
from audit.actions import Outcome
from vault.keys import key_vault
from vault.models import Session, isolation
from vault.retrieval import trail
from vault.retrieval.scope import Scope
from vault.types import ModelUse


def note_model_asked(
    use: ModelUse, *, session_id: UUID, turns: int | None, fallback: str, scope: Scope
) -> None:
    """Record it, if a model was asked: `turns` is None where none was. Holds a transaction of its own.

    `fallback` is why its answer was not taken.
    """
    if turns is None:
        return
    with transaction.atomic(durable=True):
        isolation.open_everything()
        subject_id = Session.objects.values_list("subject_id", flat=True).get(pk=session_id)
        isolation.close()
        trail.note(
            Event.MODEL_ASKED, scope=scope, kind="session", target=session_id,
            subject_ref=key_vault().subject(subject_id).audit_reference,
            outcome=Outcome.FAILED if fallback else Outcome.OK, reason=fallback, use=use.value, turns=turns,
        )  # fmt: skip
