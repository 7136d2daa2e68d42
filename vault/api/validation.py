"""From a request to validated values: one place that refuses, and names every field it refuses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import parse_qsl

from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail
from rest_framework.request import Request

from vault.api.pointers import under
from vault.api.refusals import FieldError, InvalidRequest
from vault.api.strict_json import check_text
from vault.errors import InvalidField

NOT_AN_OBJECT = FieldError("", "not_an_object", "The body must be a JSON object.")
MAX_PARAMETERS = 32


class Strict(serializers.Serializer[Any]):
    """A JSON object whose fields are all known."""

    default_error_messages = {"invalid": "Must be an object."}

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        unknown = {}
        if isinstance(data, Mapping):
            detail = ErrorDetail("There is no such field.", "unknown_field")
            names = enumerate(data)
            unknown = {under("", n, i)[1:]: [detail] for i, n in names if n not in self.fields}
        try:
            values = super().to_internal_value(data)
        except serializers.ValidationError as error:
            raise serializers.ValidationError({**error.detail, **unknown}) from None  # type: ignore[dict-item]
        if unknown:
            raise serializers.ValidationError(unknown)
        return dict(values)


def read_body(shape: type[Strict], request: Request) -> dict[str, Any]:
    """The validated body; only fields that were sent or have a default. Raises InvalidRequest."""
    return read_object(shape, request.data)


def read_object(shape: type[Strict], value: Any, *, pointer: str = "") -> dict[str, Any]:
    """One JSON object, validated; `pointer` is where it stands in the body. Raises InvalidRequest."""
    if not isinstance(value, dict):
        raise InvalidRequest((FieldError(pointer, NOT_AN_OBJECT.code, NOT_AN_OBJECT.detail),))
    return _validated(shape, value, pointer)


def read_query(shape: type[Strict], request: Request) -> dict[str, Any]:
    """The validated query string: every parameter known, none twice. Raises InvalidRequest."""
    return _validated(shape, _parameters(request.META.get("QUERY_STRING", "")), "")


def _validated(shape: type[Strict], value: Any, pointer: str) -> dict[str, Any]:
    serializer = shape(data=value)
    if not serializer.is_valid():
        raise InvalidRequest(tuple(field_errors(serializer.errors, pointer)))
    return dict(serializer.validated_data)


def field_errors(detail: Any, pointer: str) -> Iterator[FieldError]:
    """Walk REST framework's tree of errors; every message is one of our fields' own, which repeat nothing."""
    if isinstance(detail, Mapping):
        for name, part in detail.items():
            here = pointer if name == "non_field_errors" else f"{pointer}/{name}"
            yield from field_errors(part, here)
    elif isinstance(detail, list):
        for index, part in enumerate(detail):
            yield from field_errors(part, pointer if isinstance(part, str) else f"{pointer}/{index}")
    else:
        yield FieldError(pointer, str(getattr(detail, "code", "invalid")), str(detail))


def _parameters(raw: str) -> dict[str, str]:
    try:
        pairs = parse_qsl(raw, keep_blank_values=True, errors="strict", max_num_fields=MAX_PARAMETERS)
    except (ValueError, UnicodeDecodeError):
        raise InvalidField("The query string is not UTF-8, or too long.", pointer="") from None
    values: dict[str, str] = {}
    for index, (name, value) in enumerate(pairs):
        pointer = under("", name, index)
        check_text(name, pointer)
        check_text(value, pointer)
        if name in values:
            raise InvalidField("A parameter is given twice.", pointer=pointer)
        values[name] = value
    return values
