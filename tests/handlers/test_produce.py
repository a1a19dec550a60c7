"""Produce: what is appended, what is refused and how, and when it is acknowledged."""

from __future__ import annotations

import errno
from typing import Any

import pytest

from batches import TIMESTAMP_MS, batch, values_in
from broker_fixture import HandlerBroker, flush
from kwire.errors import ErrorCode
from kwire.handlers.reply import NO_REPLY, ConnectionMustCloseError, Later
from kwire.metadata.values import INTERNAL_TOPICS
from kwire.partitions.partition import Partition
from kwire.protocol.messages.produce_request import PartitionProduceData, ProduceRequest, TopicProduceData
from kwire.records.batch import TRANSACTIONAL_FLAG
from kwire.records.compression import CompressionType
from kwire.storage.log import Isolation

VERSIONS = range(3, 14)


@pytest.fixture
def broker() -> HandlerBroker:
    return HandlerBroker()


def request(topic: str | bytes, *partitions: tuple[int, bytes | None], acks: int = -1) -> ProduceRequest:
    data = [PartitionProduceData(*partition) for partition in partitions]
    named = TopicProduceData(name=topic, partition_data=data) if isinstance(topic, str) else None
    return ProduceRequest(None, acks, 1000, [named or TopicProduceData(topic_id=topic, partition_data=data)])


def produce(broker: HandlerBroker, topic: str, *partitions: tuple[int, bytes | None], **options: Any) -> list[Any]:
    version = options.pop("version", 9)
    client_id = options.pop("client_id", "test")
    (answer,) = broker.ask(request(topic, *partitions, **options), version, client_id=client_id).responses
    return list(answer.partition_responses)


def codes(rows: list[Any]) -> list[int]:
    return [row.error_code for row in rows]


def stored(broker: HandlerBroker, topic: str, index: int = 0) -> list[tuple[int, bytes]]:
    result = broker.partition(topic, index).read(0, 1 << 20, Isolation.LOG_END)
    return [value for region in result.regions for value in values_in(region.read())]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("acks", [1, -1])
def test_every_version_appends_and_tells_the_offset(broker: HandlerBroker, version: int, acks: int) -> None:
    topic_id = broker.create_topic("t")
    topic = topic_id if version >= 13 else "t"
    for first in (0, 2):
        (answer,) = broker.ask(request(topic, (0, batch("a", "b")), acks=acks), version).responses
        (row,) = answer.partition_responses
        assert (row.index, row.error_code, row.base_offset, row.log_append_time_ms) == (0, 0, first, -1)
        assert row.log_start_offset == (0 if version >= 5 else -1)
        assert (answer.topic_id if version >= 13 else answer.name) == topic
    assert stored(broker, "t") == [(0, b"a"), (1, b"b"), (2, b"a"), (3, b"b")]


def test_acks_0_appends_and_answers_nothing(broker: HandlerBroker) -> None:
    broker.create_topic("t")
    assert broker.reply(request("t", (0, batch("a")), acks=0), 9) is NO_REPLY
    assert stored(broker, "t") == [(0, b"a")]


def test_an_error_under_acks_0_can_only_be_told_by_closing(broker: HandlerBroker) -> None:
    broker.create_topic("t")
    with pytest.raises(ConnectionMustCloseError):
        broker.reply(request("t", (0, batch("a")), (9, batch("b")), acks=0), 9)
    assert stored(broker, "t") == [(0, b"a")]


@pytest.mark.parametrize("acks", [2, -2, 100])
def test_other_acks_are_refused_and_nothing_is_appended(broker: HandlerBroker, acks: int) -> None:
    broker.create_topic("t")
    (row,) = produce(broker, "t", (0, batch("a")), acks=acks)
    assert (row.error_code, row.base_offset) == (ErrorCode.INVALID_REQUIRED_ACKS, -1)
    assert stored(broker, "t") == []


