from __future__ import annotations

import pytest
from django.db import transaction

from audit.models import AuditEntry
from tests.drafts import make_agent_scope, make_draft
from tests.factories import make_memory, make_scope, make_subject, staff_scope
from tests.lifecycle.rolling_back.writers import (
    by,
    make_agent,
    now_of,
    preview,
    rewrite,
    rolled_back,
    written_by,
)
from tests.lifecycle.test_races import at_once
from vault.errors import (
    AlreadyDecided,
    InvalidField,
    InvalidTransition,
    NotFound,
    ScopeMissing,
    StaleVersion,
)
from vault.lifecycle.conflicts import decide_conflict, list_conflicts, open_conflict
from vault.lifecycle.diff import Piece
from vault.models import Conflict, ConflictStatus, Memory, isolation
from vault.models.identifiers import new_id
from vault.types import Action, Trust, Verdict
from vault.writing.landing import Landing, land

from django.utils import timezone  # isort: skip

pytestmark = pytest.mark.django_db(transaction=True)
KEPT, REPLACED, BOTH = ConflictStatus.KEPT, ConflictStatus.REPLACED, ConflictStatus.BOTH


def seen(query):
    with transaction.atomic():
        isolation.open_everything()
        return list(query)


@pytest.fixture
def pair():
    """A stated memory and an inferred one that contradicts it."""
    subject = make_subject("S1")
    standing = make_memory("The boat is red.", subject=subject, trust="stated")
    challenger = make_memory("The boat is blue.", subject=subject, trust="inferred")
    with transaction.atomic():
        isolation.open_everything()
        conflict = Conflict.objects.create(
            subject=subject, namespace_id=standing.row.namespace_id, standing=standing.row,
            challenger=challenger.row,
        )  # fmt: skip
        isolation.close()
    return conflict, standing, challenger


def decide(conflict, decision, *, standing=1, challenger=1, scope=None):
    return decide_conflict(
        conflict_id=conflict.pk, decision=decision, standing_version=standing, challenger_version=challenger,
        reason="wrong_content", scope=scope or staff_scope(),
    )  # fmt: skip


def test_a_less_trusted_contradiction_waits_in_the_list():
    scope = make_agent_scope()
    for text, trust in (("Her shoe size is 38.", Trust.STATED), ("Her shoe size is 39.", Trust.INFERRED)):
        with transaction.atomic():
            draft = make_draft(text, attribute="shoe_size")
            landing = Landing(draft, (), None, trust, scope.namespaces[0])
            land(landing, verdict=Verdict(Action.ALLOW), scope=scope, now=timezone.now())

    page = list_conflicts(scope=staff_scope())

    assert page.total == 1
    assert (page.rows[0].standing.trust, page.rows[0].challenger.trust) == ("stated", "inferred")


def test_both_sides_are_opened_with_what_differs(pair):
    conflict, *_ = pair

    opened = open_conflict(conflict_id=conflict.pk, scope=staff_scope())

    assert opened.standing.content.text == "The boat is red."
    assert opened.challenger.content.text == "The boat is blue."
    assert [piece for piece in opened.changes if piece.change != "same"] == [
        Piece("removed", "red"),
        Piece("added", "blue"),
    ]


def test_looking_at_both_is_two_entries(pair):
    conflict, standing, challenger = pair
    open_conflict(conflict_id=conflict.pk, scope=staff_scope())

    read = AuditEntry.objects.filter(action="memory.read").values_list("target_id", flat=True)
    assert set(read) == {str(standing.row.pk), str(challenger.row.pk)}


def test_kept_the_challenger_gives_way(pair):
    conflict, standing, challenger = pair

    decide(conflict, KEPT)

    (loser,) = seen(Memory.objects.filter(pk=challenger.row.pk))
    assert (loser.status, loser.superseded_by_id) == ("superseded", standing.row.pk)
    assert now_of(standing)[0] == "active"


def test_kept_when_neither_is_right_any_more_the_challenger_is_hidden(pair):
    conflict, standing, challenger = pair
    rewrite(standing, author="staff:7", status="forgotten")

    decide(conflict, KEPT, standing=2)

    assert now_of(challenger)[0] == "forgotten"


def test_replaced_the_standing_one_gives_way_and_no_trust_rises(pair):
    conflict, standing, challenger = pair

    decide(conflict, REPLACED)

    (loser,) = seen(Memory.objects.filter(pk=standing.row.pk))
    (winner,) = seen(Memory.objects.filter(pk=challenger.row.pk))
    assert (loser.status, loser.superseded_by_id) == ("superseded", winner.pk)
    assert (winner.status, winner.trust, winner.version) == ("active", "inferred", 1)


def test_a_challenger_that_is_hidden_replaces_nothing(pair):
    conflict, standing, challenger = pair
    rewrite(challenger, author="staff:7", status="forgotten")

    with pytest.raises(InvalidTransition):
        decide(conflict, REPLACED, challenger=2)
    assert now_of(standing)[0] == "active"


def test_both_may_stand(pair):
    conflict, standing, challenger = pair

    decide(conflict, BOTH)

    assert (now_of(standing)[0], now_of(challenger)[0]) == ("active", "active")
    assert list_conflicts(scope=staff_scope()).total == 0


