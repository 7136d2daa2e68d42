import base64
import json
import os
import stat

import pytest

from tests.crypto.fakes import FakeKms
from vault.crypto import EnvironmentRootKey, FileRootKey
from vault.crypto.errors import KeystoreExposed, KeystoreFault, RootKeyMissing
from vault.errors import IntegrityFault

NAME = "VAULT_ROOT_KEY"


def a_secret():
    return base64.b64encode(os.urandom(32)).decode()


@pytest.fixture
def file_root(root_path):
    return FileRootKey(root_path, create=True)


@pytest.fixture(params=["file", "environment", "kms"])
def root(request, file_root):
    made = {"file": file_root, "environment": EnvironmentRootKey(a_secret()), "kms": FakeKms()}[request.param]
    made.new_epoch(1)
    return made


def test_a_wrapped_key_unwraps_in_its_place(root):
    wrapped = root.wrap(b"key", epoch=1, context=b"place")

    assert root.unwrap(wrapped, epoch=1, context=b"place") == b"key"


def test_a_wrapped_key_does_not_unwrap_elsewhere(root):
    wrapped = root.wrap(b"key", epoch=1, context=b"place")

    with pytest.raises(IntegrityFault):
        root.unwrap(wrapped, epoch=1, context=b"elsewhere")


def test_a_rewrapped_key_unwraps_in_its_new_place(root):
    root.new_epoch(2)
    wrapped = root.wrap(b"key", epoch=1, context=b"old")

    moved = root.rewrap(wrapped, old_epoch=1, old_context=b"old", epoch=2, context=b"new")

    assert root.unwrap(moved, epoch=2, context=b"new") == b"key"


def test_making_an_epoch_again_changes_nothing(root):
    wrapped = root.wrap(b"key", epoch=1, context=b"")
    root.new_epoch(1)

    assert root.unwrap(wrapped, epoch=1, context=b"") == b"key"


def test_a_destroyed_epoch_unwraps_nothing(file_root):
    file_root.new_epoch(1)
    wrapped = file_root.wrap(b"key", epoch=1, context=b"")
    file_root.new_epoch(2)
    file_root.destroy(1)

    with pytest.raises(RootKeyMissing):
        file_root.unwrap(wrapped, epoch=1, context=b"")


def test_an_epoch_made_again_after_its_end_is_another(file_root):
    file_root.new_epoch(1)
    wrapped = file_root.wrap(b"key", epoch=1, context=b"")
    file_root.new_epoch(2)
    file_root.destroy(1)
    file_root.new_epoch(1)

    with pytest.raises(IntegrityFault):
        file_root.unwrap(wrapped, epoch=1, context=b"")


def test_destroying_an_epoch_twice_is_no_fault(file_root):
    file_root.new_epoch(1)
    file_root.new_epoch(2)
    file_root.destroy(1)
    file_root.destroy(1)

    assert file_root.epochs() == [2]


def test_the_newest_root_is_never_destroyed(file_root):
    file_root.new_epoch(1)

    with pytest.raises(KeystoreFault):
        file_root.destroy(1)


def test_the_root_file_is_for_its_owner_alone(file_root, root_path):
    file_root.new_epoch(1)

    assert stat.S_IMODE(root_path.stat().st_mode) == 0o600


def test_a_root_file_is_made_only_when_told(root_path):
    with pytest.raises(RootKeyMissing):
        FileRootKey(root_path)

    assert not root_path.exists()


def test_a_second_first_start_keeps_the_root(file_root, root_path):
    file_root.new_epoch(1)

    assert FileRootKey(root_path, create=True).epochs() == [1]


def test_a_root_file_that_others_can_read_is_refused(file_root, root_path):
    root_path.chmod(0o640)

    with pytest.raises(KeystoreExposed):
        FileRootKey(root_path)


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"roots": {"1": "short"}}', '{"roots": {"x": ""}}'])
def test_a_damaged_root_file_is_refused(file_root, root_path, content):
    root_path.write_text(content)

    with pytest.raises(KeystoreFault):
        FileRootKey(root_path)


def test_nothing_of_a_destroyed_root_is_left_beside_the_file(file_root, root_path):
    file_root.new_epoch(1)
    destroyed = json.loads(root_path.read_bytes())["roots"]["1"].encode()
    file_root.new_epoch(2)
    file_root.destroy(1)

    assert all(destroyed not in path.read_bytes() for path in root_path.parent.iterdir())


def test_the_environment_must_name_a_root():
    with pytest.raises(RootKeyMissing):
        EnvironmentRootKey.from_environment({})


@pytest.mark.parametrize("text", ["short", "not base64!", base64.b64encode(b"x" * 31).decode()])
def test_a_root_that_is_not_32_bytes_is_refused(text):
    with pytest.raises(KeystoreFault):
        EnvironmentRootKey(text)


def test_the_previous_secret_still_unwraps_and_the_new_one_wraps():
    old_secret, new_secret = a_secret(), a_secret()
    wrapped = EnvironmentRootKey(old_secret).wrap(b"key", epoch=1, context=b"")
    both = EnvironmentRootKey.from_environment({NAME: new_secret, f"{NAME}_PREVIOUS": old_secret})

    moved = both.rewrap(wrapped, old_epoch=1, old_context=b"", epoch=2, context=b"")

    assert EnvironmentRootKey(new_secret).unwrap(moved, epoch=2, context=b"") == b"key"


def test_only_a_root_that_can_end_an_epoch_says_so(file_root):
    assert file_root.destroys_epochs
    assert not EnvironmentRootKey(a_secret()).destroys_epochs
