"""Claims of high impact whose words stand apart: in sentences, lines, cells or fields that follow each other.

"Refunds over 5,000 euros. Approved." says what "Refunds over 5,000 euros are approved" says. Three readings, each over
neighbours only: the words of claims in other languages (`impact_words`) over a few clauses at once; the English
patterns (`impact`) as if no stop stood between; and a matter of money, access or control in one piece with its outcome
in another, short one. Linear in the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import re2

from vault.screening.injection.features import Segment
from vault.screening.injection.impact import APPROVED, DETAILS, MONEY, STAFF, claims_of
from vault.screening.injection.impact_words import claims_in_words

# So many words, at most, stand between the first and the last word of one claim: more are two matters.
WORDS_TOGETHER = 30
# What was settled is said in a short piece ("Approved by management"); a long one is a sentence of its own.
WORDS_OF_OUTCOME, WORDS_OF_MATTER = 5, 10
# Beside each other on a page they are no claim yet: the detector of credentials has its own labels.
_NOT_ACROSS_STOPS = frozenset({"credentials"})

_STOPS = re2.compile(r"""[.!?:;,|\n\t\r•。！？–—=>*#"()\[\]-]+\s*""")
_PIECE_END = re2.compile(r"[.!?:;|\n\t\r=>–—→。\"{}]+|, | - |/|\[x\]|\*\*")
_CHECK = (
    r"(?:(?:(?:identity|id|background|credit|fraud|security|age|approval|order|invoice) )?"
    r"(?:checks?|verification|control|review)|approvals?|second look|signature|dual control|two[- ]person rule|"
    r"due diligence|kyc|clearance|approval[_ ]required)"
)
_LIMIT = r"(?:(?:credit|spending|payout|payment|daily|transfer|expense) (?:limit|cap)|(?:limit|cap) (?:on|for) \w+)"
_MATTER = rf"(?:{MONEY}|{_LIMIT}|chargebacks?)"
_ACCESS = r"(?:access|permissions?|clearance|privileges?|role|(?:admin|root|full|user) rights?|rights of)"
_NOT_NEEDED = (
    r"(?:(?:not|no longer) (?:needed|required|necessary)|unnecessary|none|waived|exempt(?:ed)?|skip(?:ped)?|off|"
    r"suspended|disabled|bypass(?:ed)?|without|(?:does|do) not apply|done already|already (?:done|verified|checked)|"
    r"^(?:never|false|no)$)"
)
_YES = (
    r"^(?:(?:the answer is |consider it )?(?:yes|ok|okay|fine|signed off|settled)(?: to all.*| by default)?|good to go|"
    r"always|auto(?:matic(?:ally)?)?|lifted|removed|unlimited|permanent|accept (?:them|all).*|go(?:es)? through|"
    r"greenlit|✅|true)$"
)
_SETTLED = rf"(?:{APPROVED}|granted|waived|ok'?d|approval given|approval granted|green[- ]?lit|{_YES})"
_GRANTED = (
    r"(?:granted|given|unrestricted|allowed|unlimited|highest|all of them|^(?:full|admin(?:istrator)?|root)$)"
)
_DETAILS = rf"(?:{DETAILS}|payee(?:'s account)?|iban\w*|beneficiary)"
_CHANGED = (
    r"(?:new|changed|updated|replaced|switched|different|dead|void|moved to|see (?:letter|attachment|mail))"
)
_PAIRS = tuple(
    (claim, re2.compile(rf"(?i)\b{matter}\b"), re2.compile(rf"(?i)(?:\b|^){outcome}(?:\b|$)"))
    for claim, matter, outcome in (
        ("approval", _MATTER, _SETTLED),
        ("approval", _CHECK, _NOT_NEEDED),
        ("payment_details", _DETAILS, _CHANGED),
        ("permission", _ACCESS, _GRANTED),
        ("speaks_for_staff", STAFF, _SETTLED),
    )
)


def scattered_claims(text: str, parts: Sequence[Segment]) -> frozenset[str]:
    """The names of the claims that neighbouring pieces of a text make together. `parts` are its clauses."""
    pieces = [piece for each in _PIECE_END.split(text) if (piece := each.strip())]
    if len(pieces) < 2:
        return frozenset()
    unstopped = claims_of(_STOPS.sub(" ", text)) - _NOT_ACROSS_STOPS
    return unstopped | claims_in_words(list(_joined(parts))) | frozenset(_settled(text, pieces))


def _joined(parts: Sequence[Segment]) -> Iterator[Segment]:
    """Every stretch of several clauses that is short enough, as one."""
    for first, last in _stretches([len(part.words) for part in parts]):
        some = parts[first : last + 1]
        words = tuple(word for part in some for word in part.words)
        yield Segment(some[0].start, some[-1].end, words, tuple(mask for part in some for mask in part.masks))


def _stretches(counts: Sequence[int]) -> Iterator[tuple[int, int]]:
    """First and last place of the longest stretch of two or more from each place on within WORDS_TOGETHER."""
    last = together = 0
    for first, words in enumerate(counts):
        last, together = (first, words) if last < first else (last, together)
        while last + 1 < len(counts) and together + counts[last + 1] <= WORDS_TOGETHER:
            last += 1
            together += counts[last]
        if last > first:
            yield first, last
        together -= words


def _settled(text: str, pieces: Sequence[str]) -> Iterator[str]:
    """Claims of a matter in one piece and its outcome in another, near it."""
    counts = [len(piece.split()) for piece in pieces]
    stretches = list(_stretches(counts))
    for claim, matter, outcome in _PAIRS:
        if not matter.search(text):
            continue
        matters = [
            n <= WORDS_OF_MATTER and bool(matter.search(p)) for n, p in zip(counts, pieces, strict=True)
        ]
        outcomes = [
            n <= WORDS_OF_OUTCOME and bool(outcome.search(p)) for n, p in zip(counts, pieces, strict=True)
        ]
        if any(_meet(matters[a : b + 1], outcomes[a : b + 1]) for a, b in stretches):
            yield claim


def _meet(matters: Sequence[bool], outcomes: Sequence[bool]) -> bool:
    """Is there one of each, not both the same piece alone?"""
    if not (any(matters) and any(outcomes)):
        return False
    return sum(matters) > 1 or sum(outcomes) > 1 or matters.index(True) != outcomes.index(True)
