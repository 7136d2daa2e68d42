"""A whole that was changed since it was made says what none of its originals says, and is never lost with one."""

from __future__ import annotations

from datetime import timedelta
from itertools import product

import pytest
from django.utils import timezone

from audit.models import AuditEntry
from tests.factories import make_memory, make_scope, make_subject, staff_scope
from tests.lifecycle.rolling_back.writers import by, make_agent, rewrite, rolled_back, written_by
from tests.lifecycle.test_erasure import approved, counts_of
from tests.lifecycle.upkeep.stored import row_of, versions_of
from vault.errors import InvalidTransition, NotFound
from vault.lifecycle.erasure_run import execute_erasure
from vault.lifecycle.forget import forget_memory, restore_memory
from vault.lifecycle.forget_matching import ForgetFilter, forget_matching
from vault.lifecycle.holds import place_hold
from vault.lifecycle.integrity import verify_memories
from vault.lifecycle.upkeep.consolidation import consolidate_now, undo_consolidation
from vault.lifecycle.upkeep.destruction import destroy_due
from vault.models import Conflict, Job, Memory
from vault.retrieval.read import get_memory
from vault.retrieval.search import SearchQuery, search
from vault.types import SourceType, Status
from vault.writing.change import PARTS_STAND, change_memory
from vault.writing.withdrawal import WITH_PART

pytestmark = pytest.mark.django_db

LOCKER = "Ilse's pool locker number is 4417"
TUESDAYS = "Ilse swims on Tuesdays at the pool"
THURSDAYS = "Ilse's pool locker number is 4417. Ilse swims on Thursdays at the pool since the new timetable."
ACTIVE, ARCHIVED, FORGOTTEN = Status.ACTIVE, Status.ARCHIVED, Status.FORGOTTEN


def part(text: str, ref: str) -> Memory:
    content = {"source_ref": ref}
    return make_memory(text, subject="S1", embedded=True, source_type="user", content=content).row


@pytest.fixture
def parts() -> list[Memory]:
    return [part(LOCKER, "mail-1"), part(TUESDAYS, "mail-2")]


@pytest.fixture
def unchanged(parts) -> Memory:
    (made,) = consolidate_now(subject_id=parts[0].subject_id, scope=staff_scope()).made
    return row_of(made)


@pytest.fixture
def whole(unchanged) -> Memory:
    change(unchanged, text=THURSDAYS)
    return row_of(unchanged.pk)


def change(memory: Memory, **changes: object) -> Memory:
    return change_memory(
        memory_id=memory.pk, changes=changes, expected_version=row_of(memory.pk).version, reason="corrected",
        scope=make_scope(),
    ).memory.row  # fmt: skip


def forget(memory: Memory) -> None:
    version = row_of(memory.pk).version
    forget_memory(memory_id=memory.pk, expected_version=version, reason="wrong", scope=make_scope())


def restore(memory: Memory) -> None:
    version = row_of(memory.pk).version
    restore_memory(memory_id=memory.pk, expected_version=version, reason="mistake", scope=make_scope())


def forget_from(**source: object):
    return forget_matching(subject="S1", where=ForgetFilter(**source), reason="wrong", scope=make_scope())


def states(*rows: Memory) -> list[str]:
    return [row_of(row.pk).status for row in rows]


def found() -> set[str]:
    hits = search(query=SearchQuery("S1", "When does Ilse swim?", k=50), scope=make_scope()).results
    return {hit.memory.content.text for hit in hits}


def test_forgetting_by_the_source_of_an_original_forgets_it_and_names_it(whole, parts):
    done = forget_from(source_ref="mail-1")

    assert (done.memories, done.wholes) == ((parts[0].pk,), (whole.pk,))
    assert states(whole, *parts) == [FORGOTTEN, FORGOTTEN, ARCHIVED]
    assert versions_of(whole.pk)[-1].reason_code == WITH_PART


def test_neither_its_words_nor_the_outdated_ones_are_in_reach_then(whole, parts):
    forget_from(source_ref="mail-1")

    assert found() == set()
    with pytest.raises(NotFound):
        get_memory(memory_id=whole.pk, scope=make_scope())


def test_the_log_says_on_account_of_which_original_it_was_forgotten(whole, parts):
    forget(parts[0])

    entry = AuditEntry.objects.get(action="memory.forgotten", target_id=str(whole.pk))
    assert (entry.reason, entry.facts["because"]) == (WITH_PART, str(parts[0].pk))


