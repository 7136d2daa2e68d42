"""The detectors of the vault: each reads the fields of a screening and answers with findings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.conf import settings

from vault.embedding import embed
from vault.screening.credentials import find_credentials, find_named
from vault.screening.credentials.scan import Hit
from vault.screening.detection import Screening, is_prose
from vault.screening.engine import Detectors
from vault.screening.fields import SUBJECT, is_key, joined, label_of
from vault.screening.form import find_forms
from vault.screening.injection import assess, decide
from vault.screening.instructions import injection_detector
from vault.screening.languages import identifier
from vault.screening.normalise import Normalised
from vault.screening.personal_data import find_personal_data
from vault.screening.personal_data.entities import model
from vault.screening.personal_data.identifiers import patterns
from vault.screening.sensitive import find_sensitive, load_examples
from vault.types import Action, Category, Finding

# Shorter fields hold no credential of any kind that is looked for.
MIN_CREDENTIAL = 4


def find_secrets(screening: Screening) -> Sequence[Finding]:
    """Credentials in the fields as written, and in what they give when read one after another."""
    found: list[Finding] = []
    for pointer, text in screening.fields.items():
        if len(text) < MIN_CREDENTIAL:
            continue
        screening.check_time()
        hits = find_credentials(text, label=label_of(pointer))
        found += [_secret(screening, pointer, hit) for hit in hits]
    if len(screening.fields) > 1:
        found += _split_secrets(screening)
    return found


def _split_secrets(screening: Screening) -> Iterator[Finding]:
    whole = joined(screening.fields)
    for hit in find_named(whole.text):
        pieces = whole.pieces(hit.start, hit.end)
        if len(pieces) > 1:
            for pointer, start, end in pieces:
                yield _secret(
                    screening, pointer, Hit(hit.type, start, end, hit.score, hit.detector + "-split")
                )


def find_hidden_secrets(screening: Screening) -> Sequence[Finding]:
    """Credentials that appear only once a field is folded or decoded; the carrier is the whole field."""
    found: list[Finding] = []
    for pointer, form in screening.normalised.items():
        for variant in form.variants:
            screening.check_time()
            if variant.text != form.original:
                hits = find_credentials(variant.text, label=label_of(pointer))
                places = {_place(form, variant.carrier, hit) for hit in hits}
                found += [_secret(screening, pointer, place) for place in places]
    return found


def _place(form: Normalised, carrier: str, hit: Hit) -> Hit:
    start, end = (0, len(form.original)) if carrier else form.span(hit.start, hit.end)
    return Hit(hit.type, start, end, hit.score, f"{hit.detector}-{carrier or 'folded'}")


def _secret(screening: Screening, pointer: str, hit: Hit) -> Finding:
    action = screening.policy.action_for(Category.SECRET, hit.type)
    if pointer == SUBJECT or (is_key(pointer) and action is Action.REDACT):
        # The subject names whose memory this is: it cannot be rewritten, so it cannot be masked.
        action = Action.REFUSE
    return Finding(Category.SECRET, hit.type, hit.start, hit.end, hit.score, action, pointer, hit.detector)


def find_personal(screening: Screening) -> Sequence[Finding]:
    found: list[Finding] = []
    for pointer, form in screening.normalised.items():
        if pointer == SUBJECT:
            continue
        hits = find_personal_data(
            form.folded,
            label=label_of(pointer),
            is_prose=is_prose(pointer, form.folded),
            words=screening.policy.context,
            languages=screening.policy.languages,
            check_time=screening.check_time,
        )
        found += _personal_findings(screening, pointer, form, hits)
    return found


def _personal_findings(
    screening: Screening, pointer: str, form: Normalised, hits: Sequence[Hit]
) -> Iterator[Finding]:
    policy = screening.policy
    for hit in hits:
        if hit.score < policy.threshold_for(hit.type):
            continue
        start, end = form.span(hit.start, hit.end)
        action = policy.action_for(Category.PII, hit.type, score=hit.score)
        yield Finding(Category.PII, hit.type, start, end, hit.score, action, pointer, hit.detector)


def find_sensitive_statements(screening: Screening) -> Sequence[Finding]:
    found: list[Finding] = []
    for pointer, form in screening.normalised.items():
        if pointer == SUBJECT or is_key(pointer):
            continue
        screening.check_time()
        embed_text = screening.embed if is_prose(pointer, form.folded) else None
        for hit in find_sensitive(form.folded, embed=embed_text):
            start, end = form.span(hit.start, hit.end)
            action = screening.policy.action_for(Category.SENSITIVE, hit.category)
            place = (start, end, hit.score, action, pointer, hit.detector)
            found.append(Finding(Category.SENSITIVE, hit.category, *place))
    return found


def warm_up() -> None:
    """Load what the detectors load on first use, so that no screening pays for it in its budget."""
    for language in settings.SCREENING_MODELS:
        model(language)
    identifier()
    patterns()
    load_examples(embed)


DEFAULT = Detectors(
    secrets=find_secrets,
    hidden_secrets=find_hidden_secrets,
    injection=injection_detector(assess, decide),
    personal_data=find_personal,
    sensitive=find_sensitive_statements,
    form=find_forms,
)