def test_what_is_unknown_is_told_row_by_row_and_the_rest_is_appended(broker: HandlerBroker) -> None:
    topic_id = broker.create_topic("t", 2)
    rows = produce(broker, "t", (1, batch("one")), (7, batch("x")), (-1, batch("x")), (0, batch("zero")))
    assert [(row.index, row.error_code) for row in rows] == [(1, 0), (7, 3), (-1, 3), (0, 0)]
    assert codes(produce(broker, "nope", (0, batch("x")))) == [ErrorCode.UNKNOWN_TOPIC_OR_PARTITION]
    (known, unknown) = broker.ask(
        ProduceRequest(
            None,
            1,
            1000,
            [
                TopicProduceData(topic_id=topic_id, partition_data=[PartitionProduceData(0, batch("y"))]),
                TopicProduceData(topic_id=b"x" * 16, partition_data=[PartitionProduceData(0, batch("y"))]),
            ],
        ),
        13,
    ).responses
    assert codes(known.partition_responses) == [0]
    assert codes(unknown.partition_responses) == [ErrorCode.UNKNOWN_TOPIC_ID]
    assert (stored(broker, "t", 0), stored(broker, "t", 1)) == ([(0, b"zero"), (1, b"y")], [(0, b"one")])


@pytest.mark.parametrize("topic", sorted(INTERNAL_TOPICS))
def test_only_the_admin_client_writes_to_internal_topics(broker: HandlerBroker, topic: str) -> None:
    broker.create_topic(topic)
    assert codes(produce(broker, topic, (0, batch("x")))) == [ErrorCode.INVALID_TOPIC_EXCEPTION]
    assert stored(broker, topic) == []
    assert codes(produce(broker, topic, (0, batch("x")), client_id="__admin_client")) == [0]


BROKEN_CRC = batch("a")[:17] + bytes(4) + batch("a")[21:]
OLD_MAGIC = batch("a")[:16] + b"\1" + batch("a")[17:]


@pytest.mark.parametrize(
    ("records", "code"),
    [
        pytest.param(None, ErrorCode.INVALID_RECORD, id="null"),
        pytest.param(b"", ErrorCode.INVALID_RECORD, id="empty"),
        pytest.param(batch("a") + batch("b"), ErrorCode.INVALID_RECORD, id="two batches"),
        pytest.param(BROKEN_CRC, ErrorCode.CORRUPT_MESSAGE, id="crc"),
        pytest.param(batch("a")[:-1], ErrorCode.INVALID_RECORD, id="cut off"),
        pytest.param(OLD_MAGIC, ErrorCode.UNSUPPORTED_FOR_MESSAGE_FORMAT, id="old format"),
        pytest.param(batch("a" * 2000), ErrorCode.MESSAGE_TOO_LARGE, id="too large"),
        pytest.param(batch("a", timestamp_ms=1), ErrorCode.INVALID_TIMESTAMP, id="too old"),
        pytest.param(batch("a", producer_id=5, epoch=0, sequence=3), 0, id="any first sequence"),
    ],
)
def test_a_batch_that_breaks_a_rule_is_refused_and_the_next_is_not(
    broker: HandlerBroker, records: bytes | None, code: int
) -> None:
    broker.create_topic("t", 2, {"max.message.bytes": "1000", "message.timestamp.before.max.ms": "86400000"})
    rows = produce(broker, "t", (0, records), (1, batch("b")), version=9)
    assert codes(rows) == [code, 0]
    if code:
        assert (rows[0].base_offset, rows[0].log_append_time_ms, rows[0].log_start_offset) == (-1, -1, -1)
        assert stored(broker, "t", 0) == []
    assert stored(broker, "t", 1) == [(0, b"b")]


def test_a_batch_larger_than_a_segment_is_refused(broker: HandlerBroker) -> None:
    broker.create_topic("t", 1, {"segment.bytes": str(1 << 20), "max.message.bytes": str(1 << 22)})
    assert codes(produce(broker, "t", (0, batch(b"x" * (1 << 20))))) == [ErrorCode.RECORD_LIST_TOO_LARGE]


