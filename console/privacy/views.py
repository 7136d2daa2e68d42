"""Asking, proving who you are, and following a request."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from console.access import request_id_of
from console.privacy.forms import KINDS, AskForm, AssertionForm, NumberForm, ProofForm
from console.privacy.limits import limited
from console.privacy.telling import STEPS, TOLD
from vault.crypto.assertion import AssertionRefused
from vault.errors import InvalidField, NotFound, SecretDetected, VaultError
from vault.lifecycle.subject_rights import proofs, tracking
from vault.lifecycle.subject_rights.inquiries import inquire
from vault.lifecycle.subject_rights.wording import ScreeningUnfinished
from vault.models import RequestKind, RequestStatus
from vault.retrieval.scope import Scope

READ_OR_SEND = require_http_methods(["GET", "HEAD", "POST"])


def scope_of(request: HttpRequest) -> Scope:
    return proofs.public_scope(request_id_of(request))


@READ_OR_SEND
@limited("ask", per_minute=6)
def ask_page(request: HttpRequest) -> HttpResponse:
    """Ask for something by an address. The answer is the same whoever's it is, or nobody's."""
    form = AskForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            inquire(
                kind=RequestKind(form.cleaned_data["kind"]), email=form.cleaned_data["email"],
                scope=scope_of(request),
            )  # fmt: skip
            return render(request, "privacy/asked.html")
        except InvalidField as error:
            form.add_error("email", error.detail)
    return render(request, "privacy/ask.html", {"form": form}, status=400 if form.is_bound else 200)


@READ_OR_SEND
@limited("link", per_minute=20)
def link_page(request: HttpRequest, token: str) -> HttpResponse:
    """The page behind a link. Opening it uses nothing up: mail programs open links before people do."""
    return _proof_page(request, token)


@csrf_exempt
@READ_OR_SEND
@limited("link", per_minute=20)
def confirmation_page(request: HttpRequest) -> HttpResponse:
    """Take an application's assertion, sent by its own page or pasted here; a proof of its own comes back.

    Exempt from the token of forms, which a page elsewhere cannot have: nothing is done yet but to show a form, and
    an assertion works once.
    """
    form = AssertionForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            token = proofs.accept_assertion(token=form.cleaned_data["assertion"], scope=scope_of(request))
        except AssertionRefused as refusal:
            form.add_error("assertion", refusal.detail)
        else:
            if token is None:
                return render(request, "privacy/nothing_kept.html")
            return _show_proof(request, token, ProofForm(kind=None), None)
    return render(request, "privacy/confirmation.html", {"form": form}, status=400 if form.is_bound else 200)


@require_POST
@limited("link", per_minute=20)
def confirmed(request: HttpRequest) -> HttpResponse:
    """What somebody asks for whom an application has confirmed."""
    return _proof_page(request, request.POST.get("token", ""))


@READ_OR_SEND
@limited("status", per_minute=20)
def status_page(request: HttpRequest) -> HttpResponse:
    """Where a request stands, by its number."""
    form = NumberForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return render(request, "privacy/status.html", {"form": form}, status=400 if form.is_bound else 200)
    try:
        tracked = tracking.track(number=form.cleaned_data["number"], scope=scope_of(request))
    except NotFound:
        return _no_such_number(request, form)
    context = {
        "tracked": tracked,
        "number": form.cleaned_data["number"],
        "kind_label": KINDS[tracked.kind],
        "steps": _steps(tracked.status),
        "status_words": TOLD[tracked.status],
    }
    return render(request, "privacy/tracked.html", context)


@require_POST
@limited("status", per_minute=20)
def certificate(request: HttpRequest) -> HttpResponse:
    """The signed certificate of an erasure, as a file."""
    form = NumberForm(request.POST)
    try:
        document = tracking.certificate_by_number(
            number=request.POST.get("number", ""), scope=scope_of(request)
        )
    except NotFound:
        return _no_such_number(request, form)
    body = json.dumps(document, ensure_ascii=False, indent=2)
    headers = {"Content-Disposition": 'attachment; filename="certificate-of-erasure.json"'}
    return HttpResponse(body, content_type="application/json", headers=headers)


@require_POST
@limited("export", per_minute=6)
def export(request: HttpRequest) -> HttpResponseBase:
    """The file with everything that is kept, while it is there."""
    form = NumberForm(request.POST)
    try:
        download = tracking.export_by_number(number=request.POST.get("number", ""), scope=scope_of(request))
    except NotFound:
        return _no_such_number(request, form)
    except VaultError as refusal:
        return _say(request, form, refusal.detail, status=409)
    headers = {
        "Content-Disposition": f'attachment; filename="{download.name}"',
        "Content-Length": str(download.size),
    }
    return StreamingHttpResponse(download.chunks, content_type="application/zip", headers=headers)


def _proof_page(request: HttpRequest, token: str) -> HttpResponse:
    try:
        opened = proofs.find_proof(token=token)
        form = ProofForm(request.POST if request.method == "POST" else None, kind=opened.kind)
        if not form.is_valid():
            return _show_proof(request, token, form, opened.kind)
        receipt = _prove(token, form, opened.kind, scope_of(request))
    except NotFound:
        return render(request, "privacy/link_invalid.html", status=404)
    if receipt is None:
        return _show_proof(request, token, form, opened.kind)
    return render(request, "privacy/received.html", {"receipt": receipt, "kind_label": KINDS[receipt.kind]})


def _prove(token: str, form: ProofForm, kind: RequestKind | None, scope: Scope) -> proofs.Receipt | None:
    """The receipt, or None with what is wrong beside the field; the proof stands then."""
    wanted = kind or RequestKind(form.cleaned_data["kind"])
    try:
        return proofs.prove(token=token, kind=wanted, text=form.cleaned_data["text"], scope=scope)
    except SecretDetected:
        form.add_error("text", "This holds a password or a key. Take it out, then send it again.")
    except (InvalidField, ScreeningUnfinished) as refusal:
        form.add_error("text", refusal.detail)
    return None


def _show_proof(request: HttpRequest, token: str, form: ProofForm, kind: RequestKind | None) -> HttpResponse:
    context: dict[str, Any] = {"form": form, "token": token, "kind_label": KINDS[kind] if kind else ""}
    return render(request, "privacy/proof.html", context, status=400 if form.is_bound else 200)


def _no_such_number(request: HttpRequest, form: NumberForm) -> HttpResponse:
    return _say(
        request, form, "There is no request with this number. Look whether it is complete.", status=404
    )


def _say(request: HttpRequest, form: NumberForm, text: str, *, status: int) -> HttpResponse:
    form.add_error("number", text)
    return render(request, "privacy/status.html", {"form": form}, status=status)


def _steps(status: RequestStatus) -> list[tuple[str, str, bool, bool]]:
    order = list(STEPS)
    here = order.index(status) if status in order else -1
    return [(step.value, STEPS[step], index < here, index == here) for index, step in enumerate(order)]
