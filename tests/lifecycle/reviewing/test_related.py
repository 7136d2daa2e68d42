from __future__ import annotations

import pytest

from tests.factories import make_quarantined_write, make_scope, make_subject, staff_scope
from tests.lifecycle.reviewing.desk import RULE, row, verdict_of
from vault.errors import ScopeMissing
from vault.lifecycle.reviewing.related import SHOWN, related_writes

pytestmark = pytest.mark.django_db


def around(write):
    return related_writes(row=row(write), scope=staff_scope())


def ids(group) -> list[object]:
    return [each.pk for each in group.rows]


def test_what_else_waits_of_the_agent_and_of_the_subject_is_counted_apart():
    agent, subject = make_scope().agent_id, make_subject()
    write = make_quarantined_write(agent_id=agent, subject=subject)
    of_agent, of_subject = make_quarantined_write(agent_id=agent), make_quarantined_write(subject=subject)
    make_quarantined_write()

    found = around(write)

    assert (ids(found.of_agent), ids(found.of_subject)) == ([of_agent.pk], [of_subject.pk])


def test_a_long_list_is_cut_and_says_how_much_is_left():
    agent = make_scope().agent_id
    writes = [make_quarantined_write(agent_id=agent) for _ in range(SHOWN + 3)]

    group = around(writes[0]).of_agent

    assert (len(group.rows), group.more) == (SHOWN, 2)


def test_earlier_decisions_are_of_the_same_agent_and_alike():
    agent = make_scope().agent_id
    write = make_quarantined_write(agent_id=agent, verdict=verdict_of(RULE))
    alike = make_quarantined_write(agent_id=agent, verdict=verdict_of(RULE), status="rejected")
    make_quarantined_write(agent_id=agent, status="rejected", reasons=["other"], detectors=["other"])
    make_quarantined_write(verdict=verdict_of(RULE), status="released")

    assert ids(around(write).earlier) == [alike.pk]


def test_what_time_ended_is_no_decision():
    agent = make_scope().agent_id
    write = make_quarantined_write(agent_id=agent)
    make_quarantined_write(agent_id=agent, status="lapsed")

    assert around(write).earlier.total == 0


def test_no_text_is_opened():
    agent = make_scope().agent_id
    write = make_quarantined_write(agent_id=agent)
    make_quarantined_write(agent_id=agent)

    assert "ciphertext" in around(write).of_agent.rows[0].get_deferred_fields()


def test_an_agent_sees_no_surroundings():
    with pytest.raises(ScopeMissing):
        related_writes(row=make_quarantined_write(), scope=make_scope())