def test_records_without_a_key_on_a_compacted_topic_are_named_from_version_8_on(broker: HandlerBroker) -> None:
    broker.create_topic("t", 1, {"cleanup.policy": "compact"})
    keyless = batch("a", "b", key=None)
    (row,) = produce(broker, "t", (0, keyless), version=8)
    assert row.error_code == ErrorCode.INVALID_RECORD
    assert [error.batch_index for error in row.record_errors] == [0, 1]
    assert row.error_message
    (row,) = produce(broker, "t", (0, keyless), version=7)
    assert (row.error_code, list(row.record_errors)) == (ErrorCode.INVALID_RECORD, [])


@pytest.mark.parametrize(("version", "code"), [(3, 76), (6, 76), (7, 0), (13, 0)])
def test_zstd_needs_version_7(broker: HandlerBroker, version: int, code: int) -> None:
    topic_id = broker.create_topic("t")
    data = batch("a", codec=CompressionType.ZSTD)
    (answer,) = broker.ask(request(topic_id if version >= 13 else "t", (0, data)), version).responses
    assert codes(answer.partition_responses) == [code]


def test_a_repeated_batch_is_answered_as_the_first_time_and_a_gap_is_refused(broker: HandlerBroker) -> None:
    broker.create_topic("t")

    def send(sequence: int, epoch: int = 1) -> tuple[int, int]:
        data = batch("a", "b", producer_id=9, epoch=epoch, sequence=sequence)
        (row,) = produce(broker, "t", (0, data))
        return row.error_code, row.base_offset

    assert [send(0), send(2), send(4)] == [(0, 0), (0, 2), (0, 4)]
    assert [send(2), send(0)] == [(0, 2), (0, 0)]
    assert send(8) == (ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER, -1)
    assert send(6, epoch=0) == (ErrorCode.INVALID_PRODUCER_EPOCH, -1)
    assert len(stored(broker, "t")) == 6


def test_log_append_time_is_told(broker: HandlerBroker) -> None:
    broker.create_topic("t", 1, {"message.timestamp.type": "LogAppendTime"})
    broker.now_ms = TIMESTAMP_MS + 77
    (row,) = produce(broker, "t", (0, batch("a")))
    assert row.log_append_time_ms == TIMESTAMP_MS + 77


def test_a_disk_that_fails_takes_its_partitions_offline_and_no_others() -> None:
    broker = HandlerBroker(log_dirs=("/one", "/two"))
    broker.create_topic("t", 4)
    homes = {index: broker.partition("t", index).log.directory.split("/")[1] for index in range(4)}
    broken = [index for index, home in homes.items() if home == "one"]
    assert 0 < len(broken) < 4
    broker.files.break_under("/one", errno.EIO)
    rows = produce(broker, "t", *((index, batch("a")) for index in range(4)))
    assert codes(rows) == [ErrorCode.KAFKA_STORAGE_ERROR if index in broken else 0 for index in range(4)]
    # From now on they are known to be offline, which is another thing than unknown.
    assert codes(produce(broker, "t", (broken[0], batch("a")), (9, batch("a")))) == [56, 3]


# ---- flush.messages=1 ------------------------------------------------------------------------------------------------


class Flushing:
    """A broker whose flushes happen when the test says so."""

    def __init__(self, **options: Any) -> None:
        self.due: list[Partition] = []
        self.broker = HandlerBroker({"log.flush.interval.messages": "1"}, flush_soon=self.due.append, **options)

    def flush(self, partition: Partition) -> None:
        self.due = [one for one in self.due if one is not partition]
        flush(partition)


