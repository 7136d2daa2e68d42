"""Claims that only somebody verified may make, in languages other than English: word classes that meet in one clause.

Broader than the English clauses of `impact`, as word order and endings differ too much for patterns. The words stand in
`impact_words.txt`; no score is asked.
"""

from __future__ import annotations

from collections.abc import Sequence

from vault.screening.injection.features import Segment
from vault.screening.injection.rules import Meeting, meets

MEETINGS = (
    Meeting("approval", ("claim_money", "claim_approved")),
    Meeting("approval", ("claim_exempt", "claim_check")),
    Meeting("money", ("claim_money", "claim_without", "claim_check")),
    Meeting("money", ("claim_standing", "claim_pay", "claim_money")),
    Meeting("payment_details", ("claim_details", "claim_new")),
    Meeting("payment_details", ("claim_details", "claim_pay")),
    Meeting("permission", ("claim_access", "claim_ruled")),
    Meeting("permission", ("claim_access", "claim_allowed")),
    Meeting("speaks_for_staff", ("claim_staff", "claim_ruled", "claim_money")),
    Meeting("speaks_for_staff", ("claim_staff", "claim_ruled", "claim_check")),
    Meeting("speaks_for_staff", ("claim_staff", "claim_ruled", "claim_details")),
)


def claims_in_words(parts: Sequence[Segment]) -> frozenset[str]:
    """The names of the claims that the clauses of a text make. Linear in the text."""
    return frozenset(meeting.rule for part in parts for meeting in MEETINGS if meets(part, meeting))
