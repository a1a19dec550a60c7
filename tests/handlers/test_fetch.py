"""Fetch: limits, long polls, isolation, errors. Sessions are in test_fetch_sessions."""

from __future__ import annotations

import errno
from typing import Any

import pytest

from batches import TIMESTAMP_MS, batch, values_in
from broker_fixture import START_MS, HandlerBroker, flush
from kwire.errors import ErrorCode
from kwire.handlers.reply import Later
from kwire.partitions.partition import Partition
from kwire.protocol.messages.delete_topics_request import DeleteTopicsRequest
from kwire.protocol.messages.fetch_request import FetchPartition, FetchRequest, FetchTopic
from kwire.records.batch import TRANSACTIONAL_FLAG
from kwire.records.control import ControlType, EndTransactionMarker

VERSIONS = range(4, 19)
SIZE = len(batch("a"))


@pytest.fixture
def broker() -> HandlerBroker:
    broker = HandlerBroker()
    broker.create_topic("t", 3)
    return broker


def append(broker: HandlerBroker, index: int, *values: str, topic: str = "t", **options: Any) -> None:
    broker.partition(topic, index).append(memoryview(bytearray(batch(*values, **options))), TIMESTAMP_MS)


def request(*partitions: FetchPartition, topic: str | bytes = "t", **fields: Any) -> FetchRequest:
    named = {"topic": topic} if isinstance(topic, str) else {"topic_id": topic}
    fields = {"max_wait_ms": 500, "min_bytes": 1, "max_bytes": 1 << 20, "session_epoch": -1, **fields}
    return FetchRequest(topics=[FetchTopic(partitions=list(partitions), **named)], **fields)


def at(index: int, offset: int = 0, max_bytes: int = 1 << 20, **fields: Any) -> FetchPartition:
    return FetchPartition(partition=index, fetch_offset=offset, partition_max_bytes=max_bytes, **fields)


def rows(response: Any) -> list[Any]:
    return [row for topic in response.responses for row in topic.partitions]


def values(row: Any) -> list[bytes]:
    return [value for _, value in values_in(row.records)]


@pytest.mark.parametrize("version", VERSIONS)
def test_every_version_reads_what_was_appended(broker: HandlerBroker, version: int) -> None:
    append(broker, 1, "a", "b")
    topic = broker.partition("t").topic_id if version >= 13 else "t"
    response = broker.ask(request(at(1), topic=topic), version)
    (row,) = rows(response)
    assert (row.partition_index, row.error_code, row.high_watermark, row.last_stable_offset) == (1, 0, 2, 2)
    assert values_in(row.records) == [(0, b"a"), (1, b"b")]
    assert row.log_start_offset == (0 if version >= 5 else -1)
    assert row.aborted_transactions is None
    assert (response.responses[0].topic_id if version >= 13 else response.responses[0].topic) == topic
    assert broker.now_ms == START_MS


def test_a_fetch_from_the_middle_of_a_batch_returns_the_whole_batch(broker: HandlerBroker) -> None:
    append(broker, 0, "a", "b", "c")
    (row,) = rows(broker.ask(request(at(0, 1)), 12))
    assert values_in(row.records) == [(0, b"a"), (1, b"b"), (2, b"c")]


def test_a_partition_gives_no_more_than_its_limit(broker: HandlerBroker) -> None:
    for value in "abcd":
        append(broker, 0, value)
    (row,) = rows(broker.ask(request(at(0, 0, 2 * SIZE + 10)), 12))
    assert values(row)[:2] == [b"a", b"b"]
    assert len(row.records) <= 2 * SIZE + 10


@pytest.mark.parametrize("limits", [(0, 1 << 20), (1 << 20, 0), (1, 1), (-5, -5)])
def test_the_first_batch_is_returned_even_if_it_is_larger_than_every_limit(
    broker: HandlerBroker, limits: tuple[int, int]
) -> None:
    for index in range(3):
        append(broker, index, "a" * 5000)
    found = rows(broker.ask(request(at(0, 0, limits[0]), at(1, 0, limits[0]), at(2), max_bytes=limits[1]), 12))
    assert values(found[0]) == [b"a" * 5000]
    # The next has its own limit, and the third as well: it gets what is left of the whole response's.
    assert [len(row.records) > 0 for row in found] == [True, False, limits[1] > 5000]
    assert [row.error_code for row in found] == [0, 0, 0]
    assert [row.high_watermark for row in found] == [1, 1, 1]


