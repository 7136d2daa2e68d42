"""`/subjects/{subject}/contact`: where a link of proof may be sent, as the calling application vouches."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from vault.api.fields import Text
from vault.api.requests import SubjectPath
from vault.api.strict_json import check_text
from vault.api.validation import Strict, read_body, read_object
from vault.api.views.subjects import SubjectView
from vault.lifecycle.subject_rights.addresses import MAX_CHARACTERS
from vault.lifecycle.subject_rights.contacts import clear_contact, set_contact
from vault.retrieval.scope import Right

SUFFIX = "/contact"
NOTHING = {204: OpenApiResponse(description="Done; there is nothing to say.")}


class ContactIn(Strict):
    """A verified address: the caller has made sure that it is the subject's."""

    email = Text(max_length=MAX_CHARACTERS)


class ContactView(SubjectView):
    """A subject's id may end like this route: reading it is reading that subject. Contacts are never read here."""

    @extend_schema(exclude=True)
    def get(self, request: Request, subject: str) -> Response:
        return super().get(request, subject + SUFFIX)

    @extend_schema(operation_id="set_contact", request=ContactIn, responses=NOTHING)
    def put(self, request: Request, subject: str) -> Response:
        """Register the subject's address, in the place of the one that the same agent registered before."""
        self.scope.require(Right.SUBJECT_EXPORT)
        named = _subject(subject)
        set_contact(subject=named, email=read_body(ContactIn, request)["email"], scope=self.scope)
        return Response(status=204)

    @extend_schema(operation_id="clear_contact", request=None, responses=NOTHING)
    def delete(self, request: Request, subject: str) -> Response:
        """Remove what this agent registered; contacts of others stay."""
        self.scope.require(Right.SUBJECT_EXPORT)
        clear_contact(subject=_subject(subject), scope=self.scope)
        return Response(status=204)


def _subject(subject: str) -> str:
    check_text(subject, "/subject")
    return str(read_object(SubjectPath, {"subject": subject})["subject"])
