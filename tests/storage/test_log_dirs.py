"""Log directories: whose they are, where partitions go, what a failing disk takes along, and what a start finds."""

from __future__ import annotations

import errno
from itertools import count
from pathlib import Path
from random import Random

import pytest

from kwire.errors import BrokerError, ErrorCode, UsageError
from kwire.storage import checkpoints
from kwire.storage.checkpoints import MetaProperties, TopicPartition
from kwire.storage.file_system import Access, FileSystem, StorageError
from kwire.storage.files import RealFileSystem
from kwire.storage.log_dirs import (
    LogDirDescription,
    LogDirs,
    deleted_directory_name,
    parse_partition_directory_name,
    partition_directory_name,
)
from kwire.testing.fake_files import FakeFileSystem

T0, T1, T2, T3 = (TopicPartition("t", n) for n in range(4))


def open_dirs(files: FileSystem, *paths: str, node_id: int = 1, cluster_id: str = "", first_id: int = 1000) -> LogDirs:
    ids = count(first_id)

    def new_id() -> bytes:
        return next(ids).to_bytes(16, "big")

    return LogDirs.open(files, paths, node_id=node_id, new_id=new_id, now_ms=0, cluster_id=cluster_id)


def test_new_directories_are_made_and_named() -> None:
    files = FakeFileSystem()
    dirs = open_dirs(files, "/data/a", "/data/b")
    a, b = dirs
    assert files.list_directory("/data/a") == [".lock", "meta.properties"]
    assert checkpoints.read_meta_properties(files, "/data/b") == MetaProperties(dirs.cluster_id, 1, b.directory_id)
    assert len({a.directory_id, b.directory_id, checkpoints.decode_id(dirs.cluster_id)}) == 3
    assert not a.had_clean_shutdown


def test_the_next_start_finds_the_same_ids_and_the_clean_stop_only_once() -> None:
    files = FakeFileSystem()
    first = open_dirs(files, "/a")
    first.close(broker_epoch=12)
    second = open_dirs(files, "/a", first_id=5000)
    (a,) = second
    assert second.cluster_id == first.cluster_id
    assert [log_dir.directory_id for log_dir in second] == [log_dir.directory_id for log_dir in first]
    assert (a.had_clean_shutdown, a.broker_epoch) == (True, 12)
    second.abandon()
    (a,) = open_dirs(files, "/a")
    assert (a.had_clean_shutdown, a.broker_epoch) == (False, None)


def test_a_crash_right_after_opening_is_not_taken_for_a_clean_stop() -> None:
    files = FakeFileSystem()
    open_dirs(files, "/a").close(broker_epoch=1)
    open_dirs(files, "/a")
    for seed in range(20):
        (a,) = open_dirs(files.crash(Random(seed)), "/a")
        assert not a.had_clean_shutdown


def test_what_kafka_formatted_is_taken_over(tmp_path: Path) -> None:
    golden = Path(__file__).parent / "golden"
    for name in ("meta.properties", ".kafka_cleanshutdown"):
        (tmp_path / name).write_bytes((golden / name).read_bytes())
    (tmp_path / "__cluster_metadata-0").mkdir()
    (tmp_path / "orders-3").mkdir()
    dirs = open_dirs(RealFileSystem(), str(tmp_path))
    (log_dir,) = dirs
    assert dirs.cluster_id == "aV_BF2VZTNW5iaKXR0m6_Q"
    assert log_dir.directory_id == checkpoints.decode_id("OwSWHziAL-332I5Fub49dA")
    assert (log_dir.had_clean_shutdown, log_dir.broker_epoch) == (True, 15)
    assert log_dir.partitions == {TopicPartition("orders", 3)}
    dirs.close(15)
    assert (tmp_path / ".kafka_cleanshutdown").read_bytes() == (golden / ".kafka_cleanshutdown").read_bytes()


def test_a_directory_in_use_is_refused_and_free_again_after_closing() -> None:
    files = FakeFileSystem()
    dirs = open_dirs(files, "/a")
    with pytest.raises(UsageError, match="another broker"):
        open_dirs(files, "/b", "/a")
    dirs.close(broker_epoch=0)
    open_dirs(files, "/b", "/a")