def test_a_response_gives_no_more_than_its_limit_but_for_the_first_batch(broker: HandlerBroker) -> None:
    for index in range(3):
        append(broker, index, "a")
    found = rows(broker.ask(request(at(0), at(1), at(2), max_bytes=2 * SIZE), 12))
    assert [len(row.records) for row in found] == [SIZE, SIZE, 0]


def test_the_brokers_own_limit_holds_too() -> None:
    broker = HandlerBroker({"fetch.max.bytes": "1024"})
    broker.create_topic("t", 2)
    for index in range(2):
        append(broker, index, "a" * 700)
    found = rows(broker.ask(request(at(0), at(1)), 12))
    assert [len(row.records) > 0 for row in found] == [True, False]


def test_what_is_asked_for_is_answered_in_its_order(broker: HandlerBroker) -> None:
    append(broker, 2, "a")
    found = rows(broker.ask(request(at(2), at(9), at(0)), 12))
    assert [(row.partition_index, row.error_code) for row in found] == [(2, 0), (9, 3), (0, 0)]


# ---- long polls ------------------------------------------------------------------------------------------------------


def test_a_fetch_that_finds_nothing_is_answered_when_its_time_is_over(broker: HandlerBroker) -> None:
    reply = broker.reply(request(at(0)), 12)
    assert isinstance(reply, Later)
    assert reply.is_poll
    broker.pass_time_until(reply)
    assert broker.now_ms == START_MS + 500
    assert len(broker.context.timers) == 0
    assert broker.partition("t").data_waits == set()


@pytest.mark.parametrize("fields", [{"max_wait_ms": 0}, {"min_bytes": 0}, {"min_bytes": -1}, {"max_wait_ms": -1}])
def test_a_fetch_that_does_not_want_to_wait_does_not(broker: HandlerBroker, fields: dict[str, int]) -> None:
    (row,) = rows(broker.ask(request(at(0), **fields), 12))
    assert (len(row.records), broker.now_ms) == (0, START_MS)


def test_a_fetch_is_answered_as_soon_as_enough_has_come_to_all_its_partitions(broker: HandlerBroker) -> None:
    append(broker, 0, "old")
    reply = broker.reply(request(at(0, 1), at(1), min_bytes=2 * SIZE), 12)
    assert isinstance(reply, Later)
    append(broker, 0, "a")
    append(broker, 2, "nobody asked")
    broker.context.ready.run(10)
    assert reply.is_open
    append(broker, 1, "b")
    broker.context.ready.run(10)
    assert [values_in(row.records.read()) for row in rows(reply.message)] == [[(1, b"a")], [(0, b"b")]]
    assert (broker.now_ms, len(broker.context.timers)) == (START_MS, 0)


def test_what_came_too_little_is_returned_when_time_is_over(broker: HandlerBroker) -> None:
    reply = broker.reply(request(at(0), min_bytes=1000), 12)
    assert isinstance(reply, Later)
    append(broker, 0, "a")
    broker.pass_time_until(reply)
    assert broker.now_ms == START_MS + 500
    assert [values_in(row.records.read()) for row in rows(reply.message)] == [[(0, b"a")]]


def test_an_error_ends_the_wait_but_an_unknown_topic_does_not(broker: HandlerBroker) -> None:
    (row, _) = rows(broker.ask(request(at(0, 99), at(1)), 12))
    assert (row.error_code, broker.now_ms) == (ErrorCode.OFFSET_OUT_OF_RANGE, START_MS)
    reply = broker.reply(request(at(9), at(1)), 12)
    assert isinstance(reply, Later)
    broker.pass_time_until(reply)
    assert [row.error_code for row in rows(reply.message)] == [3, 0]
    # With nothing to wait for there is no wait.
    now_ms = broker.now_ms
    assert [row.error_code for row in rows(broker.ask(request(at(9)), 12))] == [3]
    assert rows(broker.ask(FetchRequest(max_wait_ms=500, min_bytes=1, session_epoch=-1), 12)) == []
    assert broker.now_ms == now_ms


def test_a_wait_that_is_abandoned_leaves_nothing_behind(broker: HandlerBroker) -> None:
    replies = [broker.reply(request(at(0)), 12) for _ in range(3)]
    append(broker, 1, "not here")
    for reply in replies:
        assert isinstance(reply, Later)
        reply.abandon()
    assert (broker.partition("t").data_waits, len(broker.context.timers)) == (set(), 0)


