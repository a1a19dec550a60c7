"""DeleteRecords: what lies before an offset is gone."""

from __future__ import annotations

import errno

import pytest

from broker_fixture import HandlerBroker
from kwire.errors import ErrorCode
from kwire.protocol.messages.delete_records_request import (
    DeleteRecordsPartition,
    DeleteRecordsRequest,
    DeleteRecordsTopic,
)
from kwire.storage.file_system import StorageError


def delete(
    broker: HandlerBroker, *rows: tuple[int, int], topic: str = "orders", version: int = 2
) -> list[tuple[int, int, int]]:
    """(partition, low watermark, error) for each (partition, offset)."""
    partitions = [DeleteRecordsPartition(*row) for row in rows]
    (told,) = broker.ask(DeleteRecordsRequest([DeleteRecordsTopic(topic, partitions)], 1000), version).topics
    return [(one.partition_index, one.low_watermark, one.error_code) for one in told.partitions]


@pytest.fixture
def filled(broker: HandlerBroker) -> HandlerBroker:
    broker.create_topic("orders", 3)
    for index in range(3):
        broker.produce("orders", "a", "b", "c", index=index)
    return broker


@pytest.mark.parametrize("version", range(3))
def test_the_log_starts_later(filled: HandlerBroker, version: int) -> None:
    assert delete(filled, (0, 1), (1, -1), (2, 0), version=version) == [(0, 1, 0), (1, 3, 0), (2, 0, 0)]
    assert [filled.partition("orders", index).log.log_start_offset for index in range(3)] == [1, 3, 0]


def test_it_never_goes_back(filled: HandlerBroker) -> None:
    delete(filled, (0, 2))
    assert delete(filled, (0, 1)) == [(0, 2, 0)]


def test_what_is_refused_does_not_fail_the_rest(filled: HandlerBroker) -> None:
    assert delete(filled, (0, 4), (9, 0), (1, -2), (2, 3)) == [
        (0, -1, ErrorCode.OFFSET_OUT_OF_RANGE),
        (9, -1, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
        (1, -1, ErrorCode.OFFSET_OUT_OF_RANGE),
        (2, 3, 0),
    ]
    assert delete(filled, (0, 0), topic="nope") == [(0, -1, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)]


def test_only_where_records_may_be_deleted(broker: HandlerBroker) -> None:
    broker.create_topic("compacted", 1, {"cleanup.policy": "compact"})
    broker.create_topic("both", 1, {"cleanup.policy": "compact,delete"})
    broker.create_topic("neither", 1, {"cleanup.policy": ""})
    broker.create_topic("__consumer_offsets")
    assert delete(broker, (0, 0), topic="compacted") == [(0, -1, ErrorCode.POLICY_VIOLATION)]
    assert delete(broker, (0, 0), topic="both") == [(0, 0, 0)]
    assert delete(broker, (0, 0), topic="neither") == [(0, 0, 0)]
    assert delete(broker, (0, 0), topic="__consumer_offsets") == [(0, -1, ErrorCode.INVALID_TOPIC_EXCEPTION)]


def test_a_partition_on_a_failed_disk_says_so(filled: HandlerBroker) -> None:
    filled.context.storage_failed(StorageError("/data", errno.EIO))
    assert delete(filled, (0, 1)) == [(0, -1, ErrorCode.KAFKA_STORAGE_ERROR)]
