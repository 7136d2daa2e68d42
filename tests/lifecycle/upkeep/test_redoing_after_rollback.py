"""What an agent's undone statements were put together with is put together again, without what was undone."""

from __future__ import annotations

import pytest

from tests.factories import make_memory, make_scope, staff_scope
from tests.lifecycle.rolling_back.writers import make_agent, rolled_back, started, written_by
from tests.lifecycle.upkeep.stored import row_of
from vault.lifecycle.rolling_back.run import execute_rollback
from vault.lifecycle.upkeep.consolidation import consolidate_now
from vault.lifecycle.work import run_job
from vault.models import Job, JobStatus, Memory
from vault.retrieval.search import SearchQuery, search
from vault.types import Status

pytestmark = pytest.mark.django_db(transaction=True)

LOCKER = "Ilse's pool locker number is 4417"
SWIMS = "Ilse swims on Tuesdays at the pool"
COACH = "Ilse's swimming coach at the pool is Jorunn"


@pytest.fixture
def agent():
    return make_agent()


def kept(*texts: str) -> list[Memory]:
    return [make_memory(text, subject="S1", embedded=True).row for text in texts]


def undone_later(agent, text: str = LOCKER) -> Memory:
    return written_by(agent, text, subject="S1", embedded=True).row


def put_together(rows: list[Memory]) -> Memory:
    (whole,) = consolidate_now(subject_id=rows[0].subject_id, scope=staff_scope()).made
    return row_of(whole)


def waiting() -> list[Job]:
    return list(Job.objects.filter(kind="consolidation", status=JobStatus.QUEUED))


def work() -> None:
    """What the sweeper and a worker do."""
    for job in waiting():
        run_job(job_id=job.pk)


def served() -> set[str]:
    hits = search(query=SearchQuery("S1", "pool locker swims coach", k=50), scope=make_scope()).results
    return {hit.memory.content.text for hit in hits}


def test_the_rest_becomes_one_again_without_what_the_agent_wrote(agent):
    put_together([undone_later(agent), *kept(SWIMS, COACH)])
    rolled_back(agent_id=agent)
    assert served() == {SWIMS, COACH}

    work()

    assert served() == {f"{SWIMS}. {COACH}."}


def test_nothing_is_asked_for_before_the_rollback_is_done(agent):
    put_together([undone_later(agent), *kept(SWIMS, COACH)])
    rollback = started(agent_id=agent)
    assert waiting() == []

    execute_rollback(rollback.pk)

    assert len(waiting()) == 1


def test_one_alone_that_is_left_is_simply_served(agent):
    put_together([undone_later(agent), *kept(SWIMS)])
    rolled_back(agent_id=agent)

    work()

    assert served() == {SWIMS}


def test_where_all_of_it_was_undone_nothing_is_made(agent):
    put_together([undone_later(agent), undone_later(agent, SWIMS), undone_later(agent, COACH)])
    rolled_back(agent_id=agent)

    work()

    assert served() == set()


def test_what_holds_nothing_of_the_agent_stays_as_it_is(agent):
    whole = put_together(kept(SWIMS, COACH))
    undone_later(agent)
    rolled_back(agent_id=agent)

    work()

    assert row_of(whole.pk).status == Status.ACTIVE
    assert waiting() == []


def test_done_twice_the_rest_is_one_and_not_two(agent):
    put_together([undone_later(agent), *kept(SWIMS, COACH)])
    rollback = rolled_back(agent_id=agent)
    work()

    execute_rollback(rollback.pk)
    work()

    assert served() == {f"{SWIMS}. {COACH}."}