def test_it_can_be_restored_by_itself_and_says_what_it_said(whole, parts):
    forget_from(source_ref="mail-1")

    restore(whole)

    assert found() == {THURSDAYS}
    assert states(whole, *parts) == [ACTIVE, FORGOTTEN, ARCHIVED]


def test_it_comes_back_with_the_original_on_whose_account_it_went(whole, parts):
    forget(parts[0])

    restore(parts[0])

    assert found() == {THURSDAYS}
    assert states(whole, *parts) == [ACTIVE, ARCHIVED, ARCHIVED]


def test_restored_after_it_an_original_goes_back_into_the_archive(whole, parts):
    forget(parts[0])
    restore(whole)

    restore(parts[0])

    assert states(whole, *parts) == [ACTIVE, ARCHIVED, ARCHIVED]


@pytest.mark.parametrize("made", ["whole", "unchanged"])
@pytest.mark.parametrize("changes", [{"metadata": {"seen": 1}}, {"importance": 0.9}])
def test_new_metadata_of_an_original_withdraw_nothing(request, parts, made, changes):
    made = request.getfixturevalue(made)

    change(parts[0], **changes)

    assert states(made, *parts) == [ACTIVE, ARCHIVED, ARCHIVED]


def test_an_original_with_new_metadata_still_comes_back_when_an_unchanged_whole_goes(unchanged, parts):
    change(parts[1], metadata={"seen": 1})

    forget(parts[0])

    assert states(*parts) == [FORGOTTEN, ACTIVE]


def test_an_original_with_new_metadata_is_served_again_after_its_own_forgetting(unchanged, parts):
    change(parts[0], metadata={"seen": 1})
    forget(parts[0])

    restore(parts[0])

    assert found() == {LOCKER, TUESDAYS}


def test_new_words_of_an_original_forget_it_and_are_served(whole, parts):
    change(parts[0], text="Ilse's pool locker number is 5528")

    assert states(whole, *parts) == [FORGOTTEN, ACTIVE, ARCHIVED]
    restore(whole)
    assert states(whole, *parts) == [ACTIVE, ACTIVE, ARCHIVED]


def test_an_original_with_new_words_does_not_bring_it_back(whole, parts):
    change(parts[0], text="Ilse's pool locker number is 5528")
    forget(parts[0])

    restore(parts[0])

    assert states(whole, *parts) == [FORGOTTEN, ACTIVE, ARCHIVED]


def test_an_end_for_an_original_still_withdraws_an_unchanged_whole(unchanged, parts):
    change(parts[0], expires_at=timezone.now() + timedelta(days=9))

    assert states(unchanged, *parts) == [FORGOTTEN, ACTIVE, ACTIVE]


def test_forgetting_an_archived_original_brings_no_other_into_reach(whole, parts):
    forget(parts[1])

    assert states(whole, *parts) == [FORGOTTEN, ARCHIVED, FORGOTTEN]
    restore(parts[1])
    assert found() == {THURSDAYS}


def test_forgotten_itself_it_outlives_what_becomes_of_an_original(whole, parts):
    forget(whole)
    restore(parts[0])
    forget(parts[0])

    restore(whole)

    assert found() == {THURSDAYS}
    assert states(whole, *parts) == [ACTIVE, FORGOTTEN, ARCHIVED]


def test_restored_beside_an_original_that_stands_it_takes_its_place(whole, parts):
    forget(whole)
    restore(parts[1])

    restore(whole)

    assert states(whole, *parts) == [ACTIVE, ARCHIVED, ARCHIVED]


def test_all_that_a_user_said_forgotten_and_restored_is_what_it_was(whole, parts):
    done = forget_from(source_type=SourceType.USER)
    assert (done.wholes, states(whole, *parts)) == ((whole.pk,), [FORGOTTEN] * 3)

    for row in parts:
        restore(row)

    assert found() == {THURSDAYS}
    assert states(whole, *parts) == [ACTIVE, ARCHIVED, ARCHIVED]


def test_the_parts_of_an_unchanged_whole_come_back_with_all_that_it_said(unchanged, parts):
    done = forget_from(source_type=SourceType.USER)
    assert done.wholes == (unchanged.pk,)

    for row in parts:
        restore(row)

    assert found() == {LOCKER, TUESDAYS}


