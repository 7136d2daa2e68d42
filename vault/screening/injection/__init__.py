"""The injection filter: orders to the assistant, claims of authority, and data on its way out.

Rules of structure name what they see; a small linear model over word classes and hashed n-grams scores
the rest, in the worst reading of the text. The model sorts the queue, it is no wall: who wrote a text
(trust) decides how much of a score it may have. Road not taken: a language model as judge, which can be
talked to by the text it judges.
"""

from __future__ import annotations

from dataclasses import dataclass

from vault.screening.injection.features import segments
from vault.screening.injection.hinted import hinted_claims
from vault.screening.injection.impact import claims_of
from vault.screening.injection.impact_words import claims_in_words
from vault.screening.injection.model import NOTHING, packaged_model
from vault.screening.injection.rules import RuleHit, claims, decisive, explain
from vault.screening.injection.scattered import scattered_claims
from vault.screening.limits import check_deadline
from vault.screening.normalise import Normalised
from vault.types import Action, SourceType, Trust, is_of_nobodys_word

__all__ = ["InjectionSignal", "RuleHit", "assess", "decide", "threshold"]

# Ways of hiding that no honest note needs; what they hide is beside the point.
NOT_READ = "not_read_to_the_end"
COVERT = frozenset({"tags", "variation_selectors", "bidi", "zero_width"})
# How sure the filter is of what a rule decides alone.
SURE = 0.99
# The least probability at which a text is set aside, and the least when it claims money, approval,
# permission, access or a standing order: what only staff may settle is looked at sooner. From
# cross-validation by source, see docs/screening-injection.md.
THRESHOLDS = {Trust.UNTRUSTED: 0.5, Trust.INFERRED: 0.55, Trust.STATED: 0.6, Trust.VERIFIED: 0.9}
CLAIM_THRESHOLDS = {Trust.UNTRUSTED: 0.3, Trust.INFERRED: 0.45, Trust.STATED: 0.5, Trust.VERIFIED: 0.9}


@dataclass(frozen=True, slots=True)
class InjectionSignal:
    """What the filter saw. `score` is a probability; `covert` are the suspicious ways of hiding.

    `high_impact` names the claims that lower the threshold, `claimed` those that ask for a person whatever the
    score is; the first holds the second. `suspected` are claims in looser words or whose words stand apart, which count
    from outside only.
    """

    score: float
    rules: tuple[RuleHit, ...]
    high_impact: tuple[str, ...]
    model_score: float
    decisive: bool = False
    covert: tuple[str, ...] = ()
    claimed: tuple[str, ...] = ()
    suspected: tuple[str, ...] = ()


def assess(normalised: Normalised, *, deadline: float | None = None) -> InjectionSignal:
    """Score every reading of a text; raises ScreeningTimeout past the deadline (monotonic seconds).

    Words alone: measured by source, the embedding made the model worse.
    """
    hits: list[RuleHit] = []
    sure: list[RuleHit] = []
    impact: set[str] = set()
    claimed: set[str] = set()
    suspected: set[str] = set()
    model, raw = packaged_model(), NOTHING
    for variant in normalised.variants:
        check_deadline(deadline)
        parts = segments(variant.text)
        sure += decisive(variant.text, variant.carrier)
        hits += explain(variant.text, parts, variant.carrier)
        impact |= claims(parts)
        claimed |= claims_of(variant.text) | claims_in_words(parts)
        suspected |= hinted_claims(variant.text) | scattered_claims(variant.text, parts)
        raw = max(raw, model.raw(variant.text, parts, deadline=deadline))
    model_score = model.probability(raw)
    return InjectionSignal(
        score=max(model_score, SURE if sure else 0.0),
        rules=tuple(_as_submitted(hit, normalised) for hit in (*sure, *hits)),
        high_impact=tuple(sorted(impact | claimed)),
        model_score=model_score,
        decisive=bool(sure),
        covert=_covert(normalised),
        claimed=tuple(sorted(claimed)),
        suspected=tuple(sorted(suspected - claimed)),
    )


def decide(signal: InjectionSignal, *, trust: Trust, source_type: SourceType) -> Action:
    """Quarantine or allow. What hides itself or carries data out waits for a person, whoever sent it."""
    if signal.decisive or signal.covert:
        return Action.QUARANTINE
    if signal.claimed and (trust is not Trust.VERIFIED or source_type is SourceType.EXTERNAL):
        # What only staff may settle waits for them, however harmless the words: the score is not asked.
        return Action.QUARANTINE
    if signal.suspected and is_of_nobodys_word(trust, source_type):
        # What a person or an agent notes of approvals and accounts is said in such words and pieces too.
        return Action.QUARANTINE
    limit = threshold(trust, source_type, claims_impact=bool(signal.high_impact))
    return Action.QUARANTINE if signal.score >= limit else Action.ALLOW


def threshold(trust: Trust, source_type: SourceType, *, claims_impact: bool = False) -> float:
    """The least score that is set aside; text from outside is untrusted whatever its label says."""
    table = CLAIM_THRESHOLDS if claims_impact else THRESHOLDS
    return table[Trust.UNTRUSTED if is_of_nobodys_word(trust, source_type) else trust]


def _covert(normalised: Normalised) -> tuple[str, ...]:
    """Suspicious ways of hiding; what lies beyond the budget is hidden too, as nobody has read it."""
    names = tuple(name for name in normalised.carriers if name in COVERT)
    return (*names, NOT_READ) if normalised.truncated else names


def _as_submitted(hit: RuleHit, normalised: Normalised) -> RuleHit:
    """The span in the submitted text; all of it when the reading was decoded."""
    if hit.carrier:
        return RuleHit(hit.rule, 0, len(normalised.original), hit.carrier)
    start, end = normalised.span(hit.start, hit.end)
    return RuleHit(hit.rule, start, end)
