import stat
from concurrent.futures import ThreadPoolExecutor

import pytest

from vault.crypto.errors import KeystoreExposed
from vault.crypto.private_files import (
    create_private,
    erase_file,
    locked,
    move_private,
    require_owner_only,
    write_private,
)


def test_a_private_file_and_its_folder_are_for_the_owner_alone(tmp_path):
    create_private(tmp_path / "keys" / "file")

    assert stat.S_IMODE((tmp_path / "keys" / "file").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "keys").stat().st_mode) == 0o700


def test_making_a_file_again_leaves_its_content(tmp_path):
    write_private(tmp_path / "file", b"content")
    create_private(tmp_path / "file")

    assert (tmp_path / "file").read_bytes() == b"content"


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o660])
def test_a_file_open_to_others_is_refused(tmp_path, mode):
    write_private(tmp_path / "file", b"")
    (tmp_path / "file").chmod(mode)

    with pytest.raises(KeystoreExposed):
        require_owner_only(tmp_path / "file")


def test_a_replaced_file_is_overwritten_on_the_disk(tmp_path):
    write_private(tmp_path / "file", b"old content")
    # A second name for the same blocks shows what becomes of them.
    (tmp_path / "blocks").hardlink_to(tmp_path / "file")

    write_private(tmp_path / "file", b"new")

    assert (tmp_path / "blocks").read_bytes() == bytes(len(b"old content"))


def test_an_erased_file_is_overwritten_on_the_disk(tmp_path):
    write_private(tmp_path / "file", b"x" * 2_500_000)
    (tmp_path / "blocks").hardlink_to(tmp_path / "file")

    erase_file(tmp_path / "file")

    assert not (tmp_path / "file").exists()
    assert (tmp_path / "blocks").read_bytes() == bytes(2_500_000)


def test_erasing_what_is_not_there_is_no_fault(tmp_path):
    erase_file(tmp_path / "file")


def test_what_a_crash_left_half_written_is_overwritten(tmp_path):
    (tmp_path / "file.new").write_bytes(b"left by a crash")
    (tmp_path / "blocks").hardlink_to(tmp_path / "file.new")

    write_private(tmp_path / "file", b"content")

    assert (tmp_path / "blocks").read_bytes() == bytes(len(b"left by a crash"))


def test_a_file_is_moved_where_there_was_none(tmp_path):
    write_private(tmp_path / "fresh", b"content")
    move_private(tmp_path / "fresh", tmp_path / "file")

    assert (tmp_path / "file").read_bytes() == b"content"


def test_one_holder_of_a_lock_at_a_time(tmp_path):
    counter = tmp_path / "counter"
    counter.write_text("0")

    def count_up(_):
        with locked(counter):
            counter.write_text(str(int(counter.read_text()) + 1))

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(count_up, range(80)))

    assert counter.read_text() == "80"
