"""From findings to one verdict. Pure: decides, and never looks at the text."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from vault.types import Action, Category, Finding, Verdict


class Reason(StrEnum):
    """Why a write was refused, set aside or masked; the codes are public."""

    SECRET_DETECTED = "secret_detected"  # noqa: S105 - the name of a reason
    CATEGORY_NOT_ALLOWED = "category_not_allowed"
    SCREENING_FAILURE = "screening_failure"
    HIDDEN_CARRIER = "hidden_carrier"
    HIGH_IMPACT_CLAIM = "high_impact_claim"
    INJECTION_SUSPECTED = "injection_suspected"
    SENSITIVE_CATEGORY = "sensitive_category"
    PERSONAL_DATA = "personal_data"
    LANGUAGE_NOT_COVERED = "language_not_covered"
    STAFF_RULE = "staff_rule"


HIGH_IMPACT_PREFIX = "high_impact:"
LANGUAGE_TYPE = "LANGUAGE_NOT_COVERED"

_GRAVITY = list(Reason)


def reason_for(finding: Finding) -> Reason | None:
    """The code that a finding puts forward; None when the policy lets it pass under a label."""
    if finding.action is Action.ALLOW:
        return None
    match finding.category:
        case Category.SECRET:
            return Reason.SECRET_DETECTED
        case Category.FAILURE:
            is_language = finding.type == LANGUAGE_TYPE
            return Reason.LANGUAGE_NOT_COVERED if is_language else Reason.SCREENING_FAILURE
        case Category.RULE:
            return Reason.STAFF_RULE
        case Category.CARRIER:
            return Reason.HIDDEN_CARRIER
        case Category.INJECTION:
            is_claim = finding.type.startswith(HIGH_IMPACT_PREFIX)
            return Reason.HIGH_IMPACT_CLAIM if is_claim else Reason.INJECTION_SUSPECTED
    if finding.action is Action.REFUSE:
        return Reason.CATEGORY_NOT_ALLOWED
    return Reason.SENSITIVE_CATEGORY if finding.category is Category.SENSITIVE else Reason.PERSONAL_DATA


def decide(findings: Iterable[Finding], *, policy_version: int) -> Verdict:
    """The gravest action wins; its reasons come first."""
    ordered = tuple(sorted(set(findings), key=lambda f: (f.pointer, f.start, f.end, f.category, f.type)))
    action = max((f.action for f in ordered), key=lambda a: a.rank, default=Action.ALLOW)
    gravest: dict[Reason, int] = {}
    for finding in ordered:
        reason = reason_for(finding)
        if reason is not None:
            gravest[reason] = max(gravest.get(reason, 0), finding.action.rank)
    reasons = sorted(gravest, key=lambda reason: (-gravest[reason], _GRAVITY.index(reason)))
    return Verdict(action, ordered, tuple(reason.value for reason in reasons), policy_version)
