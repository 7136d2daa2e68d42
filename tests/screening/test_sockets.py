"""Nothing in screening opens a socket, whatever the text mentions."""

from __future__ import annotations

import pytest

from tests.screening.drafts import verdict_on


@pytest.mark.disable_socket
def test_an_address_is_screened_without_a_look_outside(socket_disabled: None) -> None:
    verdict = verdict_on("Write to zora.quill@example.co.uk or see https://zora.example.com/about")

    assert "EMAIL_ADDRESS" in {finding.type for finding in verdict.findings}
    assert "screening_failure" not in verdict.reasons