def test_of_an_unchanged_whole_the_answer_says_where_its_words_are(unchanged, parts):
    forget(parts[0])

    with pytest.raises(InvalidTransition) as refused:
        restore(unchanged)
    assert refused.value.detail == PARTS_STAND


def test_words_that_it_had_in_between_are_its_own_too(unchanged, parts):
    before = get_memory(memory_id=unchanged.pk, scope=make_scope()).content.text
    change(unchanged, text=THURSDAYS)
    change(unchanged, text=before)

    forget(parts[0])

    assert row_of(unchanged.pk).destroyed_at is None


def test_a_move_of_its_status_gives_it_no_words_of_its_own(unchanged, parts):
    forget(unchanged)
    restore(unchanged)

    forget(parts[0])

    assert row_of(unchanged.pk).destroyed_at is not None


def test_the_upkeep_neither_destroys_it_nor_puts_the_rest_together(whole, parts):
    forget(parts[0])

    assert destroy_due(now=timezone.now(), limit=10) == 0
    assert not Job.objects.filter(kind="consolidation").exists()


def test_under_a_hold_it_is_forgotten_the_same_way(whole, parts):
    place_hold(subject="S1", reason_code="litigation", scope=staff_scope())
    forget(parts[0])

    restore(parts[0])

    assert states(whole, *parts) == [ACTIVE, ARCHIVED, ARCHIVED]


def test_taken_apart_it_can_be_restored(whole, parts):
    undo_consolidation(
        memory_id=whole.pk, expected_version=row_of(whole.pk).version, reason="wrong", scope=staff_scope()
    )

    restore(whole)

    assert states(whole, *parts) == [ACTIVE, ARCHIVED, ARCHIVED]


def test_replaced_by_another_it_comes_back_as_replaced(whole, parts):
    newer = make_memory("Ilse swims no more", subject="S1", embedded=True).row
    rewrite(whole, author="staff:one", status=Status.SUPERSEDED.value, superseded_by=newer)
    forget(parts[0])
    assert states(whole) == [FORGOTTEN]

    restore(parts[0])

    assert states(whole, *parts) == [Status.SUPERSEDED, ARCHIVED, ARCHIVED]


def test_a_bulk_rollback_of_what_an_original_says_leaves_it_for_a_person_to_decide():
    agent = make_agent()
    rows = [written_by(agent, LOCKER, subject="S1", embedded=True).row, part(TUESDAYS, "mail-2")]
    (made,) = consolidate_now(subject_id=rows[0].subject_id, scope=staff_scope()).made
    change(row_of(made), text=THURSDAYS)

    rolled_back(agent_id=agent)

    assert Conflict.objects.filter(standing_id=made, to_version=0, status="open").exists()
    assert found() == {THURSDAYS}


def test_a_bulk_rollback_of_an_original_and_of_a_change_by_the_same_hand_serves_neither():
    agent = make_agent()
    rows = [written_by(agent, LOCKER, subject="S1", embedded=True).row, part(TUESDAYS, "mail-2")]
    (made,) = consolidate_now(subject_id=rows[0].subject_id, scope=staff_scope()).made
    rewrite(row_of(made), text="The pool locker of Ilse is 9999.", author=by(agent))

    rolled_back(agent_id=agent)

    assert found() == {TUESDAYS}


def test_an_erasure_leaves_nothing_of_it(whole, parts):
    subject = make_subject("S1")

    execute_erasure(approved("S1").pk)

    assert set(counts_of(subject).values()) == {0}


STEPS = {
    "forget A": lambda w, a, b: forget(a),
    "forget B": lambda w, a, b: forget(b),
    "forget W": lambda w, a, b: forget(w),
    "restore A": lambda w, a, b: restore(a),
    "restore B": lambda w, a, b: restore(b),
    "restore W": lambda w, a, b: restore(w),
    "label A": lambda w, a, b: change(a, metadata={"seen": 1}),
}


@pytest.mark.parametrize("steps", list(product(STEPS, repeat=2)), ids=" then ".join)
def test_whatever_is_forgotten_and_restored_it_can_be_had_again_and_alone(whole, parts, steps):
    for step in steps:
        try:
            STEPS[step](whole, *parts)
        except (InvalidTransition, NotFound):
            continue
        served = states(whole, *parts)
        assert served[0] != ACTIVE or ACTIVE not in served[1:]

    if states(whole) == [FORGOTTEN]:
        restore(whole)

    assert found() == {THURSDAYS}
    assert [checked.memories for checked in verify_memories()] == [3]
