"""The audit log as auditors read it: entries, filters, the signed head, and a verification on demand."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from audit.actions import Action
from audit.configured import configured_signer, configured_witness
from audit.faults import AuditError
from audit.listing import EntryFilter, list_entries, log_state
from audit.log import Target, record_alone
from audit.proofs import NotProvableError, inclusion_proof
from audit.verify import verify_log
from console.access import Ability, actor_of, request_id_of, staff_page
from console.forms import AuditFilterForm


@staff_page(Ability.AUDIT_READ)
def log_page(request: HttpRequest) -> HttpResponse:
    """One page of entries; reading the log is itself an entry."""
    form = AuditFilterForm(request.GET)
    wanted = form.cleaned_data if form.is_valid() else {}
    record_alone(
        Action.AUDIT_READ,
        actor=actor_of(request),
        target=Target("audit_log"),
        request_id=request_id_of(request),
    )
    page = list_entries(where=_filter(wanted), before=wanted.get("before"))
    context = {"form": form, "page": page, "state": log_state(), "filtered": not _filter(wanted).is_empty}
    return render(request, "console/audit.html", context)


@staff_page(Ability.AUDIT_READ, method="POST")
def verify(request: HttpRequest) -> HttpResponse:
    """Go over the whole log now; what is found is said here and recorded."""
    reason = ""
    try:
        report = verify_log(public_keys=configured_signer().public_keys(), witness=configured_witness())
    except AuditError as fault:
        reason = fault.code.value
        place = "" if fault.seq is None else f" The first entry concerned is number {fault.seq}."
        messages.error(request, f"The log does not verify: {fault.detail} ({fault.code.value}).{place}")
    else:
        detail = (
            f"{report.size} entries, {report.checkpoints} signed checkpoints, {report.waiting} not sealed yet"
        )
        messages.success(request, f"The whole log verifies: {detail}.")
    record_alone(
        Action.AUDIT_VERIFIED,
        actor=actor_of(request),
        target=Target("audit_log"),
        request_id=request_id_of(request),
        reason=reason,
    )
    return redirect("console:audit")


@staff_page(Ability.AUDIT_READ)
def proof(request: HttpRequest, seq: int) -> HttpResponse:
    """The inclusion proof of one entry, as a file that `audit.offline` checks without this vault."""
    try:
        document = inclusion_proof(seq).document()
    except NotProvableError:
        messages.warning(request, "No signed checkpoint covers this entry yet. Try again in a minute.")
        return redirect("console:audit")
    headers = {"Content-Disposition": f'attachment; filename="entry-{seq}-proof.json"'}
    return HttpResponse(json.dumps(document, indent=2), content_type="application/json", headers=headers)


def _filter(wanted: dict[str, Any]) -> EntryFilter:
    until = wanted.get("until")
    return EntryFilter(
        action=wanted.get("action", ""),
        outcome=wanted.get("outcome", ""),
        actor=wanted.get("actor", ""),
        target=wanted.get("target", ""),
        since=_midnight(wanted.get("since")),
        until=_midnight(until + timedelta(days=1) if until else None),
    )


def _midnight(day: date | None) -> datetime | None:
    return None if day is None else datetime.combine(day, time.min, tzinfo=UTC)
