"""Request bodies: strict JSON in UTF-8, within a size."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from rest_framework.exceptions import UnsupportedMediaType
from rest_framework.parsers import BaseParser
from rest_framework.utils.mediatypes import _MediaType

from vault.api import strict_json
from vault.api.refusals import BodyTooLarge

UTF_8 = frozenset({"", "utf-8", "utf8"})


class StrictJSONParser(BaseParser):
    """Reads `application/json`. Raises BodyTooLarge, InvalidField, UnsupportedMediaType (another charset)."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        if _charset(media_type or "") not in UTF_8:
            raise UnsupportedMediaType("application/json in another charset than UTF-8")
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        raw = stream.read(limit + 1)
        if len(raw) > limit:
            raise BodyTooLarge
        return strict_json.loads(raw)


def _charset(media_type: str) -> str:
    return str(_MediaType(media_type).params.get("charset", "")).strip('"').lower()
