"""Files that are replaced whole or not at all."""

import os
import stat
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest

from octoscope.scene.system.atomic_file import SaveError, atomic_file
from octoscope.scene.system.file_lock import close_locked, is_locked, open_locked, remove_locked, rename_locked
from tests.scene import children
from tests.scene.project.projects import files_of_at_most

on_windows_too = pytest.mark.usefixtures("on_windows_too")


def write(path, data: bytes) -> None:
    with atomic_file(path) as file:
        file.write(data)


@contextmanager
def umask(mask: int):
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def mode(path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@on_windows_too
def test_a_file_is_made_or_replaced_and_nothing_stays_beside_it(tmp_path):
    for data in (b"one", b"a longer two", b""):
        write(tmp_path / "a", data)
        assert (tmp_path / "a").read_bytes() == data
        assert os.listdir(tmp_path) == ["a"]


def test_a_new_file_gets_the_mode_that_any_new_file_gets(tmp_path):
    with umask(0o027):
        write(tmp_path / "a", b"")
    assert mode(tmp_path / "a") == 0o640


@pytest.mark.parametrize("bits", (0o600, 0o644, 0o664, 0o755, 0o666))
def test_a_file_that_is_replaced_hands_on_its_mode(tmp_path, bits):
    (tmp_path / "a").touch()
    (tmp_path / "a").chmod(bits)
    with umask(0o077):
        write(tmp_path / "a", b"new")
    assert mode(tmp_path / "a") == bits


def test_what_is_beside_is_seen_by_nobody_who_may_not_see_the_file(tmp_path):
    (tmp_path / "a").touch(mode=0o600)
    with atomic_file(tmp_path / "a") as file:
        assert stat.S_IMODE(os.fstat(file.fileno()).st_mode) == 0o600


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_a_file_that_is_replaced_hands_on_its_owner(tmp_path):
    (tmp_path / "a").touch()
    os.chown(tmp_path / "a", 1234, 2345)
    write(tmp_path / "a", b"new")
    status = (tmp_path / "a").stat()
    assert (status.st_uid, status.st_gid) == (1234, 2345)


def test_a_link_stays_and_what_it_points_at_is_replaced(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a").write_bytes(b"old")
    (tmp_path / "link").symlink_to("real/a")
    write(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real" / "a").read_bytes() == b"new"
    assert sorted(os.listdir(tmp_path)) == ["link", "real"] and os.listdir(tmp_path / "real") == ["a"]


def test_a_link_that_points_at_nothing_yet_is_followed(tmp_path):
    (tmp_path / "link").symlink_to("a")
    write(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "a").read_bytes() == b"new"


@on_windows_too
@pytest.mark.parametrize("exists", (False, True))
def test_a_block_that_raises_changes_nothing(tmp_path, exists):
    if exists:
        (tmp_path / "a").write_bytes(b"old")
    with pytest.raises(ZeroDivisionError), atomic_file(tmp_path / "a") as file:
        file.write(b"half of it")
        file.flush()
        1 / 0  # noqa: B018
    assert os.listdir(tmp_path) == ["a"] * exists
    assert not exists or (tmp_path / "a").read_bytes() == b"old"


@pytest.mark.parametrize("size", (10, 10_000_000))
def test_a_full_disk_is_said_and_changes_nothing(tmp_path, size):
    (tmp_path / "a").write_bytes(b"old")
    with files_of_at_most(size - 1), pytest.raises(SaveError, match=r"/a: cannot be saved \(File too large\)") as error:
        write(tmp_path / "a", b"x" * size)
    assert len(str(error.value).splitlines()) == 1
    assert os.listdir(tmp_path) == ["a"] and (tmp_path / "a").read_bytes() == b"old"


@on_windows_too
def test_what_a_killed_program_left_is_written_over(tmp_path):
    (tmp_path / "a.octoscope-saving").write_bytes(b"left by a killed program" * 100)
    write(tmp_path / "a", b"new")
    assert os.listdir(tmp_path) == ["a"] and (tmp_path / "a").read_bytes() == b"new"


@on_windows_too
def test_a_file_of_somebody_else_is_left_alone(tmp_path):
    (tmp_path / "a.saving").write_bytes(b"mine")
    write(tmp_path / "a", b"new")
    assert (tmp_path / "a.saving").read_bytes() == b"mine" and sorted(os.listdir(tmp_path)) == ["a", "a.saving"]


@on_windows_too
def test_two_programs_do_not_save_one_file_at_once(tmp_path):
    (tmp_path / "a").write_bytes(b"old")
    with atomic_file(tmp_path / "a") as file:
        file.write(b"first")
        with pytest.raises(SaveError, match="another program is saving it"):
            write(tmp_path / "a", b"second")
    assert os.listdir(tmp_path) == ["a"] and (tmp_path / "a").read_bytes() == b"first"


@pytest.mark.parametrize("name", ("folder", "gone/a", "/dev/full", "/proc/a", "a/b", "nul\0byte", "x" * 255, "fifo"))
def test_where_no_file_can_be_replaced_it_is_said(tmp_path, name):
    (tmp_path / "folder").mkdir()
    (tmp_path / "a").touch()
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(SaveError) as error:
        write(tmp_path / name, b"x")
    assert len(str(error.value).splitlines()) == 1
    assert sorted(os.listdir(tmp_path)) == ["a", "fifo", "folder"]


def test_a_link_or_a_pipe_is_not_written_through_where_the_new_file_is_to_be(tmp_path):
    (tmp_path / "precious").write_bytes(b"precious")
    (tmp_path / "a.octoscope-saving").symlink_to("precious")
    os.mkfifo(tmp_path / "b.octoscope-saving")
    for name in ("a", "b"):
        with pytest.raises(SaveError):
            write(tmp_path / name, b"x")
    assert (tmp_path / "precious").read_bytes() == b"precious"


@pytest.mark.parametrize("protected", ("file", "folder"))
def test_write_protection_is_heeded(protected):
    with tempfile.TemporaryDirectory() as name:  # tmp_path lies in folders that only their owner may enter
        folder = Path(name)
        (folder / "a").write_bytes(b"old")
        folder.chmod(0o555 if protected == "folder" else 0o777)
        (folder / "a").chmod(0o444 if protected == "file" else 0o666)
        child = os.fork()
        if child == 0:
            try:
                if os.geteuid() == 0:
                    os.setuid(65534)  # nobody, whom permissions bind
                with pytest.raises(SaveError, match="write-protected"):
                    write(folder / "a", b"new")
                os._exit(0)
            finally:
                os._exit(1)
        assert os.waitpid(child, 0)[1] == 0
        folder.chmod(0o755)
        assert (folder / "a").read_bytes() == b"old" and os.listdir(folder) == ["a"]


def test_a_lock_is_free_again_when_its_holder_closes_the_file_or_removes_it(tmp_path):
    first = open_locked(tmp_path / "lock")
    assert open_locked(tmp_path / "lock") is None
    os.unlink(tmp_path / "lock")
    second = open_locked(tmp_path / "lock")
    assert second is not None
    os.close(first)
    assert open_locked(tmp_path / "lock") is None
    os.close(second)
    os.close(open_locked(tmp_path / "lock"))


def test_a_lock_on_a_file_that_its_last_holder_has_just_removed_is_not_taken_for_one(tmp_path, monkeypatch):
    open_any, path = os.open, tmp_path / "lock"

    def open_just_before_it_is_removed(*arguments) -> int:
        descriptor = open_any(*arguments)
        monkeypatch.undo()
        path.unlink()
        return descriptor

    monkeypatch.setattr(os, "open", open_just_before_it_is_removed)
    first = open_locked(path)
    assert path.exists() and open_locked(path) is None
    os.close(first)


@on_windows_too
def test_a_locked_file_is_read_by_others_and_known_to_be_locked(tmp_path):
    path = tmp_path / "lock"
    path.write_bytes(b"text")
    assert not is_locked(path) and not is_locked(path)
    held = open_locked(path)
    assert os.lseek(held, 0, os.SEEK_CUR) == 0
    assert is_locked(path) and open_locked(path) is None and path.read_bytes() == b"text"
    close_locked(held)
    assert not is_locked(path)
    remove_locked(open_locked(path), path)
    assert not path.exists()


@on_windows_too
def test_a_lock_ends_with_the_program_that_holds_it(tmp_path):
    path = tmp_path / "lock"
    child = children.start(lambda: open_locked(path))
    assert children.exit_code(child) == 0 and path.exists()
    close_locked(open_locked(path))


@on_windows_too
def test_a_locked_file_that_cannot_take_anothers_place_is_removed(tmp_path):
    path = tmp_path / "lock"
    (tmp_path / "folder" / "full").mkdir(parents=True)
    with pytest.raises(OSError):
        rename_locked(open_locked(path), path, tmp_path / "folder")
    assert os.listdir(tmp_path) == ["folder"]
