"""Refusals of the vault as pages: what happened, in the same words as the API, with a way on."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from vault import errors

REFUSAL_STATUS: dict[type[errors.VaultError], int] = {
    errors.NotFound: 404,
    errors.InvalidField: 400,
    errors.SubjectErased: 410,
    errors.KeyDestroyed: 410,
    errors.ExportExpired: 410,
    errors.SubjectOnHold: 409,
    errors.AlreadyDecided: 409,
    errors.InvalidTransition: 409,
    errors.CapReached: 409,
    errors.StaleVersion: 409,
    errors.SameApprover: 403,
    errors.ApprovalRequired: 403,
    errors.ScopeMissing: 403,
    errors.IntegrityFault: 500,
}
DEFAULT_STATUS = 422
TITLES: dict[type[errors.VaultError], str] = {
    errors.NotFound: "Nothing here",
    errors.InvalidField: "That is not valid",
    errors.SubjectErased: "This subject was erased",
    errors.KeyDestroyed: "The key was destroyed",
    errors.ExportExpired: "The file was destroyed",
    errors.SubjectOnHold: "A legal hold stops this",
    errors.AlreadyDecided: "Somebody was quicker",
    errors.InvalidTransition: "Not possible in this state",
    errors.CapReached: "There is no room",
    errors.StaleVersion: "It has changed since you opened it",
    errors.SameApprover: "This needs a second person",
    errors.ApprovalRequired: "This needs an approval first",
    errors.ScopeMissing: "Your role does not allow this",
    errors.IntegrityFault: "A stored memory failed its integrity check",
}


@dataclass(frozen=True, slots=True)
class Refusal:
    status: int
    title: str
    code: str
    detail: str


def refusal_of(error: errors.VaultError) -> Refusal:
    """The page's words for a refusal; a class that the tables do not name takes those of its parent."""
    for kind in type(error).__mro__:
        if kind in REFUSAL_STATUS:
            return Refusal(REFUSAL_STATUS[kind], TITLES[kind], error.code, error.detail)
    return Refusal(DEFAULT_STATUS, "The vault refused this", error.code, error.detail)


def refusal_page(request: HttpRequest, error: errors.VaultError, *, back: str = "") -> HttpResponse:
    """Render a refusal with its own status; `back` is where the thing can be seen as it stands now."""
    refusal = refusal_of(error)
    facts = {"refusal": refusal, "back": back, "decided_by": error.facts.get("decided_by", "")}
    return render(request, "console/refusal.html", facts, status=refusal.status)
