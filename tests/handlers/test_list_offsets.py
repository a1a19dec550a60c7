"""ListOffsets: the offsets that a consumer starts from."""

from __future__ import annotations

import errno
from typing import Any

import pytest

from batches import TIMESTAMP_MS, batch
from broker_fixture import HandlerBroker
from kwire.errors import ErrorCode
from kwire.protocol.messages.list_offsets_request import ListOffsetsPartition, ListOffsetsRequest, ListOffsetsTopic
from kwire.records.batch import TRANSACTIONAL_FLAG
from kwire.storage.files import StorageError

VERSIONS = range(1, 12)
LATEST, EARLIEST, LARGEST, EARLIEST_LOCAL, LATEST_TIERED, EARLIEST_PENDING = -1, -2, -3, -4, -5, -6


@pytest.fixture
def broker() -> HandlerBroker:
    broker = HandlerBroker()
    broker.create_topic("t", 2)
    return broker


def append(broker: HandlerBroker, *values: str, at_ms: int = 0, **options: Any) -> None:
    data = batch(*values, timestamp_ms=TIMESTAMP_MS + at_ms, **options)
    broker.partition("t").append(memoryview(bytearray(data)), TIMESTAMP_MS)


def ask(
    broker: HandlerBroker, timestamp: int, version: int = 11, isolation: int = 0, topic: str = "t", **fields: Any
) -> tuple[int, int, int]:
    row = ListOffsetsPartition(**{"partition_index": 0, "timestamp": timestamp, **fields})
    request = ListOffsetsRequest(isolation_level=isolation, topics=[ListOffsetsTopic(topic, [row])])
    ((found,),) = [one.partitions for one in broker.ask(request, version).topics]
    return found.error_code, found.offset, found.timestamp


@pytest.mark.parametrize("version", VERSIONS)
def test_earliest_and_latest_in_every_version(broker: HandlerBroker, version: int) -> None:
    append(broker, "a", "b", "c")
    assert ask(broker, LATEST, version) == (0, 3, -1)
    assert ask(broker, EARLIEST, version) == (0, 0, -1)
    broker.partition("t").log.delete_records_before(2)
    assert ask(broker, EARLIEST, version) == (0, 2, -1)


@pytest.mark.parametrize(
    ("timestamp", "since", "offset"),
    [(LARGEST, 7, 1), (EARLIEST_LOCAL, 8, 0), (LATEST_TIERED, 9, -1), (EARLIEST_PENDING, 11, -1), (-7, 99, -1)],
)
@pytest.mark.parametrize("version", VERSIONS)
def test_special_timestamps_have_a_meaning_from_their_version_on(
    broker: HandlerBroker, version: int, timestamp: int, since: int, offset: int
) -> None:
    append(broker, "a")
    append(broker, "b", at_ms=10)
    append(broker, "c", at_ms=5)
    code, found, _ = ask(broker, timestamp, version)
    assert code == (0 if version >= since else ErrorCode.UNSUPPORTED_VERSION)
    if version >= since and timestamp != EARLIEST_PENDING:
        assert found == offset


@pytest.mark.parametrize(
    ("at_ms", "expected"), [(-100, (0, 0)), (0, (0, 0)), (1, (2, 10)), (10, (2, 10)), (11, (3, 20)), (21, (-1, None))]
)
def test_the_first_offset_whose_time_is_not_before(
    broker: HandlerBroker, at_ms: int, expected: tuple[int, int | None]
) -> None:
    append(broker, "a", "b")
    append(broker, "c", at_ms=10)
    append(broker, "d", at_ms=20)
    offset, found_at = expected
    timestamp = -1 if found_at is None else TIMESTAMP_MS + found_at
    assert ask(broker, TIMESTAMP_MS + at_ms) == (0, offset, timestamp)


def test_read_committed_ends_before_an_open_transaction(broker: HandlerBroker) -> None:
    append(broker, "a")
    append(broker, "b", producer_id=3, epoch=0, sequence=0, flags=TRANSACTIONAL_FLAG)
    assert ask(broker, LATEST, isolation=0)[1] == 2
    assert ask(broker, LATEST, isolation=1)[1] == 1


@pytest.mark.parametrize(("asked", "code"), [(-1, 0), (2, 0), (1, 74), (3, 75)])
def test_the_leader_epoch_is_compared(broker: HandlerBroker, asked: int, code: int) -> None:
    broker.partition("t").leader_epoch = 2
    assert ask(broker, LATEST, current_leader_epoch=asked)[0] == code


def test_what_is_unknown_is_told_in_its_row(broker: HandlerBroker) -> None:
    assert ask(broker, LATEST, topic="nope") == (ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, -1, -1)
    assert ask(broker, LATEST, partition_index=9) == (ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, -1, -1)


def test_the_epoch_of_the_record_is_told_from_version_4_on(broker: HandlerBroker) -> None:
    broker.partition("t").leader_epoch = 6
    append(broker, "a")
    row = ListOffsetsPartition(partition_index=0, timestamp=TIMESTAMP_MS)
    for version in (3, 4, 11):
        (answer,) = broker.ask(ListOffsetsRequest(topics=[ListOffsetsTopic("t", [row])]), version).topics
        assert answer.partitions[0].leader_epoch == (6 if version >= 4 else -1)


def test_a_partition_whose_disk_has_failed_is_another_thing_than_unknown(broker: HandlerBroker) -> None:
    broker.context.storage_failed(StorageError("/data", errno.EIO))
    assert ask(broker, LATEST)[0] == ErrorCode.KAFKA_STORAGE_ERROR
    assert ask(broker, LATEST, partition_index=9)[0] == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
