"""How the API's document is made: drf-spectacular's settings. Nothing of Django is imported here."""

from __future__ import annotations

from typing import Any

from vault.types import Action, Category, Kind, QuarantineStatus, SourceType, Status, Trust

SPECTACULAR: dict[str, Any] = {
    "TITLE": "Memory Vault",
    "DESCRIPTION": "A memory store for AI agents: screened, sealed per subject, reviewed, provably erasable.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "POSTPROCESSING_HOOKS": ["drf_spectacular.hooks.postprocess_schema_enums", "vault.api.schema.finish"],
    "COMPONENT_SPLIT_PATCH": False,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "ENUM_NAME_OVERRIDES": {
        word.__name__: [member.value for member in word]
        for word in (Action, Category, Kind, QuarantineStatus, SourceType, Status, Trust)
    },
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SERVE_AUTHENTICATION": [],
}
