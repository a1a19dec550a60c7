"""DeleteTopics: by name and by id; gone when the answer is there."""

from __future__ import annotations

import pytest

from broker_fixture import HandlerBroker
from kwire.errors import ErrorCode
from kwire.handlers.reply import Later
from kwire.protocol.messages.delete_topics_request import DeleteTopicsRequest, DeleteTopicState
from kwire.protocol.messages.fetch_request import FetchPartition, FetchRequest, FetchTopic
from kwire.storage.checkpoints import TopicPartition

UNKNOWN_ID = b"x" * 16


def by_name(broker: HandlerBroker, *names: str, version: int = 5) -> list[tuple[str, int]]:
    response = broker.ask(DeleteTopicsRequest((), list(names), 1000), version)
    return [(row.name, row.error_code) for row in response.responses]


@pytest.mark.parametrize("version", range(1, 6))
def test_topics_by_name(broker: HandlerBroker, version: int) -> None:
    broker.create_topic("orders", 2)
    broker.create_topic("kept")
    assert by_name(broker, "nope", "orders", version=version) == [
        ("nope", ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
        ("orders", 0),
    ]
    assert list(broker.context.image.topics) == ["kept"]
    assert list(broker.context.logs.logs) == [TopicPartition("kept", 0)]
    assert broker.context.partitions.get("orders", 0) is None
    assert list(broker.restart().context.image.topics) == ["kept"]


def test_topics_by_id(broker: HandlerBroker) -> None:
    id_ = broker.create_topic("orders")
    states = [DeleteTopicState(None, UNKNOWN_ID), DeleteTopicState(None, id_), DeleteTopicState("nope")]
    response = broker.ask(DeleteTopicsRequest(states, (), 1000), 6)
    assert [(row.name, row.topic_id, row.error_code) for row in response.responses] == [
        (None, UNKNOWN_ID, ErrorCode.UNKNOWN_TOPIC_ID),
        ("orders", id_, 0),
        ("nope", bytes(16), ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
    ]
    assert broker.context.image.topics == {}


def test_a_topic_of_the_same_name_is_another_one(broker: HandlerBroker) -> None:
    first = broker.create_topic("orders")
    broker.produce("orders", "old")
    by_name(broker, "orders")
    assert broker.create_topic("orders") != first
    assert broker.partition("orders").log.log_end_offset == 0


@pytest.mark.parametrize(("version", "code"), [(2, 42), (3, 73), (5, 73)])
def test_a_broker_can_forbid_it(version: int, code: int) -> None:
    broker = HandlerBroker({"delete.topic.enable": "false"})
    broker.create_topic("orders")
    assert by_name(broker, "orders", version=version) == [("orders", code)]
    assert list(broker.context.image.topics) == ["orders"]


def test_who_waits_for_records_hears_that_there_will_be_none(broker: HandlerBroker) -> None:
    broker.create_topic("orders")
    topics = [FetchTopic("orders", partitions=[FetchPartition(0, fetch_offset=0, partition_max_bytes=1000)])]
    waiting = broker.reply(FetchRequest(max_wait_ms=60_000, min_bytes=1, topics=topics), 12)
    assert isinstance(waiting, Later)
    assert waiting.is_open
    started_ms = broker.now_ms
    by_name(broker, "orders")
    broker.pass_time_until(waiting)
    assert broker.now_ms == started_ms
    (row,) = waiting.message.responses  # type: ignore[union-attr]
    assert row.partitions[0].error_code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
