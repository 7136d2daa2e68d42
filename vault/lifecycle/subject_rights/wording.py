"""What a subject wrote: screened for credentials on the way in, sealed under the subject's key."""

from __future__ import annotations

from django.conf import settings

from vault.crypto import SubjectKeys, associated_data
from vault.errors import InvalidField, SecretDetected, VaultError
from vault.models import SubjectRequest
from vault.screening import screen_fields
from vault.types import Action, Category, SourceType, Trust

MAX_CHARACTERS = 4000


class ScreeningUnfinished(VaultError):
    code = "screening_unfinished"
    detail = "The text could not be checked just now; nothing was stored. Try again in a while."


def check_words(text: str) -> None:
    """Raise SecretDetected for a text with a credential in it, ScreeningUnfinished when nobody can say.

    Everything else may stand there: only staff read it, and it comes into no prompt.
    """
    if not text:
        return
    if len(text) > MAX_CHARACTERS or "\x00" in text:
        raise InvalidField("The text is too long.", pointer="/text")
    verdict = screen_fields(
        {"/text": text}, trust=Trust.UNTRUSTED, source_type=SourceType.USER,
        budget_seconds=settings.SCREENING_BUDGET_SECONDS,
    )  # fmt: skip
    if any(f.category is Category.SECRET and f.action is Action.REFUSE for f in verdict.findings):
        raise SecretDetected
    if any(f.category is Category.FAILURE for f in verdict.findings):
        raise ScreeningUnfinished


def seal_words(request: SubjectRequest, text: str, *, keys: SubjectKeys) -> bytes:
    """The sealed text, bound to its request; empty for none."""
    return keys.seal(text.encode(), context=_context(request)) if text else b""


def open_words(request: SubjectRequest, *, keys: SubjectKeys) -> str:
    """What the subject wrote; empty when nothing was, or when it was erased."""
    sealed = bytes(request.sealed_text)
    return keys.open(sealed, context=_context(request)).decode() if sealed else ""


def _context(request: SubjectRequest) -> bytes:
    return associated_data(what="subject request", request=request.pk, subject=request.subject_id)
