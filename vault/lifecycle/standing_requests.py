"""Which writes wait for a second person, for the pages on which one person would decide about them."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from django.utils import timezone

from vault.lifecycle.approvals import OPEN, stands
from vault.lifecycle.desk import require_staff
from vault.models import Approval, ApprovalKind
from vault.retrieval.scope import Scope


def waiting_releases(*, revisions: Mapping[UUID, int], scope: Scope) -> dict[UUID, Approval]:
    """Of these writes, those whose release was asked for at the revision that is given, each with its newest request.

    A request counts while it is open, in time, and of nobody who was suspended since: any other keeps nobody waiting.
    """
    require_staff(scope)
    now = timezone.now()
    rows = Approval.objects.filter(
        kind=ApprovalKind.RELEASE, target_id__in=revisions, status__in=OPEN, expires_at__gt=now
    ).order_by("requested_at", "pk")
    return {
        row.target_id: row
        for row in rows
        if row.target_id is not None
        and row.particulars.get("revision") == revisions[row.target_id]
        and stands(row, now=now)
    }
