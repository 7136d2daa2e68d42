"""Claims that only somebody verified may make, told by their structure and never by a score.

Money, approvals, permission, payment details, contact changes, credentials, standing orders, and words put into
the mouth of staff: each is a few patterns of a whole clause, so that a note which only speaks of an invoice, a card
or a language is none. They err on the side of letting pass: the score still has its say about the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import re2

# ruff: noqa: E501 - a pattern a line reads better than one broken in two

_DO = r"(?:approve[ds]?|pay|paid|pays|refund(?:ed)?|waive[ds]?|grant(?:ed)?|releas(?:e|ed)|reimburse[ds]?|process(?:ed)?)"
MONEY = (
    r"(?:refunds?|payments?|invoices?|transfers?|payouts?|reimbursements?|purchases?|purchase orders?|orders?|"
    r"credits?|discounts?|withdrawals?|expenses?|wires?|loans?|claims?)"
)
APPROVED = r"(?:(?:pre|auto)[- ]?)?(?:approved|authori[sz]ed|cleared|signed off)"
_STANDING = (
    r"(?:always|from now on|from this (?:point|moment) on|going forward|henceforth|in (?:all )?future|every time|"
    r"permanently|automatically|by default|until further notice|without exception|starting (?:now|today))"
)
_CHECK = (
    r"(?:approvals?|reviews?|check(?:s|ing)?|verification|confirmation|authori[sz]ations?|(?:counter-?)?signatures?|sign[- ]?offs?|"
    r"permission|consent|oversight|second look|second pair of eyes)"
)
_MORE = (
    r"(?:(?:any|further|prior|a|an|the|extra|additional|separate|manual|human|formal|second|more|usual|normal|"
    r"[a-z]+['’]s) )*"
)
_WITHOUT = (
    rf"(?:without {_MORE}(?:{_CHECK}|verifying|asking)|"
    rf"(?:needs?|needing|requires?|requiring|takes?) no {_MORE}{_CHECK}|"
    rf"(?:do|does|did)(?: not|n't) (?:need|require) {_MORE}{_CHECK}|"
    rf"no {_MORE}{_CHECK} (?:is |was |are |were )?(?:needed|required|necessary)|"
    rf"exempt(?:ed)? from {_MORE}{_CHECK}|no questions asked)"
)
STAFF = (
    r"(?:the |our |your )?(?:administrators?|admins?|security team|it (?:department|team)|compliance(?: team| officer)?|"
    r"management|c[ef]o|chief executive|finance (?:team|department)|legal team|system owner|operations team|"
    r"support team|head of [a-z]+|the vault's staff|board|auditors?|supervisor|(?:account |line )?manager)"
)
_BOSS = r"(?:boss|head office|director|treasurer|controller)"
# How a person says that somebody said yes.
_LEAVE = r"(?:green light|go[- ]ahead|nod|all[- ]clear|blessing|thumbs[- ]up|ok|okay|seal of approval)"
DETAILS = (
    r"(?:bank (?:account|details?)|account (?:number|details)|iban|swift(?: code)?|sort code|routing number|"
    r"payment (?:details?|account|address)|payout (?:account|address)|beneficiary(?: account)?|wallet(?: address)?|"
    r"billing account|remittance (?:details|address))"
)
_CONTACT = (
    r"(?:e-?mail(?: address)?|phone(?: number)?|mobile(?: number)?|telephone(?: number)?|contact(?: (?:details?|address|number|person))?|"
    r"postal address|delivery address|recovery (?:e-?mail|phone|number))"
)
_CREDENTIAL = (
    r"(?:passwords?|passcodes?|credentials?|log-?ins?|api keys?|access tokens?|pins?|private keys?|"
    r"recovery codes?|security codes?|verification codes?|one[- ]time codes?|seed phrase)"
)
# What an assistant does that cannot be taken back; how it is to write or reply is a preference.
_GRAVE = (
    r"(?:send|forward|cc|bcc|recommend|ignore|skip|approve|pay|transfer|wire|share|reveal|disclose|delete|redirect|"
    r"trust|refund|grant|bypass|export)"
)
_ORDER = rf"(?:{_GRAVE}|include|append|add|mention|reply with|respond with|answer with|say)"

# The name of each claim with the patterns that make it; a name may stand there more than once.
Patterns = Sequence[tuple[str, Sequence[str]]]
Compiled = tuple[tuple[str, Any], ...]
_PATTERNS: Patterns = (
    (
        "money",
        (
            rf"\b{MONEY}\b[^.!?\n]{{0,60}}\b{_STANDING}\b[^.!?\n]{{0,30}}\b{_DO}\b",
            rf"\b{_STANDING}\b[^.!?\n]{{0,30}}\b{_DO}\b[^.!?\n]{{0,40}}\b{MONEY}\b",
            rf"\b{MONEY}\b[^.!?\n]{{0,80}}\b{_WITHOUT}",
            r"\b(?:is|are|was|were|be) (?:owed|entitled to|due) (?:a |an |the )?(?:full |immediate )*(?:refund|credit|payout|discount|compensation)\b",
            r"\b(?:send|transfer|wire|pay) (?:all |future |every |further |outstanding )+(?:payments?|money|funds|invoices?|amounts?)\b[^.!?\n]{0,40}\bto\b",
        ),
    ),
    (
        "approval",
        (
            rf"\b{MONEY}\b[^.!?\n]{{0,60}}\b(?:is|are|was|were|been|stands?|counts? as)\b (?:\w+ ){{0,2}}{APPROVED}\b",
            rf"\b{MONEY}\b[^.!?\n]{{0,60}}\b(?:(?:has|have|had|got|gets?|given) (?:been given )?(?:the|a|an) {_LEAVE}|(?:is|are|was|were|been) (?:green[- ]?lit|rubber[- ]stamped|waved through))\b",
            rf"\b(?:has|have|had|got|given) (?:the|a) {_LEAVE}\b[^.!?\n]{{0,20}}\b(?:for|to)\b[^.!?\n]{{0,30}}\b(?:{MONEY}|pay|refund|transfer|wire)\b",
            r"\b(?:pre|auto)[- ]?(?:approved|authori[sz]ed)\b[^.!?\n]{0,40}\b(?:for|to|up to)\b",
            rf"\b{_WITHOUT}[^.!?\n]{{0,40}}\b(?:from now on|always|for|of|on) (?:\w+ ){{0,3}}{MONEY}\b",
            r"\b(?:skip|bypass|waive|disable|ignore) (?:the |all |any |every )*(?:approval|verification|review|second signature|limit|dual control)s?\b",
            rf"\b{MONEY}\b[^.!?\n]{{0,40}}\b(?:skip|bypass|waive|ignore)(?:s|es|d|ped|ed)? (?:the |all |any |every |usual |normal )*(?:approval|verification|review|second signature|limit|dual control|queue of approver)s?\b",
        ),
    ),
    (
        "permission",
        (
            r"\b(?:has|have|had|was|were|is|are|been) (?:been )?(?:given|granted|assigned) (?:\w+ ){0,3}(?:permission|access|(?:admin(?:istrator)?|full|write|root|owner|signing) rights?|privileges?|clearance)\b",
            r"\b(?:is|are|has been|have been) (?:now |hereby |fully )*(?:allowed|permitted|authori[sz]ed|cleared|entitled) to (?:see|read|view|access|change|edit|delete|export|act|sign|approve|pay|order|receive|use|override)\b",
            r"\b(?:has|have|with) (?:full |unrestricted |root |admin(?:istrator)? )+(?:access|rights?|privileges?|permissions?)\b",
        ),
    ),
    (
        "payment_details",
        (
            rf"\b(?:new|changed|updated|correct|different)\b (?:\w+ ){{0,2}}{DETAILS}\b",
            rf"\b{DETAILS}\b[^.!?\n]{{0,60}}\b(?:has|have|was|were|is|are)(?: been| now)? (?:changed|updated|replaced|moved|switched|now)\b",
            rf"\b{DETAILS}\b (?:for|of) [^.!?\n]{{1,60}} is (?:now\b|changed\b|the (?:one|following|new)\b|[^.!?\n]{{0,40}}\d)",
            rf"\b(?:pay|send|transfer|wire|remit)\b[^.!?\n]{{0,50}}\bto (?:the |this |our |their |a |his |her )?(?:\w+ ){{0,2}}{DETAILS}\b",
            rf"\b(?:change|update|replace|set|switch)\b (?:\w+ ){{0,4}}{DETAILS}\b[^.!?\n]{{0,60}}\bto\b",
        ),
    ),
    (
        "contact_change",
        (
            rf"\b(?:new|changed|updated) {_CONTACT}\b[^.!?\n]{{0,60}}\b(?:is|are|:)",
            rf"\b{_CONTACT}\b[^.!?\n]{{0,40}}\b(?:has|have|was|were)(?: been)? (?:changed|updated|replaced)\b[^.!?\n]{{0,20}}\bto\b",
            rf"\b(?:change|update|replace|set)\b (?:\w+ ){{0,4}}{_CONTACT}\b[^.!?\n]{{0,60}}\bto\b",
            rf"\b(?:use|send|reach|contact|call)\b[^.!?\n]{{0,60}}\b(?:instead of|rather than)\b (?:\w+ ){{0,3}}{_CONTACT}\b",
        ),
    ),
    (
        "credentials",
        (
            rf"\b{_CREDENTIAL}\b (?:for|of|to) [^.!?\n]{{1,60}} (?:is|are)\b",
            rf"\b(?:send|give|tell|share|forward|e-?mail|hand|read out|reveal|disclose)\b (?:\w+ ){{0,4}}{_CREDENTIAL}\b[^.!?\n]{{0,40}}\b(?:to|with)\b",
            rf"\b(?:reset|change|remove|disable)\b (?:\w+ ){{0,4}}(?:{_CREDENTIAL}|two[- ]factor|second factor|2fa|mfa)\b[^.!?\n]{{0,40}}\b(?:to|for|without)\b",
        ),
    ),
    (
        "standing_order",
        (
            rf"(?:^|[.!?:;,\n]\s*)(?:please )?{_STANDING},? (?:please )?(?:you (?:must|should|will|are to) )?{_GRAVE}\b",
            rf"(?:^|[.!?:;\n]\s*)(?:please )?{_ORDER}\b[^.!?\n]{{0,60}}\b(?:from now on|going forward|henceforth|until further notice|in all future|in every (?:reply|answer|response|conversation))\b",
            rf"\bwhenever\b[^.!?\n]{{1,60}}, (?:always |please |you (?:must|should) )*{_GRAVE}\b",
        ),
    ),
    (
        "speaks_for_staff",
        (
            rf"\b{STAFF}\b (?:has |have |had |just )*(?:approved|authori[sz]ed|confirmed|instructed|ordered|decided|agreed|signed off|cleared|waived|granted|allowed)\b",
            rf"\b(?:approved|authori[sz]ed|instructed|signed off|cleared|ordered) by {STAFF}\b",
            rf"\b(?:on behalf of|in the name of|speaking for|acting for) {STAFF}\b",
            rf"\b(?:i am|i'm|this is) {STAFF}\b",
            rf"\b(?:{STAFF}|{_BOSS})\b (?:has |have |had |just |already )*(?:gave|gives?|given)\b[^.!?\n]{{0,40}}\b(?:the|its|his|her|their|an?) {_LEAVE}\b[^.!?\n]{{0,20}}\b(?:for|to|on)\b[^.!?\n]{{0,30}}\b(?:{MONEY}|pay|refund|transfer|wire)\b",
            rf"\b{_BOSS}\b (?:has |have |had |just |already )*(?:approved|authori[sz]ed|signed off|waived|cleared)\b[^.!?\n]{{0,40}}\b{MONEY}\b",
        ),
    ),
)


def compiled(patterns: Patterns) -> Compiled:
    """One expression a claim, whatever case its words are in."""
    return tuple(
        (claim, re2.compile("(?i)" + "|".join(f"(?:{pattern})" for pattern in each)))
        for claim, each in patterns
    )


def named_in(text: str, claims: Compiled) -> frozenset[str]:
    """The claims that a text meets. Linear in the text."""
    return frozenset(claim for claim, pattern in claims if pattern.search(text))


_COMPILED = compiled(_PATTERNS)


# What is said about somebody's own leave, or about a credential, has the form of a claim and is none.
_NONE_AFTER_ALL = {
    "speaks_for_staff": re2.compile(
        r"(?i)\bmy (?:\w+ )?(?:holidays?|leave|vacation|time off|days? off|absence|sabbatical|home office|course|training)\b"
    ),
    "credentials": re2.compile(
        r"(?i)\b(?:is|are) (?:too|below|above|at (?:least|most)|longer|shorter|required|needed|wrong|weak|strong|expired|optional|stored|hashed)\b"
    ),
}
_MONEY = re2.compile(rf"(?i)\b{MONEY}\b")


def claims_of(text: str) -> frozenset[str]:
    """The names of the claims that a text makes, by the structure of its clauses. Linear in the text."""
    found = named_in(text, _COMPILED)
    none = {claim for claim in found & _NONE_AFTER_ALL.keys() if _NONE_AFTER_ALL[claim].search(text)}
    return found if not none or _MONEY.search(text) else found - none
