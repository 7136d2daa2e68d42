"""Where a vault listens, and that it is told at once when it cannot."""

from __future__ import annotations

import socket

import pytest

from tests.vault_processes import free_port
from vault.home import Home
from vault.running import CannotListen, address_noted, noted_address, require_free_port


@pytest.mark.parametrize("port", [0, -1, 65536])
def test_a_number_that_is_no_port_is_told(port):
    with pytest.raises(CannotListen, match="is no port"):
        require_free_port("127.0.0.1", port)


def test_a_taken_port_is_told():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CannotListen, match=f"Port {port} is taken; set PORT to another one"):
            require_free_port("127.0.0.1", port)


def test_a_free_port_is_let_be():
    require_free_port("127.0.0.1", free_port())


def test_an_address_of_no_machine_here_is_not_a_taken_port():
    with pytest.raises(CannotListen, match="Nothing can listen on"):
        require_free_port("192.0.2.1", free_port())


def test_an_address_is_not_written_through_a_link(tmp_path):
    (tmp_path / "kept").write_text("kept")
    home = Home(tmp_path)
    home.address.symlink_to(tmp_path / "kept")

    with address_noted(home, host="127.0.0.1", port=8123):
        assert noted_address(home) == "http://127.0.0.1:8123"

    assert (tmp_path / "kept").read_text() == "kept"
