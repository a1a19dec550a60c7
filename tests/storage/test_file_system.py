"""The contract of a file system, run on the real one and on the fake: what storage relies on, and nothing more."""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from kwire.errors import UsageError
from kwire.storage.files import Access, File, FileRegion, FileSystem, RealFileSystem
from kwire.testing.fake_files import FakeFileSystem


class Place:
    """A file system and a directory in it."""

    def __init__(self, files: FileSystem, root: str) -> None:
        self.files = files
        self.root = root

    def __call__(self, name: str) -> str:
        return f"{self.root}/{name}"

    def create(self, name: str, content: bytes = b"") -> File:
        file = self.files.open(self(name), Access.CREATE)
        file.write(content)
        return file

    def content(self, name: str) -> bytes:
        file = self.files.open(self(name), Access.READ)
        try:
            return file.read_at(file.size_bytes, 0)
        finally:
            file.close()


@pytest.fixture(params=["real", "real, one descriptor", "fake"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    if request.param == "fake":
        files = FakeFileSystem()
        files.make_directory("/data")
        return Place(files, "/data")
    return Place(RealFileSystem(open_files_max=1 if "one" in request.param else 100), str(tmp_path))


@pytest.mark.parametrize("as_buffer", [bytes, bytearray, memoryview])
def test_writes_append_at_the_end(place: Place, as_buffer: Callable[[bytes], bytes]) -> None:
    file = place.create("log")
    for part in (b"one", b"", b"two"):
        file.write(as_buffer(part))
    assert file.size_bytes == 6
    assert place.content("log") == b"onetwo"


def test_opening_again_appends_behind_what_is_there(place: Place) -> None:
    place.create("log", b"one").close()
    for access in (Access.WRITE, Access.CREATE):
        file = place.files.open(place("log"), access)
        file.write(b"+")
        file.close()
    assert place.content("log") == b"one++"


def test_write_at_overwrites_extends_and_leaves_zeros_in_a_gap(place: Place) -> None:
    file = place.create("index", b"abcdef")
    file.write_at(b"XY", 2)
    assert file.size_bytes == 6
    file.write_at(b"Z", 8)
    assert file.size_bytes == 9
    file.write(b"!")
    assert place.content("index") == b"abXYef\0\0Z!"


def test_reads_stop_at_the_end_of_the_file(place: Place) -> None:
    file = place.create("log", b"0123456789")
    assert file.read_at(3, 4) == b"456"
    assert file.read_at(100, 8) == b"89"
    assert file.read_at(5, 10) == b""
    assert file.read_at(5, 99) == b""
    buffer = bytearray(b"....")
    assert file.read_into(buffer, 7) == 3
    assert buffer == b"789."
    assert file.read_into(memoryview(buffer)[1:3], 0) == 2
    assert buffer == b"701."


def test_truncate_cuts_and_extends(place: Place) -> None:
    file = place.create("log", b"0123456789")
    file.truncate(4)
    file.write(b"x")
    assert file.size_bytes == 5
    file.truncate(7)
    assert file.size_bytes == 7
    assert place.content("log") == b"0123x\0\0"


def test_allocate_reserves_behind_the_data_and_is_cut_off_by_truncate(place: Place) -> None:
    file = place.create("log", b"data")
    file.allocate(4096)
    assert file.size_bytes == 4
    file.write(b"more")
    assert place.content("log") == b"datamore" + bytes(4088)
    file.allocate(5)
    file.truncate(file.size_bytes)
    assert place.content("log") == b"datamore"


def test_a_missing_file_is_told_as_such(place: Place) -> None:
    for access in (Access.READ, Access.WRITE):
        with pytest.raises(FileNotFoundError):
            place.files.open(place("absent"), access)
    with pytest.raises(FileNotFoundError):
        place.files.remove(place("absent"))
    with pytest.raises(FileNotFoundError):
        place.files.rename(place("absent"), place("other"))
    with pytest.raises(FileNotFoundError):
        place.files.open(place("absent/file"), Access.CREATE)
    with pytest.raises(FileNotFoundError):
        place.files.list_directory(place("absent"))


def test_a_file_opened_to_read_cannot_be_written(place: Place) -> None:
    place.create("log", b"data").close()
    file = place.files.open(place("log"), Access.READ)
    with pytest.raises(OSError, match="Bad file descriptor") as caught:
        file.write(b"x")
    assert caught.value.errno == errno.EBADF
    assert (file.size_bytes, file.read_at(9, 0)) == (4, b"data")


def test_a_renamed_file_goes_on_under_its_new_name(place: Place) -> None:
    place.create("target", b"replaced").close()
    file = place.create("source", b"one")
    file.rename(place("target"))
    place.create("other", b"takes the descriptor")
    file.write(b"two")
    assert file.path == place("target")
    assert place.files.list_directory(place.root) == ["other", "target"]
    assert place.content("target") == b"onetwo"


def test_rename_replaces_and_moves_directories(place: Place) -> None:
    place.create("a.tmp", b"new").close()
    place.create("a", b"old").close()
    place.files.rename(place("a.tmp"), place("a"))
    place.files.make_directory(place("t-0"))
    place.create("t-0/log", b"inside").close()
    place.files.rename(place("t-0"), place("t-0.gone"))
    assert place.files.list_directory(place.root) == ["a", "t-0.gone"]
    assert place.content("a") == b"new"
    assert place.content("t-0.gone/log") == b"inside"


def test_a_removed_file_stays_readable_for_who_holds_it(place: Place) -> None:
    file = place.create("log", b"0123456789")
    region = FileRegion(file, 2, 5)
    pin = region.pin()
    file.remove()
    place.create("other", b"takes the descriptor")
    assert not place.files.exists(place("log"))
    assert pin.read_at(3, 7) == b"789"
    assert region.read() == b"23456"
    file.remove()
    place.create("log", b"another of that name")
    with pytest.raises(FileNotFoundError):
        FileRegion(file, 2, 5).read()


def test_a_region_is_sent_in_steps(place: Place) -> None:
    region = FileRegion(place.create("log", b"0123456789"), 2, 6)
    assert len(region) == 6
    near, far = socket.socketpair()
    with near, far:
        assert region.send_to(near.fileno(), 0) == 6
        assert region.send_to(near.fileno(), 4) == 2
        near.shutdown(socket.SHUT_WR)
        assert far.recv(100, socket.MSG_WAITALL) == b"23456767"


def test_a_region_of_a_file_that_was_cut_sends_nothing(place: Place) -> None:
    file = place.create("log", b"0123456789")
    region = FileRegion(file, 4, 6)
    file.truncate(4)
    near, far = socket.socketpair()
    with near, far:
        assert region.send_to(near.fileno(), 0) == 0
    assert region.read() == b""


def test_a_closed_file_is_not_used_again(place: Place) -> None:
    file = place.create("log", b"x")
    file.close()
    file.close()
    for use in (lambda: file.write(b"y"), lambda: file.read_at(1, 0), file.sync, file.pin, lambda: file.truncate(0)):
        with pytest.raises(ValueError, match="closed"):
            use()


def test_directories_are_made_listed_and_removed(place: Place) -> None:
    files = place.files
    files.make_directory(place("b/c/d"))
    files.make_directory(place("b/c"))
    place.create("a").close()
    place.create("b/file").close()
    assert files.list_directory(place.root) == ["a", "b"]
    assert files.list_directory(place("b")) == ["c", "file"]
    assert files.is_directory(place("b/c"))
    assert not files.is_directory(place("a"))
    assert not files.is_directory(place("absent"))
    assert [files.exists(place(name)) for name in ("a", "b/c", "b/x", "x/y")] == [True, True, False, False]
    with pytest.raises(OSError, match="not empty"):
        files.remove_directory(place("b"))
    files.remove_directory(place("b/c/d"))
    files.remove_directory(place("b/c"))
    files.remove(place("b/file"))
    files.remove_directory(place("b"))
    assert files.list_directory(place.root) == ["a"]
    with pytest.raises(FileExistsError):
        files.make_directory(place("a"))
    with pytest.raises(NotADirectoryError):
        files.list_directory(place("a"))


def test_the_time_of_modification_can_be_set(place: Place) -> None:
    place.create("log", b"x").close()
    place.files.set_modified_ms(place("log"), 1_700_000_000_123)
    assert place.files.modified_ms(place("log")) == 1_700_000_000_123


def test_syncs_change_nothing_that_is_seen(place: Place) -> None:
    file = place.create("log", b"data")
    file.start_writeback(0, 4)
    file.sync()
    place.files.sync_directory(place.root)
    assert file.pin().is_cached(0, 4)
    assert place.content("log") == b"data"


def test_a_lock_is_held_by_one_and_can_be_given_back(place: Place) -> None:
    lock = place.files.lock(place(".lock"))
    with pytest.raises(UsageError, match="locked"):
        place.files.lock(place(".lock"))
    lock.close()
    lock.close()
    place.files.lock(place(".lock")).close()
    assert place.content(".lock") == b""


def test_an_empty_region_has_nothing_to_wait_for(place: Place) -> None:
    region = FileRegion(place.create("log", b"data"), 0, 0)
    assert region.is_cached()
    assert (len(region), region.read()) == (0, b"")


def test_the_disk_has_room(place: Place) -> None:
    usage = place.files.disk_usage(place.root)
    assert 0 < usage.usable_bytes <= usage.total_bytes
