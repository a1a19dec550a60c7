"""Checkpoints and ids: Kafka's files are read, ours are the same bytes, and nothing is ever half there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kwire.errors import ErrorCode
from kwire.storage import checkpoints
from kwire.storage.checkpoints import (
    MalformedFileError,
    MetaProperties,
    TopicPartition,
    decode_id,
    encode_id,
    read_offsets,
    write_atomically,
    write_offsets,
)
from kwire.storage.file_system import Access
from kwire.testing.fake_files import FakeFileSystem

GOLDEN = Path(__file__).parent / "golden"


def disk(**contents: bytes | str) -> FakeFileSystem:
    """A disk with a directory /d, and these files in it."""
    files = FakeFileSystem()
    files.make_directory("/d")
    files.sync_directory("/")
    for name, content in contents.items():
        put(files, name, content)
    return files


def put(files: FakeFileSystem, name: str, content: bytes | str) -> None:
    files.open(f"/d/{name}", Access.CREATE).write(content.encode() if isinstance(content, str) else content)


def with_golden(name: str) -> tuple[FakeFileSystem, bytes]:
    content = (GOLDEN / name).read_bytes()
    files = disk()
    put(files, name, content)
    return files, content


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (checkpoints.CLEANER_CHECKPOINT, {TopicPartition("compacted", 0): 16}),
        (checkpoints.LOG_START_OFFSET_CHECKPOINT, {}),
        (
            checkpoints.RECOVERY_POINT_CHECKPOINT,
            {
                TopicPartition("txn", 0): 12,
                TopicPartition("idem", 0): 42,
                TopicPartition("compacted", 0): 30,
                TopicPartition("__transaction_state", 0): 0,
            },
        ),
        (
            checkpoints.HIGH_WATERMARK_CHECKPOINT,
            {
                TopicPartition("__transaction_state", 0): 0,
                TopicPartition("compacted", 0): 30,
                TopicPartition("txn", 0): 12,
                TopicPartition("idem", 0): 42,
            },
        ),
    ],
)
def test_kafkas_offset_checkpoints_are_read_and_written_alike(name: str, expected: dict[TopicPartition, int]) -> None:
    files, content = with_golden(name)
    offsets = read_offsets(files, f"/d/{name}")
    assert offsets == expected
    write_offsets(files, "/d/ours", offsets)
    assert checkpoints.read_whole(files, "/d/ours") == content


def test_kafkas_partition_metadata_is_read_and_written_alike() -> None:
    files, content = with_golden(checkpoints.PARTITION_METADATA)
    topic_id = checkpoints.read_partition_metadata(files, "/d")
    assert topic_id == decode_id("L29WMarmSJ68joPiteU5eQ")
    checkpoints.write_partition_metadata(files, "/d", topic_id)
    assert checkpoints.read_whole(files, "/d/partition.metadata") == content


def test_kafkas_meta_properties_are_read_and_written_alike() -> None:
    files, content = with_golden(checkpoints.META_PROPERTIES)
    properties = checkpoints.read_meta_properties(files, "/d")
    assert properties == MetaProperties("aV_BF2VZTNW5iaKXR0m6_Q", 1, decode_id("OwSWHziAL-332I5Fub49dA"))
    checkpoints.write_meta_properties(files, "/d", properties, now_ms=1_794_800_947_000)
    assert checkpoints.read_whole(files, "/d/meta.properties") == content


def test_kafkas_mark_of_a_clean_stop_is_read_and_written_alike() -> None:
    files, content = with_golden(checkpoints.CLEAN_SHUTDOWN)
    assert checkpoints.has_clean_shutdown(files, "/d")
    assert checkpoints.read_broker_epoch(files, "/d") == 15
    checkpoints.remove_clean_shutdown(files, "/d")
    assert not checkpoints.has_clean_shutdown(files, "/d")
    assert not checkpoints.has_clean_shutdown(files.crash(Random(0)), "/d")
    checkpoints.remove_clean_shutdown(files, "/d")
    checkpoints.write_clean_shutdown(files, "/d", 15)
    assert checkpoints.read_whole(files, "/d/.kafka_cleanshutdown") == content


@pytest.mark.parametrize("content", ["", "nonsense", "[]", '{"brokerEpoch":"x"}'])
def test_a_mark_without_a_readable_epoch_is_still_a_mark(content: str) -> None:
    files = disk()
    put(files, ".kafka_cleanshutdown", content)
    assert checkpoints.has_clean_shutdown(files, "/d")
    assert checkpoints.read_broker_epoch(files, "/d") is None


def test_what_is_not_there_is_told_as_none() -> None:
    files = disk(empty=b"")
    assert read_offsets(files, "/d/absent") == {}
    assert read_offsets(files, "/d/empty") == {}, "Kafka creates its checkpoints empty"
    assert checkpoints.read_partition_metadata(files, "/d") is None
    assert checkpoints.read_meta_properties(files, "/d") is None
    assert checkpoints.read_broker_epoch(files, "/d") is None


@pytest.mark.parametrize(
    ("content", "line_number", "reason"),
    [
        ("x\n", 1, "the version expected, 'x' found"),
        ("1\n0\n", 1, "version 1 is not known"),
        ("0\n", 2, "the number of entries expected, '' found"),
        ("0\nmany\n", 2, "the number of entries expected, 'many' found"),
        ("0\n2\nt 0 5\n", 3, "2 entries expected, 1 found"),
        ("0\n1\nt 0 5\nt 1 5\n", 4, "1 entries expected, 2 found"),
        ("0\n2\nt 0 5\nt 1\n", 4, "'t 1' is no entry"),
        ("0\n1\nt zero 5\n", 3, "'t zero 5' is no entry"),
        ("0\n1\nt 0 5 6\n", 3, "'t 0 5 6' is no entry"),
        (b"0\n1\nt\xff 0 5\n", 3, "not UTF-8"),
    ],
)
def test_a_malformed_checkpoint_names_file_and_line(content: str | bytes, line_number: int, reason: str) -> None:
    files = disk(checkpoint=content)
    with pytest.raises(MalformedFileError) as caught:
        read_offsets(files, "/d/checkpoint")
    assert (caught.value.path, caught.value.line_number, caught.value.reason) == (
        "/d/checkpoint",
        line_number,
        reason,
    )
    assert caught.value.code is ErrorCode.KAFKA_STORAGE_ERROR
    assert caught.value.detail == f"/d/checkpoint, line {line_number}: {reason}"


@pytest.mark.parametrize(
    ("content", "line_number"),
    [
        ("", 1),
        ("topic_id: L29WMarmSJ68joPiteU5eQ\nversion: 0", 1),
        ("version: 1\ntopic_id: L29WMarmSJ68joPiteU5eQ", 1),
        ("version: 0\n", 2),
        ("version: 0\ntopic_id: short", 2),
        ("version: 0\ntopic_id: !!!!!!!!!!!!!!!!!!!!!!", 2),
    ],
)
def test_malformed_partition_metadata_names_the_line(content: str, line_number: int) -> None:
    files = disk()
    put(files, "partition.metadata", content)
    with pytest.raises(MalformedFileError) as caught:
        checkpoints.read_partition_metadata(files, "/d")
    assert caught.value.line_number == line_number


@pytest.mark.parametrize(
    ("content", "line_number"),
    [
        ("", 0),
        ("version=0\nbroker.id=1\ncluster.id=x\n", 1),
        ("version=1\nnode.id\n", 2),
        ("version=1\n\nnode.id=one\ncluster.id=x\n", 3),
        ("version=1\nnode.id=1\n", 2),
        ("version=1\nnode.id=1\ncluster.id=x\ndirectory.id=y\n", 4),
    ],
)
def test_malformed_meta_properties_name_the_line(content: str, line_number: int) -> None:
    files = disk()
    put(files, "meta.properties", content)
    with pytest.raises(MalformedFileError) as caught:
        checkpoints.read_meta_properties(files, "/d")
    assert caught.value.line_number == line_number


def test_meta_properties_of_an_older_broker_have_no_directory_id() -> None:
    files = disk()
    properties = MetaProperties("c", 3, None)
    checkpoints.write_meta_properties(files, "/d", properties, now_ms=0)
    assert b"directory" not in checkpoints.read_whole(files, "/d/meta.properties")
    assert checkpoints.read_meta_properties(files, "/d") == properties
    spaced = disk()
    put(spaced, "meta.properties", "! comment\n  version = 1\nnode.id=3\ncluster.id=a\\:b\n")
    assert checkpoints.read_meta_properties(spaced, "/d") == MetaProperties("a:b", 3, None)


@given(st.binary(min_size=16, max_size=16))
def test_ids_come_back(value: bytes) -> None:
    assert decode_id(encode_id(value)) == value
    assert len(encode_id(value)) == 22


topics = st.text("abcXYZ019._-", min_size=1, max_size=20)
partitions = st.builds(TopicPartition, topics, st.integers(0, 2**31 - 1))


@given(st.dictionaries(partitions, st.integers(0, 2**63 - 1), max_size=20))
def test_offsets_come_back(offsets: dict[TopicPartition, int]) -> None:
    files = disk()
    write_offsets(files, "/d/c", offsets)
    assert read_offsets(files, "/d/c") == offsets


def write_some_offsets(files: FakeFileSystem) -> None:
    write_offsets(files, "/d/c", {TopicPartition("t", n): n for n in range(3)})


def write_metadata(files: FakeFileSystem) -> None:
    checkpoints.write_partition_metadata(files, "/d", bytes(16))


@pytest.mark.parametrize(("write", "name"), [(write_some_offsets, "c"), (write_metadata, "partition.metadata")])
def test_a_crash_at_any_step_leaves_the_old_content_or_the_new(
    write: Callable[[FakeFileSystem], None], name: str
) -> None:
    files = disk()
    write_atomically(files, f"/d/{name}", b"old")
    before = files.operations
    write(files)
    new = checkpoints.read_whole(files, f"/d/{name}")
    seen: set[bytes] = set()
    for operation in files.crash_points():
        for seed in range(30 if operation >= before else 0):
            found = checkpoints.read_whole(files.crash(Random(seed), operation), f"/d/{name}")
            assert found in (b"old", new)
            seen.add(found)
    assert seen == {b"old", new}
    for seed in range(30):
        assert checkpoints.read_whole(files.crash(Random(seed)), f"/d/{name}") == new


def test_a_temporary_file_left_by_a_crash_is_overwritten() -> None:
    files = disk()
    put(files, "c.tmp", "something long from before")
    write_atomically(files, "/d/c", b"new")
    assert checkpoints.read_whole(files, "/d/c") == b"new"
    assert files.list_directory("/d") == ["c"]
