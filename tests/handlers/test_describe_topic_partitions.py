"""DescribeTopicPartitions: in the order of names, so many at a time."""

from __future__ import annotations

from typing import Any

import pytest

from broker_fixture import HandlerBroker
from kwire.errors import ErrorCode
from kwire.protocol.messages.describe_topic_partitions_request import (
    Cursor,
    DescribeTopicPartitionsRequest,
    TopicRequest,
)


@pytest.fixture
def three() -> HandlerBroker:
    broker = HandlerBroker({"max.request.partition.size.limit": "5"})
    for name, count in (("b", 2), ("a", 3), ("c", 1)):
        broker.create_topic(name, count)
    return broker


def ask(
    broker: HandlerBroker, *names: str, limit: int = 2000, cursor: tuple[str, int] | None = None
) -> tuple[list[tuple[str, list[int]]], tuple[str, int] | None]:
    """((topic, partitions) in order, where to go on)."""
    response = asked(broker, *names, limit=limit, cursor=cursor)
    assert [row.error_code for row in response.topics] == [0] * len(response.topics)
    rows = [(row.name, [one.partition_index for one in row.partitions]) for row in response.topics]
    following = response.next_cursor
    return rows, following and (following.topic_name, following.partition_index)


def asked(broker: HandlerBroker, *names: str, limit: int = 2000, cursor: tuple[str, int] | None = None) -> Any:
    topics = [TopicRequest(name) for name in names]
    return broker.ask(DescribeTopicPartitionsRequest(topics, limit, Cursor(*cursor) if cursor else None), 0)


def test_what_is_told_of_a_partition(broker: HandlerBroker) -> None:
    id_ = broker.create_topic("orders")
    (topic,) = asked(broker, "orders").topics
    (row,) = topic.partitions
    assert (topic.topic_id, topic.is_internal, topic.topic_authorized_operations) == (id_, False, 3576)
    assert (row.leader_id, row.leader_epoch, row.replica_nodes, row.isr_nodes) == (1, 0, [1], [1])
    assert (row.eligible_leader_replicas, row.last_known_elr, row.offline_replicas) == ([], [], [])


def test_topics_come_once_and_in_the_order_of_names(three: HandlerBroker) -> None:
    assert ask(three, "c", "b", "c") == ([("b", [0, 1]), ("c", [0])], None)


def test_an_empty_list_asks_for_all(three: HandlerBroker) -> None:
    assert ask(three) == ([("a", [0, 1, 2]), ("b", [0, 1])], ("c", 0))


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 5])
def test_following_the_cursor_tells_every_partition_once(three: HandlerBroker, limit: int) -> None:
    told: list[tuple[str, int]] = []
    cursor = None
    while True:
        rows, cursor = ask(three, "a", "b", "c", limit=limit, cursor=cursor)
        page = [(name, index) for name, indexes in rows for index in indexes]
        assert 1 <= len(page) <= limit
        told += page
        if cursor is None:
            break
    assert told == [("a", 0), ("a", 1), ("a", 2), ("b", 0), ("b", 1), ("c", 0)]


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_below_one_is_one(three: HandlerBroker, limit: int) -> None:
    assert ask(three, "a", limit=limit) == ([("a", [0])], ("a", 1))


def test_a_cursor_behind_a_topics_end_goes_on_with_the_next(three: HandlerBroker) -> None:
    assert ask(three, "a", "b", cursor=("a", 9)) == ([("a", []), ("b", [0, 1])], None)


def test_a_cursor_at_a_topic_that_was_deleted_goes_on_behind_it(three: HandlerBroker) -> None:
    assert ask(three, cursor=("aa", 1)) == ([("b", [0, 1]), ("c", [0])], None)


@pytest.mark.parametrize(("names", "cursor"), [(("a", "b"), ("c", 0)), (("b", "a"), ("a", -1))])
def test_a_cursor_that_points_nowhere_is_refused(
    three: HandlerBroker, names: tuple[str, ...], cursor: tuple[str, int]
) -> None:
    response = asked(three, *names, cursor=cursor)
    rows = [(row.name, row.error_code) for row in response.topics]
    assert rows == [(name, ErrorCode.INVALID_REQUEST) for name in names]


def test_topics_that_are_not_there_take_nothing_from_the_limit(three: HandlerBroker) -> None:
    response = asked(three, "a b", "a", "nope", "b", limit=4)
    assert [(row.name, row.error_code, len(row.partitions)) for row in response.topics] == [
        ("a", 0, 3),
        ("a b", ErrorCode.INVALID_TOPIC_EXCEPTION, 0),
        ("b", 0, 1),
    ]
    assert (response.next_cursor.topic_name, response.next_cursor.partition_index) == ("b", 1)
    (row,) = asked(three, "nope").topics
    assert row.error_code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
