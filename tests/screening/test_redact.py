from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.screening.drafts import draft
from vault.screening import redact, redact_text, screen
from vault.types import Action, Category, Finding, Trust

EMAIL = "zora.quill@example.com"


def found(
    start: int, end: int, kind: str = "EMAIL_ADDRESS", action: Action = Action.REDACT, score: float = 1.0
) -> Finding:
    return Finding(Category.PII, kind, start, end, score, action)


def test_overlapping_findings_are_masked_as_one() -> None:
    masked, _ = redact_text("call 0123456 now", [found(5, 10, "A", score=0.5), found(7, 12, "B", score=0.9)])

    assert masked == "call <B> now"


def test_what_is_only_labelled_stays() -> None:
    masked, findings = redact_text("Zora called", [found(0, 4, "PERSON", Action.ALLOW)])

    assert masked == "Zora called"
    assert findings == (found(0, 4, "PERSON", Action.ALLOW),)


def test_findings_are_anchored_to_the_masked_text() -> None:
    text = f"{EMAIL} is Zora"

    masked, findings = redact_text(
        text, [found(0, len(EMAIL)), found(len(EMAIL) + 4, len(text), "PERSON", Action.ALLOW)]
    )

    assert [masked[f.start : f.end] for f in findings] == ["<EMAIL_ADDRESS>", "Zora"]


def test_a_key_is_masked_and_the_findings_below_it_follow() -> None:
    memory = draft(metadata={EMAIL: {"note": f"wrote from {EMAIL}"}})
    verdict = screen(memory, trust=Trust.STATED, budget_seconds=20)

    masked, findings = redact(memory, verdict.findings)

    assert masked.metadata == {"<EMAIL_ADDRESS>": {"note": "wrote from <EMAIL_ADDRESS>"}}
    assert EMAIL not in repr(verdict) + repr(findings)
    assert "/metadata/<EMAIL_ADDRESS>/note" in {f.pointer for f in findings}


def test_the_subject_is_never_rewritten() -> None:
    memory = draft(subject=EMAIL)

    masked, _ = redact(memory, screen(memory, trust=Trust.STATED, budget_seconds=20).findings)

    assert masked.subject == EMAIL


@given(st.text(max_size=40), st.lists(st.tuples(st.integers(0, 40), st.integers(1, 10)), max_size=5))
def test_no_masked_character_is_left_and_all_others_are(text: str, places: list[tuple[int, int]]) -> None:
    findings = [found(min(a, len(text)), min(a + n, len(text))) for a, n in places if a < len(text)]
    hidden = {i for f in findings for i in range(f.start, f.end)}

    masked, anchored = redact_text(text, findings)

    assert masked.replace("<EMAIL_ADDRESS>", "") == "".join(
        c for i, c in enumerate(text) if i not in hidden
    ).replace("<EMAIL_ADDRESS>", "")
    assert all(0 <= f.start <= f.end <= len(masked) for f in anchored)
