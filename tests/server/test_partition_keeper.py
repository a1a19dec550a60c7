"""Partitions follow the metadata: after crashes between the two, with disks that fail, with strays."""

from __future__ import annotations

import errno
import logging
from random import Random

import pytest

from batches import TIMESTAMP_MS, batch
from broker_fixture import HandlerBroker
from kwire.errors import UsageError
from kwire.protocol.messages.create_partitions_request import CreatePartitionsRequest, CreatePartitionsTopic
from kwire.protocol.messages.delete_topics_request import DeleteTopicsRequest
from kwire.testing.fake_files import FakeFileSystem


def append(broker: HandlerBroker, topic: str, value: str) -> None:
    broker.partition(topic).append(memoryview(bytearray(batch(value))), TIMESTAMP_MS)


def restarted(broker: HandlerBroker, files: FakeFileSystem) -> HandlerBroker:
    return HandlerBroker(broker.config.static, files=files, store=broker.store)


def directories(files: FakeFileSystem, path: str = "/data") -> list[str]:
    return [name for name in files.list_directory(path) if files.is_directory(f"{path}/{name}")]


def test_a_crash_at_any_moment_of_creating_a_topic_leaves_one_that_works() -> None:
    broker = HandlerBroker()
    before = broker.files.operations
    broker.create_topic("t", 2)
    points = [point for point in broker.files.crash_points() if point >= before]
    assert len(points) > 5
    for point in points:
        # The metadata has the topic in each case: it was committed first.
        for survivor in (broker.files.kill(point), broker.files.crash(Random(point), point)):
            again = restarted(broker, survivor)
            append(again, "t", "works")
            assert [again.partition("t", index).log.log_end_offset for index in range(2)] == [1, 0]


def test_a_crash_at_any_moment_of_deleting_a_topic_leaves_none_of_it() -> None:
    broker = HandlerBroker()
    broker.create_topic("t", 2)
    broker.create_topic("u")
    append(broker, "u", "kept")
    before = broker.files.operations
    broker.ask(DeleteTopicsRequest(topic_names=["t"], timeout_ms=1), 5)
    for point in [point for point in broker.files.crash_points() if point >= before]:
        again = restarted(broker, broker.files.kill(point))
        assert [str(partition) for partition in again.context.partitions] == ["Partition(u-0)"]
        assert {name for name in directories(again.files) if "." not in name} == {"u-0"}
        assert again.partition("u").log.log_end_offset == 1


def test_a_topic_of_the_same_name_begins_empty() -> None:
    broker = HandlerBroker()
    first = broker.create_topic("t")
    append(broker, "t", "old")
    broker.ask(DeleteTopicsRequest(topic_names=["t"], timeout_ms=1), 5)
    assert broker.create_topic("t") != first
    assert broker.partition("t").log.log_end_offset == 0
    assert broker.restart().partition("t").log.log_end_offset == 0


def test_files_of_a_deleted_topic_go_after_their_delay() -> None:
    broker = HandlerBroker()
    broker.create_topic("t", 1, {"file.delete.delay.ms": "1000"})
    broker.ask(DeleteTopicsRequest(topic_names=["t"], timeout_ms=1), 5)
    assert [name.endswith("-delete") for name in directories(broker.files)] == [True]
    for _ in broker.context.logs.remove_deleted(broker.now_ms + 999):
        pass
    assert len(directories(broker.files)) == 1
    for _ in broker.context.logs.remove_deleted(broker.now_ms + 1000):
        pass
    assert directories(broker.files) == []


def test_a_directory_that_belongs_to_no_topic_is_moved_aside_and_never_deleted(
    caplog: pytest.LogCaptureFixture,
) -> None:
    # A data directory of Apache Kafka's looks like this: all its partitions are unknown to our metadata.
    broker = HandlerBroker()
    broker.create_topic("theirs")
    append(broker, "theirs", "precious")
    broker.log_dirs.abandon()
    with caplog.at_level(logging.WARNING):
        again = HandlerBroker(broker.config.static, files=broker.files)
    assert "theirs-0 belongs to no topic" in caplog.text
    (name,) = directories(again.files)
    assert name.startswith("theirs-0.")
    assert name.endswith("-stray")
    for _ in again.context.logs.remove_deleted(again.now_ms + 10**10):
        pass
    assert "00000000000000000000.log" in again.files.list_directory(f"/data/{name}")
    # Moved once, it is left alone, and a topic of that name can be made.
    third = HandlerBroker(again.config.static, files=again.files.kill(), store=again.store)
    third.create_topic("theirs")
    assert directories(third.files) == sorted(["theirs-0", name])


def test_partitions_that_are_added_are_served() -> None:
    broker = HandlerBroker()
    broker.create_topic("t")
    append(broker, "t", "a")
    (row,) = broker.ask(CreatePartitionsRequest([CreatePartitionsTopic("t", 3, None)], 1000), 3).results
    assert row.error_code == 0
    assert [broker.partition("t", index).log.log_end_offset for index in range(3)] == [1, 0, 0]


def test_a_disk_that_fails_while_logs_are_made_leaves_them_to_another() -> None:
    broker = HandlerBroker(log_dirs=("/one", "/two", "/three"))
    broker.files.break_under("/two", errno.EIO)
    broker.create_topic("t", 6)
    homes = [broker.partition("t", index).log.directory.split("/")[1] for index in range(6)]
    assert "two" not in homes
    # No partition lies in two directories, which the next start would refuse.
    broker.log_dirs.abandon()
    broker.files.repair("/two")
    again = HandlerBroker(
        broker.config.static, log_dirs=("/one", "/two", "/three"), files=broker.files, store=broker.store
    )
    assert [again.partition("t", index).log.directory.split("/")[1] for index in range(6)] == homes


def test_without_any_disk_a_topic_is_made_that_nobody_serves(caplog: pytest.LogCaptureFixture) -> None:
    broker = HandlerBroker()
    broker.files.break_under("/data", errno.EIO)
    broker.create_topic("t", 2)
    assert list(broker.context.partitions) == []
    assert "every log directory has failed" in caplog.text
    broker.create_topic("u")


def test_a_disk_that_fails_while_a_topic_is_deleted_goes_offline() -> None:
    broker = HandlerBroker(log_dirs=("/one", "/two"))
    broker.create_topic("t", 2)
    broker.create_topic("u", 2)
    broker.files.break_under("/one", errno.EIO)
    broker.ask(DeleteTopicsRequest(topic_names=["t"], timeout_ms=1), 5)
    assert [partition.log.directory.split("/")[1] for partition in broker.context.partitions] == ["two"]
    assert [log_dir.path for log_dir in broker.log_dirs.online] == ["/two"]


def test_a_copy_of_a_directory_is_refused() -> None:
    files = FakeFileSystem()
    for path in ("/one/t-0", "/two/t-0"):
        files.make_directory(path)
    with pytest.raises(UsageError, match="both hold t-0"):
        HandlerBroker(log_dirs=("/one", "/two"), files=files)
