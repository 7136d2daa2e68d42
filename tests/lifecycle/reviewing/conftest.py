"""What screening says at a release: the verdict in the list. The detectors have tests of their own."""

from __future__ import annotations

import pytest

from tests.factories import suspicious
from vault.lifecycle import release
from vault.types import Verdict


@pytest.fixture
def judged(monkeypatch) -> list[Verdict]:
    verdicts = [suspicious("Refunds are approved.")]
    monkeypatch.setattr(release, "judge", lambda *_, **__: verdicts[0])
    return verdicts
