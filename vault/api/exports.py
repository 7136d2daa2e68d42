"""The shapes of exports: what asking for one takes, and what following one answers."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from vault.api.answers import Moment, Shape
from vault.api.fields import Slug
from vault.api.validation import Strict
from vault.lifecycle.access_export import ExportState
from vault.models import ExportStatus

MEDIA_TYPE = "application/zip"
STATUSES = f"One of {', '.join(ExportStatus.values)}."


class ExportIn(Strict):
    reason = Slug(default="access_request")


class ExportAcceptedOut(Shape):
    """An export that was asked for; its file is made once somebody else has approved it."""

    id = serializers.UUIDField(source="pk")
    status = serializers.CharField(help_text=STATUSES)


class ProgressOut(Shape):
    """How many records are done of about how many."""

    done = serializers.IntegerField()
    total = serializers.IntegerField()


class DownloadOut(Shape):
    """Where the file is, and until when. The address asks for the same token."""

    href = serializers.CharField()
    media_type = serializers.CharField()
    bytes = serializers.IntegerField()
    expires_at = Moment()


class ExportOut(Shape):
    """Where an export stands; `download` is null until the file is ready, and when it is destroyed."""

    id = serializers.UUIDField(source="row.pk")
    status = serializers.CharField(help_text=STATUSES)
    reason = serializers.CharField(source="row.reason_code")
    requested_at = Moment(source="row.requested_at")
    as_of = Moment(source="row.as_of", allow_null=True)
    ready_at = Moment(source="row.ready_at", allow_null=True)
    expires_at = Moment(source="row.expires_at", allow_null=True)
    progress = ProgressOut(source="*")
    download = serializers.SerializerMethodField()

    @extend_schema_field(DownloadOut(allow_null=True))
    def get_download(self, state: ExportState) -> dict[str, Any] | None:
        if state.status is not ExportStatus.READY:
            return None
        found = {
            "href": f"/api/v1/exports/{state.row.pk}/file",
            "media_type": MEDIA_TYPE,
            "bytes": state.row.size,
            "expires_at": state.row.expires_at,
        }
        return dict(DownloadOut(found).data)
