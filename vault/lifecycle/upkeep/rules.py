"""The upkeep rules of every namespace, for jobs that go over all of them."""

from __future__ import annotations

import structlog

from vault.errors import InvalidField
from vault.models import Namespace
from vault.writing.upkeep_policy import UpkeepPolicy, upkeep_of

logger = structlog.get_logger(__name__)


def rules_by_namespace() -> dict[int, UpkeepPolicy]:
    """The rules by namespace id; one whose rules cannot be read is left out, so that nothing is done to it."""
    rules: dict[int, UpkeepPolicy] = {}
    for number, policy in Namespace.objects.order_by("pk").values_list("pk", "policy"):
        try:
            rules[number] = upkeep_of(policy)
        except InvalidField as error:
            logger.warning(
                "upkeep rules cannot be read", namespace=number, pointer=str(error.facts.get("pointer"))
            )
    return rules