@pytest.mark.parametrize(
    ("paths", "node_id", "cluster_id", "complaint"),
    [
        (("/a",), 2, "", "belongs to node 1, not 2"),
        (("/a",), 1, "other", "different clusters"),
        (("/a", "/foreign"), 1, "", "different clusters"),
        (("/a", "/a"), 1, "", "none twice"),
        ((), 1, "", "at least one"),
        (("/a", "/copy"), 1, "", "same directory.id"),
        (("/a", "/double"), 1, "", "both hold t-0"),
    ],
)
def test_what_does_not_belong_together_is_refused(
    paths: tuple[str, ...], node_id: int, cluster_id: str, complaint: str
) -> None:
    files = FakeFileSystem()
    dirs = open_dirs(files, "/a", "/double")
    a, double = dirs
    open_dirs(files, "/foreign", first_id=7777).abandon()
    files.make_directory("/copy")
    properties = MetaProperties(dirs.cluster_id, 1, a.directory_id)
    checkpoints.write_meta_properties(files, "/copy", properties, now_ms=0)
    for log_dir in (a, double):
        files.make_directory(log_dir.partition_path(T0))
    dirs.abandon()
    with pytest.raises(UsageError, match=complaint):
        open_dirs(files, *paths, node_id=node_id, cluster_id=cluster_id)
    open_dirs(files, "/a").abandon()  # and no lock was left behind


def test_partitions_and_leftovers_are_found() -> None:
    files = FakeFileSystem()
    for name in ("t-0", "a-b-12", "t-1.0123456789abcdef0123456789abcdef-delete", "lost+found", "x-y", "-3"):
        files.make_directory(f"/a/{name}")
    files.open("/a/file-5", Access.CREATE)
    dirs = open_dirs(files, "/a", "/b")
    a, b = dirs
    assert a.partitions == {T0, TopicPartition("a-b", 12)}
    assert a.leftovers == ["/a/t-1.0123456789abcdef0123456789abcdef-delete"]
    assert dirs.home(T0) is a
    assert dirs.home(T1) is None
    assert dirs.partitions == {T0: a, TopicPartition("a-b", 12): a}
    assert b.partitions == set()


@pytest.mark.parametrize("name", ["t-0", "a-b-12", "a.b_c-2147483647"])
def test_names_of_partitions_come_back(name: str) -> None:
    partition = parse_partition_directory_name(name)
    assert partition is not None
    assert partition_directory_name(partition) == name


@pytest.mark.parametrize("name", ["t", "t-", "-1", "t--x", "t-1.x-delete", "t-²", "__cluster_metadata-0", "t-1-future"])
def test_other_names_are_not_partitions(name: str) -> None:
    assert parse_partition_directory_name(name) is None


def test_a_deleted_directorys_name_fits_the_file_system() -> None:
    assert deleted_directory_name(T1, bytes(range(16))) == "t-1.000102030405060708090a0b0c0d0e0f-delete"
    name = deleted_directory_name(TopicPartition("x" * 249, 12), bytes(16))
    assert len(name) == 255
    assert name.endswith("x-12.00000000000000000000000000000000-delete")


def test_a_new_partition_goes_to_the_directory_with_the_fewest() -> None:
    files = FakeFileSystem()
    files.make_directory("/a/old-0")
    files.make_directory("/a/old-1")
    a, b = dirs = open_dirs(files, "/a", "/b")
    assert [dirs.place(TopicPartition("t", n)) for n in range(4)] == [b, b, a, b]
    dirs.forget(T0)
    dirs.forget(T1)
    dirs.forget(TopicPartition("unknown", 0))
    assert dirs.place(T1) is b
    assert a.partition_path(T1) == "/a/t-1"


def test_a_failed_disk_takes_its_partitions_offline_and_the_others_go_on() -> None:
    files = FakeFileSystem()
    a, b = dirs = open_dirs(files, "/a", "/b")
    for partition in (T0, T1, T2):
        dirs.place(partition)
    files.break_under("/a", errno.EIO)
    with pytest.raises(StorageError) as caught:
        dirs.write_offsets(a, checkpoints.RECOVERY_POINT_CHECKPOINT, {T0: 5})
    assert dirs.holding(caught.value.path) is a
    assert dirs.take_offline(a, str(caught.value)) == {T0, T2}
    assert dirs.take_offline(a, "again") == frozenset()
    assert "EIO" in a.error
    assert dirs.online == [b]
    assert dirs.home(T0) is a, "it is still known where it lies"
    assert dirs.place(T3) is b
    dirs.close(broker_epoch=3)
    files.repair("/a")
    a, b = open_dirs(files, "/a", "/b")
    assert (a.had_clean_shutdown, b.had_clean_shutdown) == (False, True)


