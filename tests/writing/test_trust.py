"""Trust that is derived, and the rule that less of it never wins over more."""

from __future__ import annotations

from itertools import product
from uuid import UUID

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from tests.drafts import make_agent_scope, make_draft
from tests.factories import make_memory, make_scope, staff_scope
from vault.errors import TrustTooLow
from vault.lifecycle.versions import roll_back
from vault.models import Conflict, Memory, isolation
from vault.types import Action, Category, Finding, Kind, Resolution, SourceType, Trust, Verdict
from vault.writing.change import change_memory
from vault.writing.landing import Landing, land
from vault.writing.reconcile import Neighbour, reconcile
from vault.writing.trust import derived_sensitivities, derived_trust, effective_trust, require_trust

# A busy machine is slow, not wrong.
LEVELS = st.sampled_from(list(Trust))
TEXTS = st.sampled_from(
    [
        "Her shoe size is 38.",
        "Her shoe size is 39.",
        "The lamp is red.",
        "The lamp is green.",
        "Kiosk closes at six.",
    ]
)


@st.composite
def neighbours(draw) -> list[Neighbour]:
    return [
        Neighbour(
            UUID(int=number), draw(TEXTS), draw(LEVELS), draw(st.sampled_from([0.0, 0.6, 0.9, 1.0])),
            same_statement=draw(st.booleans()), same_slot=draw(st.booleans()), named=draw(st.booleans()),
            other_slot=draw(st.booleans()), kind=draw(st.sampled_from(list(Kind))),
        )
        for number in range(1, draw(st.integers(0, 4)) + 1)
    ]  # fmt: skip


@given(TEXTS, LEVELS, neighbours())
def test_a_lower_trust_supersedes_nothing_of_a_higher_one(text, trust, around):
    decided = reconcile(text, trust, around)

    levels = {n.memory_id: n.trust for n in around}
    assert all(levels[memory].rank <= trust.rank for memory in decided.superseded)


@given(TEXTS, LEVELS, neighbours())
def test_a_lower_trust_takes_no_more_than_a_count_from_what_it_repeats(text, trust, around):
    decided = reconcile(text, trust, around)

    if decided.merged is not None:
        assert (decided.resolution, decided.superseded) == (Resolution.MERGE, ())


@given(TEXTS, LEVELS, neighbours())
def test_what_is_named_or_fills_the_same_slot_is_never_passed_over(text, trust, around):
    decided = reconcile(text, trust, around)

    if decided.merged is None:
        labelled = {n.memory_id for n in around if n.same_statement or n.same_slot or n.named}
        assert labelled <= {*decided.superseded, *decided.conflicts}


@given(st.lists(LEVELS, min_size=1))
def test_derived_trust_is_the_lowest_of_the_parents(parents):
    found = derived_trust(parents)

    assert found in parents
    assert all(found.rank <= parent.rank for parent in parents)


def test_nothing_is_derived_from_nothing():
    with pytest.raises(ValueError, match="empty"):
        derived_trust([])


def sensitive(kind: str) -> Finding:
    return Finding(Category.SENSITIVE, kind, 0, 4, 0.9, Action.ALLOW)


def test_derived_sensitivities_are_all_that_any_parent_has():
    name = Finding(Category.PII, "PERSON", 0, 4, 0.9, Action.ALLOW)
    parents = [(sensitive("health"), name), (), (sensitive("religion"), sensitive("health"))]

    assert derived_sensitivities(parents) == {"health", "religion"}


@given(st.sampled_from(list(SourceType)), st.none() | LEVELS, LEVELS)
def test_neither_source_nor_body_lifts_trust_over_the_ceiling(source, claimed, ceiling):
    found = effective_trust(source, claimed=claimed, ceiling=ceiling)

    assert found.rank <= ceiling.rank
    assert claimed is None or found.rank <= claimed.rank


@pytest.mark.parametrize(("standing", "ceiling"), list(product(Trust, Trust)))
def test_only_as_much_trust_as_it_has_may_replace_a_memory(standing, ceiling):
    try:
        require_trust(standing, ceiling=ceiling)
        refused = False
    except TrustTooLow:
        refused = True

    assert refused == (ceiling.rank < standing.rank)


LOWER = [(low, high) for low, high in product(Trust, Trust) if low.rank < high.rank]
WAYS = ("the same words", "the same slot", "by name")


def write_over(standing, *, way: str, trust: Trust):
    """Land a draft of another trust on a memory, without a vector, in one of the ways that labels give."""
    scope = make_agent_scope()
    draft = make_draft(
        standing.content.text if way == "the same words" else "Her shoe size is 39.",
        subject=standing.subject,
        attribute="shoe_size" if way == "the same slot" else "",
        supersedes=(standing.row.pk,) if way == "by name" else (),
        importance=1.0,
    )
    with transaction.atomic():
        landing = Landing(draft, (), None, trust, scope.namespaces[0])
        result = land(landing, verdict=Verdict(Action.ALLOW), scope=scope, now=timezone.now())
        isolation.open_everything()
        row = Memory.objects.get(pk=standing.row.pk)
        conflicts = Conflict.objects.filter(standing=row).count()
        isolation.close()
    return result, row, conflicts


@pytest.mark.django_db
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("low", "high"), LOWER)
def test_less_trust_leaves_what_is_believed_more_as_it_was(low, high, way):
    standing = make_memory(
        "Her shoe size is 38.", trust=high.value, importance=0.3, content={"attribute": "shoe_size"}
    )

    result, row, conflicts = write_over(standing, way=way, trust=low)

    assert (row.status, row.trust, row.version, row.importance) == ("active", high.value, 1, 0.3)
    assert result.superseded == ()
    assert conflicts == (0 if way == "the same words" else 1)


@pytest.mark.django_db
def test_less_trust_does_not_rewrite_a_memory_in_place():
    memory = make_memory("Her shoe size is 38.", trust="verified", importance=0.3)

    for changes in ({"text": "Her shoe size is 39."}, {"importance": 1.0}):
        with pytest.raises(TrustTooLow):
            change_memory(
                memory_id=memory.row.pk, changes=changes, expected_version=1, reason="correction",
                scope=make_scope(max_trust=Trust.STATED),
            )  # fmt: skip


@pytest.mark.django_db
def test_less_trust_does_not_roll_a_memory_back():
    memory = make_memory("Her shoe size is 38.", trust="untrusted")
    change_memory(
        memory_id=memory.row.pk, changes={"importance": 0.9}, expected_version=1, reason="correction",
        scope=staff_scope(),
    )  # fmt: skip
    with transaction.atomic():
        isolation.open_everything()
        Memory.objects.filter(pk=memory.row.pk).update(trust="verified")
        isolation.close()

    with pytest.raises(TrustTooLow):
        roll_back(
            memory_id=memory.row.pk, version=1, expected_version=2, reason="wrong",
            scope=make_scope(max_trust=Trust.STATED),
        )  # fmt: skip
