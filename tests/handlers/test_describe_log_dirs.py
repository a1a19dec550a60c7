"""DescribeLogDirs: where partitions lie, how large they are, how much room is left."""

from __future__ import annotations

import errno

import pytest

from broker_fixture import HandlerBroker
from kwire.errors import ErrorCode
from kwire.handlers.describe_log_dirs import describe_log_dirs
from kwire.handlers.registry import Call
from kwire.handlers.reply import Blocking
from kwire.protocol.messages.delete_topics_request import DeleteTopicsRequest
from kwire.protocol.messages.describe_log_dirs_request import DescribableLogDirTopic, DescribeLogDirsRequest
from kwire.storage.file_system import StorageError
from kwire.testing.fake_files import FakeFileSystem

ALL = DescribeLogDirsRequest(None)


@pytest.fixture
def two() -> HandlerBroker:
    broker = HandlerBroker(log_dirs=("/one", "/two"), files=FakeFileSystem(capacity_bytes=1_000_000))
    broker.create_topic("orders", 2)
    broker.produce("orders", "a")
    return broker


@pytest.mark.parametrize("version", range(1, 6))
def test_all_partitions(two: HandlerBroker, version: int) -> None:
    response = two.ask(ALL, version)
    assert (response.error_code, [row.log_dir for row in response.results]) == (0, ["/one", "/two"])
    sizes = {
        (row.log_dir, topic.name, one.partition_index): one.partition_size
        for row in response.results
        for topic in row.topics
        for one in topic.partitions
    }
    filled = two.partition("orders", 0).log
    assert sizes == {
        (filled.directory[:4], "orders", 0): filled.size_bytes,
        (two.partition("orders", 1).log.directory[:4], "orders", 1): 0,
    }
    assert filled.size_bytes > 0
    usage = two.files.disk_usage("/one")
    told = {(row.total_bytes, row.usable_bytes) for row in response.results}
    assert told == {tuple(usage) if version >= 4 else (-1, -1)}


def test_some_partitions(two: HandlerBroker) -> None:
    asked = [DescribableLogDirTopic("orders", [1, 1, 9]), DescribableLogDirTopic("nope", [0])]
    response = two.ask(DescribeLogDirsRequest(asked), 4)
    told = [
        (topic.name, one.partition_index)
        for row in response.results
        for topic in row.topics
        for one in topic.partitions
    ]
    assert told == [("orders", 1)]
    assert [list(row.topics) for row in two.ask(DescribeLogDirsRequest([]), 4).results] == [[], []]


def test_a_failed_directory_says_so(two: HandlerBroker) -> None:
    two.context.storage_failed(StorageError("/one", errno.EIO))
    one, other = two.ask(ALL, 4).results
    assert (one.error_code, list(one.topics), one.total_bytes) == (ErrorCode.KAFKA_STORAGE_ERROR, [], -1)
    assert (other.error_code, len(other.topics)) == (0, 1)


def test_a_disk_that_does_not_answer_is_no_trouble_for_the_other(two: HandlerBroker) -> None:
    two.files.break_under("/two", errno.EIO)
    assert [row.error_code for row in two.ask(ALL, 4).results] == [0, ErrorCode.KAFKA_STORAGE_ERROR]


def test_a_topic_that_goes_while_disks_are_asked_is_no_trouble(two: HandlerBroker) -> None:
    reply = describe_log_dirs(two.context, ALL, Call(4, None, ("127.0.0.1", 1), "PLAINTEXT"))
    assert isinstance(reply, Blocking)
    two.ask(DeleteTopicsRequest((), ["orders"], 1000), 5)
    described = reply.work()
    assert [row.error for row in described] == [0, 0]