def test_an_acknowledgement_waits_for_every_partition_of_the_request() -> None:
    flushing = Flushing()
    broker = flushing.broker
    broker.create_topic("t", 2)
    reply = broker.reply(request("t", (0, batch("a")), (1, batch("b")), (5, batch("c"))), 9)
    assert isinstance(reply, Later)
    assert not reply.is_poll
    flushing.flush(broker.partition("t", 0))
    assert reply.message is None
    flushing.flush(broker.partition("t", 1))
    assert reply.message is not None
    (answer,) = reply.message.responses
    assert [(row.error_code, row.base_offset) for row in answer.partition_responses] == [(0, 0), (0, 0), (3, -1)]


def test_a_repeated_batch_waits_for_the_first_to_be_on_disk() -> None:
    flushing = Flushing()
    broker = flushing.broker
    broker.create_topic("t")
    data = batch("a", producer_id=1, epoch=0, sequence=0)
    replies = [broker.reply(request("t", (0, data)), 9) for _ in range(2)]
    assert all(isinstance(reply, Later) and reply.is_open for reply in replies)
    flushing.flush(broker.partition("t"))
    rows = [reply.message.responses[0].partition_responses[0] for reply in replies]
    assert [(row.error_code, row.base_offset) for row in rows] == [(0, 0), (0, 0)]


def test_acks_0_does_not_wait_for_the_disk() -> None:
    flushing = Flushing()
    flushing.broker.create_topic("t")
    assert flushing.broker.reply(request("t", (0, batch("a")), acks=0), 9) is NO_REPLY


def test_a_disk_that_fails_before_the_sync_is_told_to_who_waits_for_it() -> None:
    flushing = Flushing(log_dirs=("/one", "/two"))
    broker = flushing.broker
    broker.create_topic("t", 2)
    by_home = {broker.partition("t", index).log.directory.split("/")[1]: index for index in range(2)}
    waiting = broker.reply(request("t", (0, batch("a")), (1, batch("b"))), 9)
    assert isinstance(waiting, Later)
    broker.files.break_under("/one", errno.EIO)
    failing = broker.ask(request("t", (by_home["one"], batch("c"))), 9)
    assert codes(failing.responses[0].partition_responses) == [ErrorCode.KAFKA_STORAGE_ERROR]
    assert waiting.message is None
    flushing.flush(broker.partition("t", by_home["two"]))
    (answer,) = waiting.message.responses
    by_index = {row.index: row.error_code for row in answer.partition_responses}
    assert by_index == {by_home["one"]: ErrorCode.KAFKA_STORAGE_ERROR, by_home["two"]: 0}


def test_a_disk_that_fails_in_the_same_request_is_told_for_what_it_had_taken() -> None:
    flushing = Flushing()
    broker = flushing.broker
    broker.create_topic("t", 2)
    broker.files.fail(broker.files.operations + 2, errno.EIO)  # the second batch's write
    reply = broker.reply(request("t", (0, batch("a")), (1, batch("b"))), 9)
    assert isinstance(reply, Later)
    assert reply.message is not None
    assert codes(list(reply.message.responses[0].partition_responses)) == [56, 56]


def test_a_topic_that_is_deleted_meanwhile_is_told() -> None:
    from kwire.protocol.messages.delete_topics_request import DeleteTopicsRequest

    flushing = Flushing()
    broker = flushing.broker
    broker.create_topic("t")
    reply = broker.reply(request("t", (0, batch("a"))), 9)
    assert isinstance(reply, Later)
    broker.ask(DeleteTopicsRequest(topic_names=["t"], timeout_ms=1000), 5)
    assert reply.message is not None
    assert codes(reply.message.responses[0].partition_responses) == [ErrorCode.UNKNOWN_TOPIC_OR_PARTITION]


def test_a_transactional_batch_moves_the_high_watermark_and_not_the_last_stable_offset(broker: HandlerBroker) -> None:
    broker.create_topic("t")
    data = batch("a", producer_id=4, epoch=0, sequence=0, flags=TRANSACTIONAL_FLAG)
    assert codes(produce(broker, "t", (0, data))) == [0]
    log = broker.partition("t").log
    assert (log.high_watermark, log.last_stable_offset) == (1, 0)
