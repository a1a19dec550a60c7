"""OffsetForLeaderEpoch: up to where the log is what a client has read."""

from __future__ import annotations

import pytest

from broker_fixture import HandlerBroker
from kwire.errors import ErrorCode
from kwire.protocol.messages.offset_for_leader_epoch_request import (
    OffsetForLeaderEpochRequest,
    OffsetForLeaderPartition,
    OffsetForLeaderTopic,
)


def ask(
    broker: HandlerBroker, *rows: tuple[int, int, int], topic: str = "orders", version: int = 4
) -> list[tuple[int, int, int]]:
    """(error, epoch, end offset) for each (partition, current epoch, epoch asked for)."""
    partitions = [OffsetForLeaderPartition(*row) for row in rows]
    request = OffsetForLeaderEpochRequest(topics=[OffsetForLeaderTopic(topic, partitions)])
    (told,) = broker.ask(request, version).topics
    assert [one.partition for one in told.partitions] == [row[0] for row in rows]
    return [(one.error_code, one.leader_epoch, one.end_offset) for one in told.partitions]


@pytest.fixture
def filled(broker: HandlerBroker) -> HandlerBroker:
    """Epoch 0 wrote 3 records, epoch 4 two; the leader is at epoch 4."""
    broker.create_topic("orders")
    broker.produce("orders", "a", "b", "c")
    broker.partition("orders").leader_epoch = 4
    broker.produce("orders", "d", "e")
    return broker


@pytest.mark.parametrize("version", [2, 3, 4])
def test_where_an_epoch_ends(filled: HandlerBroker, version: int) -> None:
    asked = [(0, -1, 0), (0, 4, 4), (0, -1, 2), (0, -1, 5), (0, -1, -1)]
    assert ask(filled, *asked, version=version) == [(0, 0, 3), (0, 4, 5), (0, 0, 3), (0, -1, -1), (0, -1, -1)]


def test_an_empty_log_has_its_first_epoch(broker: HandlerBroker) -> None:
    broker.create_topic("orders")
    assert ask(broker, (0, -1, 0)) == [(0, 0, 0)]
    assert ask(broker.restart(), (0, -1, 0)) == [(0, 0, 0)]


def test_client_and_broker_must_mean_the_same_leader(filled: HandlerBroker) -> None:
    assert ask(filled, (0, 3, 0), (0, 5, 0), (0, 4, 0)) == [
        (ErrorCode.FENCED_LEADER_EPOCH, -1, -1),
        (ErrorCode.UNKNOWN_LEADER_EPOCH, -1, -1),
        (0, 0, 3),
    ]


def test_what_is_not_there_does_not_fail_the_rest(filled: HandlerBroker) -> None:
    unknown = (ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, -1, -1)
    assert ask(filled, (7, -1, 0), (0, -1, 0)) == [unknown, (0, 0, 3)]
    assert ask(filled, (0, -1, 0), topic="nope") == [unknown]
