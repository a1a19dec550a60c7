"""AlterReplicaLogDirs: what a partition's directory can be."""

from __future__ import annotations

import errno

import pytest

from broker_fixture import HandlerBroker
from kwire.errors import ErrorCode
from kwire.protocol.messages.alter_replica_log_dirs_request import (
    AlterReplicaLogDir,
    AlterReplicaLogDirsRequest,
    AlterReplicaLogDirTopic,
)
from kwire.storage.file_system import StorageError


def move(broker: HandlerBroker, *moves: tuple[str, str, list[int]], version: int = 2) -> dict[tuple[str, int], int]:
    dirs = [AlterReplicaLogDir(path, [AlterReplicaLogDirTopic(name, indexes)]) for path, name, indexes in moves]
    response = broker.ask(AlterReplicaLogDirsRequest(dirs), version)
    return {
        (topic.topic_name, row.partition_index): row.error_code
        for topic in response.results
        for row in topic.partitions
    }


@pytest.fixture
def two() -> HandlerBroker:
    broker = HandlerBroker(log_dirs=("/one", "/two"))
    broker.create_topic("orders", 2)
    return broker


def home_of(broker: HandlerBroker, index: int) -> str:
    home = broker.log_dirs.home(broker.partition("orders", index).log.partition)
    assert home is not None
    return home.path


@pytest.mark.parametrize("version", [1, 2])
def test_to_where_it_lies_is_done(two: HandlerBroker, version: int) -> None:
    assert move(two, (home_of(two, 0), "orders", [0]), version=version) == {("orders", 0): 0}


def test_to_another_directory_is_not_attempted(two: HandlerBroker) -> None:
    assert move(two, (home_of(two, 1), "orders", [0])) == {("orders", 0): ErrorCode.OPERATION_NOT_ATTEMPTED}


def test_what_is_not_there_does_not_fail_the_rest(two: HandlerBroker) -> None:
    here = home_of(two, 0)
    assert move(two, ("/nowhere", "orders", [1]), (here, "orders", [0, 9]), (here, "nope", [0])) == {
        ("orders", 1): ErrorCode.LOG_DIR_NOT_FOUND,
        ("orders", 0): 0,
        ("orders", 9): ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        ("nope", 0): ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
    }


def test_a_failed_disk_says_so(two: HandlerBroker) -> None:
    failed, working = home_of(two, 0), home_of(two, 1)
    two.context.storage_failed(StorageError(failed, errno.EIO))
    assert move(two, (failed, "orders", [1])) == {("orders", 1): ErrorCode.KAFKA_STORAGE_ERROR}
    assert move(two, (working, "orders", [0])) == {("orders", 0): ErrorCode.KAFKA_STORAGE_ERROR}


def test_the_last_word_about_a_partition_counts(two: HandlerBroker) -> None:
    assert move(two, ("/nowhere", "orders", [0]), (home_of(two, 0), "orders", [0])) == {("orders", 0): 0}
