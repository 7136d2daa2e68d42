"""The OpenAPI document: what the serializers do not say by themselves."""

from __future__ import annotations

from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter, inline_serializer
from rest_framework import serializers

from vault.api.problems import CONTENT_TYPE

KEYED = [
    OpenApiParameter(
        "Idempotency-Key",
        str,
        OpenApiParameter.HEADER,
        description="The same key and body answer as the first time.",
    )
]
CONDITIONAL = [
    OpenApiParameter(
        "If-Match",
        str,
        OpenApiParameter.HEADER,
        required=True,
        description='The version that is meant, as its ETag: "v3".',
    )
]
OPTIONALLY_CONDITIONAL = [
    OpenApiParameter(
        "If-Match",
        str,
        OpenApiParameter.HEADER,
        description='The version that is meant, as its ETag: "v3"; the current one when it is not sent.',
    )
]
PROBLEM_SCHEMA: dict[str, Any] = {
    "type": "object",
    "description": "A refusal (RFC 9457). It repeats nothing that was sent.",
    "required": ["type", "title", "status", "code", "detail"],
    "properties": {
        "type": {"type": "string", "format": "uri"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "code": {"type": "string"},
        "detail": {"type": "string"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["pointer", "code", "detail"],
                "properties": {
                    "pointer": {"type": "string", "description": "JSON pointer of the field."},
                    "code": {"type": "string"},
                    "detail": {"type": "string"},
                },
            },
        },
        "missing": {
            "type": "string",
            "enum": ["subject"],
            "description": "With 404: it is the subject of the call that is not there.",
        },
        "findings": {"type": "array", "items": {"$ref": "#/components/schemas/FindingOut"}},
    },
}
PROBLEM_RESPONSE = {
    "description": "Refused.",
    "content": {CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
}


def page_of(row: type[serializers.Serializer[Any]]) -> serializers.Serializer[Any]:
    """A page of a list: rows, and the addresses of the pages on either side."""
    return inline_serializer(
        f"{row.__name__.removesuffix('Out')}Page",
        {
            "results": row(many=True),
            "next": serializers.URLField(allow_null=True),
            "previous": serializers.URLField(allow_null=True),
        },
    )


class VaultSchema(AutoSchema):
    """Groups operations by resource."""

    def get_tags(self) -> list[str]:
        return [self.path.removeprefix("/api/v1/").split("/")[0]]


def finish(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Say of every operation how it refuses, and of every request body that it takes no unknown field."""
    schemas = result["components"]["schemas"]
    schemas["Problem"] = PROBLEM_SCHEMA
    for name, schema in schemas.items():
        if name.endswith("In"):
            schema["additionalProperties"] = False
    for operations in result["paths"].values():
        for operation in operations.values():
            operation["responses"]["default"] = PROBLEM_RESPONSE
    return result
