"""System checks that keep an unsafe vault from starting quietly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import spacy
from django.conf import settings
from django.core.checks import Error, Tags, register
from django.db import connection


@register(Tags.database)
def check_runtime_role(databases: Any = None, **_: Any) -> list[Error]:
    """The runtime role must be bound by row-level security: no superuser, no BYPASSRLS, owner of nothing."""
    if not databases or "default" not in databases:
        return []
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT rolsuper OR rolbypassrls, EXISTS (SELECT 1 FROM pg_class WHERE relowner = pg_roles.oid) "
            "FROM pg_roles WHERE rolname = current_user"
        )
        row = cursor.fetchone()
    errors = []
    if row is None or row[0]:
        errors.append(Error("The runtime role escapes row-level security.", id="vault.E001"))
    if row is not None and row[1]:
        errors.append(
            Error("The runtime role owns tables, so it could lift their policies.", id="vault.E002")
        )
    return errors


@register(Tags.security, deploy=True)
def check_secrets_are_not_in_files_of_the_checkout(**_: Any) -> list[Error]:
    """In production the root key does not lie inside the source tree."""
    if str(settings.ROOT_KEY_FILE).startswith(str(settings.BASE_DIR)) and settings.PRODUCTION:
        return [Error("ROOT_KEY_FILE lies inside the checkout.", id="vault.E003")]
    return []


@register()
def check_models_of_names_are_installed(**_: Any) -> list[Error]:
    """A language that is configured and cannot be read would set every write of its namespaces aside."""
    return [
        Error(f"SCREENING_MODELS names {name} for {language}, which is not installed.", id="vault.E004")
        for language, name in settings.SCREENING_MODELS.items()
        if not (spacy.util.is_package(name) or Path(name).is_dir())
    ]
