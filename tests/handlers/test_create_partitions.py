"""CreatePartitions: a topic's new partitions are served when the answer is there."""

from __future__ import annotations

import pytest

from broker_fixture import HandlerBroker
from kwire.errors import ErrorCode
from kwire.protocol.messages.create_partitions_request import (
    CreatePartitionsAssignment,
    CreatePartitionsRequest,
    CreatePartitionsTopic,
)


def grow(
    broker: HandlerBroker, *topics: CreatePartitionsTopic, version: int = 3, validate_only: bool = False
) -> list[tuple[str, int]]:
    response = broker.ask(CreatePartitionsRequest(list(topics), 1000, validate_only), version)
    assert all((row.error_message is None) == (row.error_code in (0, 3)) for row in response.results)
    return [(row.name, row.error_code) for row in response.results]


@pytest.mark.parametrize("version", range(4))
def test_new_partitions_are_served_and_old_ones_keep_their_records(broker: HandlerBroker, version: int) -> None:
    broker.create_topic("orders", 1, {"retention.ms": "5000"})
    broker.produce("orders", "a")
    assert grow(broker, CreatePartitionsTopic("orders", 3, None), version=version) == [("orders", 0)]
    assert broker.partition("orders", 0).log.log_end_offset == 1
    assert broker.partition("orders", 2).log.config.retention_ms == 5000
    broker.produce("orders", "b", index=2)
    assert len(broker.restart().context.image.topics["orders"].partitions) == 3


def test_one_that_is_refused_keeps_no_other(broker: HandlerBroker) -> None:
    broker.create_topic("a")
    broker.create_topic("b")
    rows = grow(
        broker,
        CreatePartitionsTopic("nope", 2, None),
        CreatePartitionsTopic("a", 1, None),
        CreatePartitionsTopic("b", 2, [CreatePartitionsAssignment([1])]),
    )
    assert rows == [("nope", ErrorCode.UNKNOWN_TOPIC_OR_PARTITION), ("a", ErrorCode.INVALID_PARTITIONS), ("b", 0)]
    assert {name: len(topic.partitions) for name, topic in broker.context.image.topics.items()} == {"a": 1, "b": 2}


def test_validating_changes_nothing(broker: HandlerBroker) -> None:
    broker.create_topic("orders")
    assert grow(broker, CreatePartitionsTopic("orders", 3, None), validate_only=True) == [("orders", 0)]
    assert len(broker.context.image.topics["orders"].partitions) == 1
