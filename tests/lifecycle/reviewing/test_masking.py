from __future__ import annotations

import pytest

from vault.lifecycle.reviewing.masking import MASKED, masked_view
from vault.types import Action, Category, Finding, MemoryDraft, Source, SourceType

SECRET_WORD = "marzipan"


def draft(text: str, **fields) -> MemoryDraft:
    return MemoryDraft("S1", "default", text, Source(SourceType.USER), **fields)


@pytest.mark.parametrize("action", Action)
@pytest.mark.parametrize("category", sorted(MASKED))
@pytest.mark.parametrize(
    ("before", "after"), [("", ""), ("She likes ", ""), ("", " it is."), ("👍 ", " 谢谢")]
)
def test_a_found_value_is_never_left_whatever_the_policy_said(before, after, category, action):
    start = len(before)
    finding = Finding(category, "THING", start, start + len(SECRET_WORD), 0.9, action)

    masked, _ = masked_view(draft(before + SECRET_WORD + after), [finding])

    assert masked.text == f"{before}<THING>{after}"


def test_a_value_under_a_key_that_tells_something_is_masked_in_its_place():
    key = Finding(Category.PII, "PERSON", 0, 4, 0.9, Action.QUARANTINE, pointer="/metadata/~key~0")
    value = Finding(Category.PII, "PHONE", 0, 8, 0.9, Action.QUARANTINE, pointer="/metadata/~value~0")

    masked, _ = masked_view(draft("x", metadata={"Ilse": "555-0100"}), [key, value])

    assert masked.metadata == {"<PERSON>": "<PHONE>"}


def test_an_instruction_is_left_to_be_read():
    rule = Finding(Category.INJECTION, "override", 0, 8, 0.9, Action.QUARANTINE)

    assert masked_view(draft(SECRET_WORD), [rule])[0].text == SECRET_WORD


def test_what_the_policy_decided_on_a_finding_is_said_as_it_was():
    findings = [
        Finding(Category.PII, "PHONE", 0, 3, 0.9, Action.QUARANTINE, pointer="/metadata/b"),
        Finding(Category.PII, "PERSON", 0, 4, 0.9, Action.ALLOW),
        Finding(Category.SENSITIVE, "health", 0, 3, 0.9, Action.REFUSE, pointer="/metadata/b"),
    ]

    _, moved = masked_view(draft("Ilse called.", metadata={"b": "555"}), findings)

    assert {(finding.type, finding.action) for finding in moved} == {
        ("PHONE", Action.QUARANTINE),
        ("PERSON", Action.ALLOW),
        ("health", Action.REFUSE),
    }
