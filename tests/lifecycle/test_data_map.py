"""The data map must name every column that could hold personal data."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.db import connection

from vault.lifecycle.data_map import HOLDS_NONE, OTHER_TABLES, STORES

pytestmark = pytest.mark.django_db

# What can hold text or something reckoned from text.
HOLDING_TYPES = ("character varying", "text", "jsonb", "json", "bytea", "ARRAY", "USER-DEFINED", "citext")


def holding_columns() -> set[str]:
    """Every column of the database, asked of the database itself, that could hold personal data."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name || '.' || column_name FROM information_schema.columns "
            "WHERE table_schema = 'public' AND data_type = ANY(%s)",
            [list(HOLDING_TYPES)],
        )
        return {name for (name,) in cursor.fetchall()}


def mapped_columns() -> set[str]:
    return {f"{store.model._meta.db_table}.{column}" for store in STORES for column in store.columns}


def test_every_column_that_can_hold_text_is_in_the_map():
    missing = {
        column
        for column in holding_columns() - mapped_columns() - set(HOLDS_NONE)
        if column.partition(".")[0] not in OTHER_TABLES
    }

    assert missing == set()


def test_the_map_names_no_column_that_is_not_there():
    assert (mapped_columns() | set(HOLDS_NONE)) - holding_columns() == set()


def test_no_column_is_both_erased_and_said_to_hold_nothing():
    assert mapped_columns() & set(HOLDS_NONE) == set()


def test_every_reason_is_given():
    assert all({**HOLDS_NONE, **OTHER_TABLES}.values())


def test_every_table_with_a_subject_is_erased_or_kept_for_a_reason():
    kept = {"vault_legalhold"}
    with_subject = {
        model._meta.db_table
        for model in apps.get_app_config("vault").get_models()
        if "subject_id" in {field.column for field in model._meta.local_concrete_fields}
    }

    assert with_subject - kept == {s.model._meta.db_table for s in STORES if s.subject_column == "subject_id"}


def test_store_names_are_good_names_of_audit_facts():
    assert len({store.name for store in STORES}) == len(STORES)
    assert all(store.name.replace("_", "").isalpha() for store in STORES)