def test_a_decision_is_an_entry_with_its_reason(pair):
    conflict, *_ = pair
    scope = staff_scope()
    decided = decide(conflict, BOTH, scope=scope)

    entry = AuditEntry.objects.get(action="conflict.decided")
    assert (entry.reason, entry.facts["decision"], entry.actor_id) == (
        "wrong_content",
        "both",
        scope.actor.id,
    )
    assert (decided.decided_by, decided.reason_code) == (scope.author, "wrong_content")


@pytest.mark.parametrize("side", ["standing", "challenger"])
def test_what_has_changed_since_it_was_read_is_not_decided_on(side, pair):
    conflict, *sides = pair
    rewrite(sides[side == "challenger"], author="agent:x", text="The boat is green.")

    with pytest.raises(StaleVersion):
        decide(conflict, KEPT)
    assert AuditEntry.objects.get(action="conflict.decided").outcome == "refused"


def test_of_two_people_at_once_the_second_is_told(pair):
    conflict, *_ = pair
    one, other = staff_scope(), staff_scope()

    answers = at_once(
        lambda: decide(conflict, BOTH, scope=one),
        lambda: decide(conflict, BOTH, scope=other),
    )

    assert [isinstance(answer, AlreadyDecided) for answer in answers].count(True) == 1


def test_a_conflict_with_a_side_that_is_not_served_waits_behind_the_others(pair):
    conflict, standing, _ = pair
    rewrite(standing, author="staff:7", status="forgotten")
    subject = make_subject("S2")
    pair = [make_memory(text, subject=subject) for text in ("The car is red.", "The car is blue.")]
    with transaction.atomic():
        isolation.open_everything()
        later = Conflict.objects.create(
            subject=subject,
            namespace_id=pair[0].row.namespace_id,
            standing=pair[0].row,
            challenger=pair[1].row,
        )
        isolation.close()

    assert [row.pk for row in list_conflicts(scope=staff_scope()).rows] == [later.pk, conflict.pk]


def test_a_rollback_s_conflict_shows_the_version_to_go_back_to():
    bot = make_agent("mail-bot")
    memory = make_memory("The boat is red.")
    rewrite(memory, author=by(bot), text="The boat is blue.")
    rewrite(memory, author="staff:7", text="The boat is green.")
    rolled_back(agent_id=bot)
    (row,) = list_conflicts(scope=staff_scope()).rows

    opened = open_conflict(conflict_id=row.pk, scope=staff_scope())

    assert (opened.standing.content.text, opened.challenger) == ("The boat is green.", None)
    assert opened.earlier.content.text == "The boat is red."


def contested(*, created: bool):
    """A memory that an agent poisoned, and staff wrote to since, after a rollback."""
    bot = make_agent("mail-bot")
    memory = written_by(bot if created else None, "The boat is red.")
    if not created:
        rewrite(memory, author=by(bot), text="The boat is blue.")
    rewrite(memory, author="staff:7", text="The boat is green.")
    rolled_back(agent_id=bot)
    return memory, list_conflicts(scope=staff_scope()).rows[0], bot


def test_of_a_rollback_the_later_write_may_be_kept():
    memory, conflict, bot = contested(created=True)

    decide(conflict, KEPT, standing=2, challenger=2)

    assert now_of(memory) == ("active", "The boat is green.")
    assert preview(agent_id=bot).changes == ()


def test_of_a_rollback_a_person_may_go_back_all_the_same():
    memory, conflict, _ = contested(created=False)

    decide(conflict, REPLACED, standing=3, challenger=3)

    assert now_of(memory) == ("active", "The boat is red.")


def test_of_a_rollback_what_was_created_is_hidden_and_what_gave_way_served_again():
    bot = make_agent("mail-bot")
    subject = make_subject()
    memory = written_by(bot, "The boat is blue.", subject=subject)
    old = make_memory(
        "The boat is red.", subject=subject, status="superseded", superseded_by_id=memory.row.pk
    )
    rewrite(memory, author="staff:7", text="The boat is green.")
    rolled_back(agent_id=bot)
    (conflict,) = list_conflicts(scope=staff_scope()).rows

    decide(conflict, REPLACED, standing=2, challenger=2)

    assert (now_of(memory)[0], now_of(old)[0]) == ("forgotten", "active")


def test_of_one_memory_both_cannot_stand():
    _, conflict, _ = contested(created=True)

    with pytest.raises(InvalidField):
        decide(conflict, BOTH, standing=2, challenger=2)


def test_an_open_conflict_is_no_decision(pair):
    conflict, *_ = pair

    with pytest.raises(InvalidField):
        decide(conflict, ConflictStatus.OPEN)


def test_agents_neither_see_nor_decide_a_conflict(pair):
    conflict, *_ = pair

    for ask in (
        lambda: list_conflicts(scope=make_scope()),
        lambda: open_conflict(conflict_id=conflict.pk, scope=make_scope()),
        lambda: decide(conflict, KEPT, scope=make_scope()),
    ):
        with pytest.raises(ScopeMissing):
            ask()


def test_what_is_not_there_is_not_found():
    with pytest.raises(NotFound):
        open_conflict(conflict_id=new_id(), scope=staff_scope())