def test_a_wait_that_is_abandoned_when_its_bytes_have_come_reads_nothing(broker: HandlerBroker) -> None:
    reply = broker.reply(request(at(0)), 12)
    assert isinstance(reply, Later)
    append(broker, 0, "a")
    reply.abandon()
    broker.files.break_under("/data", errno.EIO)
    broker.context.ready.run(10)
    assert reply.message is None


def test_a_topic_that_is_deleted_ends_the_wait(broker: HandlerBroker) -> None:
    reply = broker.reply(request(at(0)), 12)
    assert isinstance(reply, Later)
    broker.ask(DeleteTopicsRequest(topic_names=["t"], timeout_ms=1), 5)
    broker.context.ready.run(10)
    assert [row.error_code for row in rows(reply.message)] == [ErrorCode.UNKNOWN_TOPIC_OR_PARTITION]
    assert broker.now_ms == START_MS


def test_a_disk_that_fails_ends_the_wait(broker: HandlerBroker) -> None:
    reply = broker.reply(request(at(0)), 12)
    assert isinstance(reply, Later)
    broker.files.break_under("/data", errno.EIO)
    with pytest.raises(Exception, match="EIO") as failed:
        append(broker, 1, "a")
    broker.context.storage_failed(failed.value)
    broker.context.ready.run(10)
    assert [row.error_code for row in rows(reply.message)] == [ErrorCode.KAFKA_STORAGE_ERROR]


def test_where_a_segment_ends_and_another_follows_there_is_nothing_to_wait_for() -> None:
    broker = HandlerBroker()
    broker.create_topic("t", 1, {"segment.bytes": str(1 << 20)})
    append(broker, 0, "a" * 900_000)
    append(broker, 0, "b" * 900_000)
    found = rows(broker.ask(request(at(0), min_bytes=1_500_000, max_bytes=1 << 22), 12))
    assert len(found[0].records) < 1_000_000
    assert broker.now_ms == START_MS


def test_readers_of_a_partition_that_is_flushed_first_wait_for_the_disk_and_for_enough() -> None:
    due: list[Partition] = []
    broker = HandlerBroker({"log.flush.interval.messages": "1"}, flush_soon=due.append)
    broker.create_topic("t")
    reply = broker.reply(request(at(0), min_bytes=2 * SIZE), 12)
    assert isinstance(reply, Later)
    append(broker, 0, "a")
    flush(due.pop())
    broker.context.ready.run(10)
    assert reply.is_open
    append(broker, 0, "b")
    broker.context.ready.run(10)
    assert reply.is_open
    flush(due.pop())
    broker.context.ready.run(10)
    assert [values_in(row.records.read()) for row in rows(reply.message)] == [[(0, b"a"), (1, b"b")]]
    assert broker.now_ms == START_MS


# ---- isolation -------------------------------------------------------------------------------------------------------


def end_transaction(broker: HandlerBroker, kind: ControlType, producer_id: int = 8) -> None:
    partition = broker.partition("t")
    partition.log.append_marker(
        EndTransactionMarker(kind, 0),
        producer_id=producer_id,
        producer_epoch=0,
        leader_epoch=partition.leader_epoch,
        transaction_version=1,
        now_ms=TIMESTAMP_MS,
    )
    partition.appended(78)


def test_read_committed_stops_before_an_open_transaction_and_waits_for_its_end(broker: HandlerBroker) -> None:
    append(broker, 0, "plain")
    append(broker, 0, "open", producer_id=8, epoch=0, sequence=0, flags=TRANSACTIONAL_FLAG)
    (row,) = rows(broker.ask(request(at(0), isolation_level=1), 12))
    assert (values(row), row.high_watermark, row.last_stable_offset) == ([b"plain"], 2, 1)
    (row,) = rows(broker.ask(request(at(0), isolation_level=0), 12))
    assert values(row) == [b"plain", b"open"]
    reply = broker.reply(request(at(0, 1), isolation_level=1, max_wait_ms=10_000), 12)
    assert isinstance(reply, Later)
    append(broker, 0, "more", producer_id=8, epoch=0, sequence=1, flags=TRANSACTIONAL_FLAG)
    broker.context.ready.run(10)
    assert reply.is_open  # bytes came, but none that this reader may see
    end_transaction(broker, ControlType.COMMIT)
    broker.context.ready.run(10)
    (row,) = rows(reply.message)
    assert values_in(row.records.read())[:2] == [(1, b"open"), (2, b"more")]
    assert row.aborted_transactions == []


