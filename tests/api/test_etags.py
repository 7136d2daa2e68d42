"""If-Match names the version that is meant."""

from __future__ import annotations

import pytest
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from vault.api.etags import etag, expected_version, optional_version
from vault.errors import InvalidField, PreconditionRequired, StaleVersion


def request_with(if_match: str | None) -> Request:
    headers = {} if if_match is None else {"If-Match": if_match}
    return Request(APIRequestFactory().patch("/", headers=headers))


def test_a_version_and_its_tag_belong_together():
    assert expected_version(request_with(etag(7))) == 7


@pytest.mark.parametrize("header", [None, "", "*"])
def test_without_a_version_the_precondition_is_missing(header):
    with pytest.raises(PreconditionRequired):
        expected_version(request_with(header))


@pytest.mark.parametrize("read", [expected_version, optional_version])
@pytest.mark.parametrize("header", ['W/"v1"', '"1"', '"v0"', '"v01"', '"v1", "v2"', '"v99999999999"'])
def test_a_tag_that_no_memory_can_have_matches_nothing_and_the_answer_names_the_form(header, read):
    with pytest.raises(StaleVersion) as refused:
        read(request_with(header))
    assert '"v1"' in refused.value.detail


@pytest.mark.parametrize("read", [expected_version, optional_version])
@pytest.mark.parametrize("header", ["v1", "1", '"v1', "'v1'"])
def test_what_is_no_tag_is_answered_with_the_form_that_is_wanted(header, read):
    with pytest.raises(InvalidField) as refused:
        read(request_with(header))
    assert '"v1"' in refused.value.detail


def test_where_it_is_optional_no_version_is_none():
    assert optional_version(request_with(None)) is None