def test_without_any_directory_nothing_can_be_placed() -> None:
    dirs = open_dirs(FakeFileSystem(), "/a")
    (a,) = dirs
    dirs.take_offline(a, "gone")
    with pytest.raises(BrokerError) as caught:
        dirs.place(T0)
    assert caught.value.code is ErrorCode.KAFKA_STORAGE_ERROR


def test_a_path_belongs_to_the_directory_above_it() -> None:
    a, ab = dirs = open_dirs(FakeFileSystem(), "/a", "/ab")
    assert dirs.holding("/a") is a
    assert dirs.holding("/a/t-0/x.log") is a
    assert dirs.holding("/ab/t-0/x.log") is ab
    assert dirs.holding("/c") is None


@pytest.mark.parametrize("error", [errno.EIO, errno.EROFS])
def test_a_directory_that_is_broken_at_the_start_is_offline(error: int) -> None:
    files = FakeFileSystem()
    open_dirs(files, "/a", "/b").close(broker_epoch=0)
    files.break_under("/a", error)
    a, b = dirs = open_dirs(files, "/a", "/b")
    assert (a.is_online, b.is_online) == (False, True)
    assert errno.errorcode[error] in a.error
    files.break_under("/b", error)
    dirs.abandon()
    with pytest.raises(UsageError, match="no log directory can be used"):
        open_dirs(files, "/a", "/b")


def test_a_directory_with_damaged_properties_is_offline() -> None:
    files = FakeFileSystem()
    files.make_directory("/a")
    files.open("/a/meta.properties", Access.CREATE).write(b"version=1\nnode.id=x\n")
    files.open("/file", Access.CREATE)
    a, b, c = open_dirs(files, "/a", "/b", "/file")
    assert "meta.properties, line 2" in a.error
    assert b.is_online
    assert not c.is_online


def test_an_older_directory_is_given_an_id() -> None:
    files = FakeFileSystem()
    files.make_directory("/a")
    checkpoints.write_meta_properties(files, "/a", MetaProperties("c", 1, None), now_ms=0)
    dirs = open_dirs(files, "/a")
    (a,) = dirs
    assert dirs.cluster_id == "c"
    assert checkpoints.read_meta_properties(files, "/a") == MetaProperties("c", 1, a.directory_id)


def test_ids_that_mean_something_else_are_not_given_out() -> None:
    ids = iter([bytes(16), (99).to_bytes(16, "big"), b"\xfb" * 16, b"\x01" * 16, b"\x02" * 16])
    files = FakeFileSystem()
    dirs = LogDirs.open(files, ["/a"], node_id=1, new_id=lambda: next(ids), now_ms=0)
    assert checkpoints.decode_id(dirs.cluster_id) == b"\x01" * 16
    assert [log_dir.directory_id for log_dir in dirs] == [b"\x02" * 16]


def test_checkpoints_hold_the_partitions_of_their_directory() -> None:
    files = FakeFileSystem()
    a, b = dirs = open_dirs(files, "/a", "/b")
    dirs.place(T0)
    dirs.place(T1)
    for log_dir in dirs:
        dirs.write_offsets(log_dir, checkpoints.HIGH_WATERMARK_CHECKPOINT, {T0: 5, T1: 6, T2: 7})
    assert dirs.read_offsets(a, checkpoints.HIGH_WATERMARK_CHECKPOINT) == {T0: 5}
    assert dirs.read_offsets(b, checkpoints.HIGH_WATERMARK_CHECKPOINT) == {T1: 6}


def test_directories_are_described_with_their_sizes() -> None:
    files = FakeFileSystem(capacity_bytes=100_000)
    a, b = dirs = open_dirs(files, "/a", "/b")
    dirs.place(T0)
    dirs.place(T1)
    usage = files.disk_usage("/a")
    sizes = {T0: 10, T1: 20}
    described = dirs.measure(dirs.outline(sizes))
    assert described == [
        LogDirDescription("/a", ErrorCode.NONE, *usage, {T0: 10}),
        LogDirDescription("/b", ErrorCode.NONE, *usage, {T1: 20}),
    ]
    assert [row.partition_sizes for row in dirs.outline({T1: 20})] == [{}, {T1: 20}]
    dirs.take_offline(a, "gone")
    files.break_under("/b", errno.EIO)
    described = dirs.measure(dirs.outline(sizes))
    assert described == [LogDirDescription(path, ErrorCode.KAFKA_STORAGE_ERROR, -1, -1, {}) for path in ("/a", "/b")]
    assert b.is_online, "asking for a disk's size, maybe in a worker, decides nothing"
