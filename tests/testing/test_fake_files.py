"""The faulty disk: that what was synced is always there, and that every loss it promises does happen."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import suppress
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kwire.errors import UsageError
from kwire.storage.file_system import Access, FileRegion, StorageError
from kwire.testing.fake_files import FakeFileSystem


def with_directory() -> FakeFileSystem:
    files = FakeFileSystem()
    files.make_directory("/d")
    files.sync_directory("/")
    return files


def content(files: FakeFileSystem, path: str) -> bytes | None:
    if not files.exists(path):
        return None
    return files.open(path, Access.READ).read_at(1 << 30, 0)


def outcomes(files: FakeFileSystem, path: str, tries: int = 300) -> set[bytes | None]:
    return {content(files.crash(Random(seed)), path) for seed in range(tries)}


def durable_file(content: bytes) -> FakeFileSystem:
    files = with_directory()
    file = files.open("/d/f", Access.CREATE)
    file.write(content)
    file.sync()
    files.sync_directory("/d")
    return files


def test_what_was_synced_with_its_directory_survives() -> None:
    assert outcomes(durable_file(b"data"), "/d/f") == {b"data"}


def test_a_synced_file_in_an_unsynced_directory_may_be_gone() -> None:
    files = with_directory()
    file = files.open("/d/f", Access.CREATE)
    file.write(b"data")
    file.sync()
    assert outcomes(files, "/d/f") == {b"data", None}


def test_unsynced_writes_are_lost_kept_or_torn_at_any_byte() -> None:
    files = durable_file(b"--")
    files.open("/d/f", Access.WRITE).write(b"abc")
    assert {b"--", b"--a", b"--ab", b"--abc"} <= outcomes(files, "/d/f")


def test_single_sectors_of_an_unsynced_write_survive_without_those_before() -> None:
    files = durable_file(b"")
    files.open("/d/f", Access.WRITE).write(b"x" * 512 + b"y" * 512 + b"z" * 512)
    assert bytes(512) + b"y" * 512 + bytes(512) in outcomes(files, "/d/f")
    assert b"x" * 512 + bytes(512) + b"z" * 512 in outcomes(files, "/d/f")


def test_writes_to_two_files_survive_in_any_order() -> None:
    files = with_directory()
    for name in "ab":
        files.open(f"/d/{name}", Access.CREATE)
    files.sync_directory("/d")
    for name in "ab":
        files.open(f"/d/{name}", Access.WRITE).write(b"x")
    seen = {(content(after, "/d/a"), content(after, "/d/b")) for after in map(files.crash, map(Random, range(100)))}
    assert {(b"", b""), (b"x", b""), (b"", b"x"), (b"x", b"x")} <= seen


def test_an_unsynced_truncation_may_be_undone() -> None:
    files = durable_file(b"data")
    files.open("/d/f", Access.WRITE).truncate(1)
    assert outcomes(files, "/d/f") == {b"data", b"d"}


def test_a_rename_is_whole_or_not_at_all_and_needs_the_directory_synced() -> None:
    files = durable_file(b"old")
    file = files.open("/d/f.tmp", Access.CREATE)
    file.write(b"new")
    file.sync()
    file.rename("/d/f")
    assert outcomes(files, "/d/f") == {b"old", b"new"}
    files.sync_directory("/d")
    assert outcomes(files, "/d/f") == {b"new"}
    assert outcomes(files, "/d/f.tmp") == {None}


def test_a_rename_of_an_unsynced_file_may_leave_an_empty_one() -> None:
    files = durable_file(b"old")
    file = files.open("/d/f.tmp", Access.CREATE)
    file.write(b"new")
    file.rename("/d/f")
    files.sync_directory("/d")
    assert {b"", b"new", b"ne"} <= outcomes(files, "/d/f")


def test_an_unsynced_removal_may_be_undone() -> None:
    files = durable_file(b"data")
    files.remove("/d/f")
    assert outcomes(files, "/d/f") == {b"data", None}
    files.sync_directory("/d")
    assert outcomes(files, "/d/f") == {None}


def test_changes_of_a_directory_may_survive_out_of_order() -> None:
    files = with_directory()
    files.open("/d/first", Access.CREATE)
    files.open("/d/second", Access.CREATE)
    seen = {tuple(files.crash(Random(seed)).list_directory("/d")) for seed in range(100)}
    assert seen == {(), ("first",), ("second",), ("first", "second")}


def test_a_directory_whose_parent_was_not_synced_may_be_gone_with_all_in_it() -> None:
    files = FakeFileSystem()
    files.make_directory("/a/b")
    file = files.open("/a/b/f", Access.CREATE)
    file.write(b"data")
    file.sync()
    files.sync_directory("/a/b")
    assert outcomes(files, "/a/b/f") == {b"data", None}
    files.sync_directory("/a")
    files.sync_directory("/")
    assert outcomes(files, "/a/b/f") == {b"data"}


def test_bits_flip_in_unsynced_data_only() -> None:
    files = durable_file(b"\0" * 100)
    files.open("/d/f", Access.WRITE).write(b"\0" * 100)
    after = [content(files.crash(Random(seed), bit_flips=1), "/d/f") or b"" for seed in range(100)]
    assert all(data[:100] == b"\0" * 100 for data in after)
    assert {sum(byte.bit_count() for byte in data) for data in after} == {0, 1}


def test_a_killed_process_loses_nothing_and_its_lock() -> None:
    files = with_directory()
    files.open("/d/f", Access.CREATE).write(b"data")
    files.lock("/d/.lock")
    after = files.kill()
    assert content(after, "/d/f") == b"data"
    after.lock("/d/.lock")
    with pytest.raises(UsageError):
        files.lock("/d/.lock")
    assert None in outcomes(after, "/d/f"), "it was not synced, and still is not"


def test_history_can_be_looked_at_after_every_operation() -> None:
    files = durable_file(b"")
    file = files.open("/d/f", Access.WRITE)
    for letter in b"abc":
        file.write(bytes([letter]))
        file.read_at(1, 0)
    file.sync()
    seen = [content(files.kill(operation), "/d/f") for operation in files.crash_points()]
    # Before anything, directory made and synced, file made, synced, its directory synced, the three writes, sync.
    assert seen == [None, None, None, b"", b"", b"", b"a", b"ab", b"abc", b"abc"]
    *_, before_sync, after_sync = files.crash_points()
    assert len({content(files.crash(Random(seed), before_sync), "/d/f") for seed in range(50)}) > 1
    assert {content(files.crash(Random(seed), after_sync), "/d/f") for seed in range(50)} == {b"abc"}


def test_a_survivor_can_crash_again() -> None:
    files = durable_file(b"data")
    survivor = files.crash(Random(1))
    survivor.open("/d/f", Access.WRITE).write(b"++")
    assert content(survivor.crash(Random(0), 0), "/d/f") == b"data"
    assert content(survivor.kill(), "/d/f") == b"data++"
    assert content(files, "/d/f") == b"data", "the first disk is untouched"


def test_the_same_seed_gives_the_same_disk() -> None:
    files = with_directory()
    for name in "abcdef":
        files.open(f"/d/{name}", Access.CREATE).write(name.encode() * 1000)

    def image(seed: int) -> list[tuple[str, bytes | None]]:
        after = files.crash(Random(seed), bit_flips=3)
        return [(name, content(after, f"/d/{name}")) for name in after.list_directory("/d")]

    images = [image(seed) for seed in range(20)]
    assert images == [image(seed) for seed in range(20)]
    assert len({str(found) for found in images}) > 10


@pytest.mark.parametrize("error", [errno.EIO, errno.ENOSPC, errno.EROFS])
def test_the_chosen_operation_fails_and_the_next_does_not(error: int) -> None:
    files = durable_file(b"")
    file = files.open("/d/f", Access.WRITE)
    files.fail(files.operations + 2, error)
    file.write(b"good")
    with pytest.raises(StorageError) as caught:
        file.write(b"12345678")
    assert (caught.value.path, caught.value.errno) == ("/d/f", error)
    assert file.size_bytes == 4
    assert content(files, "/d/f") == b"good1234", "half of it had arrived"
    file.write(b"AB")
    assert content(files, "/d/f") == b"goodAB34"


def test_every_kind_of_operation_can_fail() -> None:
    def every_operation(files: FakeFileSystem) -> Iterator[str]:
        files.make_directory("/x")
        yield "make_directory"
        file = files.open("/x/f", Access.CREATE)
        yield "create"
        for kind, call in {
            "open": lambda: files.open("/x/f", Access.WRITE),
            "write": lambda: file.write(b"x"),
            "read": lambda: FileRegion(file, 0, 1).read(),
            "truncate": lambda: file.truncate(0),
            "allocate": lambda: file.allocate(10),
            "writeback": lambda: file.start_writeback(0, 1),
            "sync": file.sync,
            "rename": lambda: file.rename("/x/g"),
            "list": lambda: files.list_directory("/x"),
            "stat": lambda: files.modified_ms("/x/g"),
            "set_modified": lambda: files.set_modified_ms("/x/g", 5),
            "sync_directory": lambda: files.sync_directory("/x"),
            "disk_usage": lambda: files.disk_usage("/x"),
            "remove": file.remove,
            "remove_directory": lambda: files.remove_directory("/x"),
        }.items():
            call()
            yield kind

    def run(files: FakeFileSystem) -> tuple[str, ...]:
        done: list[str] = []
        with suppress(StorageError):
            done.extend(every_operation(files))
        return tuple(done)

    good = FakeFileSystem()
    kinds = run(good)
    assert set(kinds) == set(good.counts)
    for number in range(good.operations):
        files = FakeFileSystem()
        files.fail(number + 1, errno.EIO)
        assert run(files) == kinds[:number]


def test_after_a_failed_sync_the_data_is_seen_and_never_durable() -> None:
    files = durable_file(b"old")
    file = files.open("/d/f", Access.WRITE)
    file.write(b"new")
    files.fail(files.operations + 1, errno.EIO)
    with pytest.raises(StorageError):
        file.sync()
    file.sync()
    assert content(files, "/d/f") == b"oldnew"
    assert outcomes(files, "/d/f") == {b"old"}


def test_a_broken_disk_fails_below_its_path_until_repaired() -> None:
    files = durable_file(b"data")
    files.make_directory("/d2")
    files.break_under("/d", errno.EIO)
    files.open("/d2/f", Access.CREATE).write(b"fine")
    with pytest.raises(StorageError):
        files.open("/d/f", Access.READ)
    files.repair("/d")
    files.break_under("/d", errno.EROFS)
    file = files.open("/d/f", Access.WRITE)
    assert file.read_at(4, 0) == b"data"
    with pytest.raises(StorageError):
        file.write(b"x")
    files.repair("/d")
    file.write(b"x")


def test_a_full_disk_takes_what_fits_and_has_room_again_after_a_removal() -> None:
    files = FakeFileSystem(capacity_bytes=10)
    files.open("/a", Access.CREATE).write(b"123456")
    file = files.open("/b", Access.CREATE)
    with pytest.raises(StorageError) as caught:
        file.write(b"abcdef")
    assert caught.value.errno == errno.ENOSPC
    assert (file.size_bytes, content(files, "/b")) == (0, b"abcd")
    assert files.disk_usage("/") == (10, 0)
    with pytest.raises(StorageError):
        file.allocate(11)
    files.remove("/a")
    file.write(b"abcdef")
    assert content(files, "/b") == b"abcdef"


def test_the_time_of_modification_is_the_time_it_was_told() -> None:
    files = with_directory()
    files.now_ms = 17
    file = files.open("/d/f", Access.CREATE)
    files.now_ms = 42
    assert files.modified_ms("/d/f") == 17
    file.write(b"x")
    assert files.modified_ms("/d/f") == 42
    assert files.kill(files.operations).modified_ms("/d/f") == 42


write = st.tuples(st.just("write"), st.integers(0, 40), st.binary(min_size=1, max_size=20))
steps = st.lists(st.one_of(write, st.tuples(st.just("cut"), st.integers(0, 60)), st.just(("sync",))), max_size=20)


@settings(deadline=None)
@given(steps, st.integers(0, 2**32))
def test_sync_makes_the_visible_durable_and_replay_sees_what_was_seen(history: list[tuple], seed: int) -> None:
    files = durable_file(b"")
    file = files.open("/d/f", Access.WRITE)
    seen: dict[int, bytes] = {}
    for step in history:
        match step:
            case ("write", position, data):
                file.write_at(data, position)
            case ("cut", size):
                file.truncate(size)
            case _:
                file.sync()
        seen[files.operations] = content(files.kill(), "/d/f") or b""
        if step[0] == "sync":
            assert content(files.crash(Random(seed)), "/d/f") == seen[files.operations]
    for operation, expected in seen.items():
        assert content(files.kill(operation), "/d/f") == expected
