import os

import pytest

from vault.crypto.connections import MAX_IDLE, Connections


class FakeConnection:
    def __init__(self):
        self.closed = False

    def close(self):
        self.closed = True


@pytest.fixture
def connections():
    return Connections(FakeConnection)


def test_a_connection_is_used_again(connections):
    with connections.borrow() as first:
        pass
    with connections.borrow() as second:
        assert second is first


def test_two_borrowers_never_share_a_connection(connections):
    with connections.borrow() as first, connections.borrow() as second:
        assert first is not second


def test_a_connection_whose_block_raised_is_closed_and_not_used_again(connections):
    with pytest.raises(KeyError), connections.borrow() as broken:
        raise KeyError
    with connections.borrow() as next_one:
        assert next_one is not broken

    assert broken.closed


def test_a_child_process_never_uses_its_parents_connections(connections, monkeypatch):
    with connections.borrow() as of_parent:
        pass
    child = os.getpid() + 1
    monkeypatch.setattr("vault.crypto.connections.os.getpid", lambda: child)

    with connections.borrow() as of_child:
        assert of_child is not of_parent

    assert not of_parent.closed


def test_what_is_idle_can_be_closed(connections):
    with connections.borrow() as idle:
        pass
    connections.close()

    assert idle.closed


def test_only_so_many_stay_idle(connections):
    blocks = [connections.borrow() for _ in range(MAX_IDLE + 1)]
    opened = [block.__enter__() for block in blocks]
    for block in blocks:
        block.__exit__(None, None, None)

    assert [connection.closed for connection in opened].count(True) == 1