def test_read_committed_is_told_which_transactions_were_aborted(broker: HandlerBroker) -> None:
    append(broker, 0, "no", producer_id=8, epoch=0, sequence=0, flags=TRANSACTIONAL_FLAG)
    end_transaction(broker, ControlType.ABORT)
    (row,) = rows(broker.ask(request(at(0), isolation_level=1), 12))
    assert [(one.producer_id, one.first_offset) for one in row.aborted_transactions] == [(8, 0)]
    (row,) = rows(broker.ask(request(at(0), isolation_level=0), 12))
    assert row.aborted_transactions is None


# ---- errors ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("offset", "code"), [(0, 1), (1, 0), (2, 0), (3, 1), (-1, 1)])
def test_an_offset_outside_of_the_log_is_out_of_range(broker: HandlerBroker, offset: int, code: int) -> None:
    append(broker, 0, "a", "b")
    broker.partition("t").log.delete_records_before(1)
    (row,) = rows(broker.ask(request(at(0, offset), max_wait_ms=0), 12))
    assert row.error_code == code
    if code:
        assert (row.high_watermark, row.last_stable_offset, row.log_start_offset) == (-1, -1, -1)


@pytest.mark.parametrize("version", [9, 12, 16, 18])
@pytest.mark.parametrize(("asked", "code"), [(-1, 0), (4, 0), (3, 74), (5, 75)])
def test_the_leader_epoch_is_compared(broker: HandlerBroker, version: int, asked: int, code: int) -> None:
    partition = broker.partition("t")
    partition.leader_epoch = 4
    topic = partition.topic_id if version >= 13 else "t"
    response = broker.ask(request(at(0, current_leader_epoch=asked), topic=topic, max_wait_ms=0), version)
    (row,) = rows(response)
    assert row.error_code == code
    is_told = version >= 16 and code == ErrorCode.FENCED_LEADER_EPOCH
    leader = (row.current_leader.leader_id, row.current_leader.leader_epoch)
    assert leader == ((broker.config.node_id, 4) if is_told else (-1, -1))
    endpoints = [(node.node_id, node.host, node.port) for node in response.node_endpoints]
    assert endpoints == ([(broker.config.node_id, "127.0.0.1", 9092)] if is_told else [])


def test_a_reader_whose_log_parted_from_ours_is_told_where(broker: HandlerBroker) -> None:
    partition = broker.partition("t")
    append(broker, 0, "a", "b")
    partition.leader_epoch = 5
    append(broker, 0, "c")

    def ask(offset: int, epoch: int) -> tuple[int, int, int]:
        (row,) = rows(broker.ask(request(at(0, offset, last_fetched_epoch=epoch)), 12))
        return row.error_code, row.diverging_epoch.epoch, row.diverging_epoch.end_offset

    assert ask(1, 0) == (0, -1, -1)
    assert ask(3, 0) == (0, 0, 2)
    assert ask(3, 3) == (0, 0, 2)
    assert ask(3, 9) == (ErrorCode.OFFSET_OUT_OF_RANGE, -1, -1)
    assert broker.now_ms == START_MS


def test_ids_and_names_that_are_unknown(broker: HandlerBroker) -> None:
    assert [row.error_code for row in rows(broker.ask(request(at(0), topic=b"x" * 16), 13))] == [100]
    assert [row.error_code for row in rows(broker.ask(request(at(0), topic=bytes(16)), 13))] == [100]
    assert [row.error_code for row in rows(broker.ask(request(at(0), topic="x"), 12))] == [3]
    topic_id = broker.partition("t").topic_id
    assert [row.error_code for row in rows(broker.ask(request(at(7), topic=topic_id), 13))] == [3]


@pytest.mark.parametrize(("version", "code"), [(9, 76), (10, 0)])
def test_a_topic_of_zstd_needs_version_10(version: int, code: int) -> None:
    broker = HandlerBroker()
    broker.create_topic("z", 1, {"compression.type": "zstd"})
    assert [row.error_code for row in rows(broker.ask(request(at(0), topic="z"), version))] == [code]


def test_a_disk_that_fails_while_reading_takes_the_partition_offline() -> None:
    broker = HandlerBroker()
    broker.create_topic("t", 2, {"segment.bytes": str(1 << 20), "index.interval.bytes": "4096"})
    for _ in range(300):
        append(broker, 0, "a" * 4000)
    broker = broker.restart()
    broker.files.break_under("/data", errno.EIO)
    found = rows(broker.ask(request(at(0, 150), at(1)), 12))
    assert [row.error_code for row in found] == [56, 56]
