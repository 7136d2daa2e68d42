"""Typed reading of the process environment; the only module that looks at it."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from psycopg.conninfo import conninfo_to_dict

TRUE_WORDS = frozenset({"1", "true", "yes", "on"})


def env_text(name: str, default: str = "") -> str:
    """The value of NAME, or `default` when it is unset or empty."""
    return os.environ.get(name) or default


def env_flag(name: str, *, default: bool = False) -> bool:
    """Whether NAME says yes (1, true, yes, on)."""
    value = os.environ.get(name)
    return default if not value else value.strip().lower() in TRUE_WORDS


def env_number(name: str, default: int) -> int:
    """The whole number in NAME; raises ImproperlyConfigured for anything else."""
    value = os.environ.get(name)
    if not value:
        return default
    try:
        return int(value)
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be a whole number") from None


def env_list(name: str, default: str = "") -> list[str]:
    """The comma-separated words of NAME, without blanks."""
    return [word.strip() for word in env_text(name, default).split(",") if word.strip()]


def env_words(name: str, default: str, *, known: Collection[str]) -> frozenset[str]:
    """The words of NAME, each one of `known`; raises ImproperlyConfigured for any other."""
    words = frozenset(env_list(name, default))
    if not words <= set(known):
        raise ImproperlyConfigured(f"{name} takes only: {', '.join(known)}")
    return words


def env_pairs(name: str, default: str) -> dict[str, str]:
    """The `key=value` pairs of NAME, between commas; raises ImproperlyConfigured for anything else."""
    pairs = [pair.partition("=") for pair in env_list(name, default)]
    if not all(key and value for key, _, value in pairs):
        raise ImproperlyConfigured(f"{name} takes pairs like en=model")
    return {key.strip(): value.strip() for key, _, value in pairs}


def env_secret(name: str) -> str:
    """Read a secret from NAME, or from the file that NAME_FILE names; there is no default."""
    if value := env_secret_or_none(name):
        return value
    raise ImproperlyConfigured(f"Set {name} or {name}_FILE")


def env_secret_or_none(name: str) -> str:
    """The same for a secret that need not be set: empty then."""
    if path := os.environ.get(f"{name}_FILE"):
        return Path(path).read_text(encoding="utf-8").strip()
    return os.environ.get(name) or ""


def database_settings(url: str, *, pool: bool = False) -> dict[str, object]:
    """Django's settings for a PostgreSQL URL; every other kind of database is refused."""
    if not url.startswith(("postgresql://", "postgres://")):
        raise ImproperlyConfigured("A database URL must start with postgresql://")
    parts = conninfo_to_dict(url)
    known = {"dbname": "NAME", "user": "USER", "password": "PASSWORD", "host": "HOST", "port": "PORT"}
    options: dict[str, object] = {key: value for key, value in parts.items() if key not in known}
    if pool:
        options["pool"] = {"min_size": 2, "max_size": 16, "timeout": 10}
    return {
        "ENGINE": "django.db.backends.postgresql",
        **{django: str(parts.get(key) or "") for key, django in known.items()},
        "OPTIONS": options,
        "CONN_HEALTH_CHECKS": not pool,
        "CONN_MAX_AGE": 0 if pool else 60,
    }
