"""CreateTopics: topics are there when the answer is, and after a crash."""

from __future__ import annotations

from typing import Any

import pytest

from broker_fixture import HandlerBroker
from kwire.config import TOPIC_KEYS
from kwire.errors import ErrorCode
from kwire.protocol.messages.create_topics_request import (
    CreatableReplicaAssignment,
    CreatableTopic,
    CreatableTopicConfig,
    CreateTopicsRequest,
)

NO_ID = bytes(16)


def ask(broker: HandlerBroker, *topics: CreatableTopic, version: int = 7, validate_only: bool = False) -> Any:
    return broker.ask(CreateTopicsRequest(list(topics), 1000, validate_only), version).topics


def orders(partitions: int = 1, **configs: str) -> CreatableTopic:
    pairs = [CreatableTopicConfig(name.replace("_", "."), value) for name, value in configs.items()]
    return CreatableTopic("orders", partitions, 1, (), pairs)


@pytest.mark.parametrize("version", range(2, 8))
def test_a_topic_is_there_when_the_answer_is(broker: HandlerBroker, version: int) -> None:
    (row,) = ask(broker, orders(2, retention_ms="5000"), version=version)
    assert (row.name, row.error_code, row.error_message) == ("orders", 0, None)
    topic = broker.context.image.topics["orders"]
    assert row.topic_id == (topic.id if version >= 7 else NO_ID)
    assert (row.num_partitions, row.replication_factor) == ((2, 1) if version >= 5 else (-1, -1))
    assert broker.partition("orders", 1).log.config.retention_ms == 5000
    broker.produce("orders", "at once", index=1)


def test_what_was_created_is_described(broker: HandlerBroker) -> None:
    (row,) = ask(broker, orders(retention_ms="5000"))
    assert [config.name for config in row.configs] == sorted(TOPIC_KEYS)
    by_name = {config.name: (config.value, config.config_source, config.read_only) for config in row.configs}
    assert by_name["retention.ms"] == ("5000", 1, False)
    assert by_name["segment.ms"] == ("604800000", 5, False)


def test_a_topic_survives_a_crash_right_after_the_answer(broker: HandlerBroker) -> None:
    (row,) = ask(broker, orders(3, cleanup_policy="compact"))
    again = broker.restart()
    assert again.context.image.topics["orders"].id == row.topic_id
    assert [again.partition("orders", index).log.config.compacts for index in range(3)] == [True] * 3


@pytest.mark.parametrize("version", range(2, 8))
def test_validating_creates_nothing(broker: HandlerBroker, version: int) -> None:
    (row,) = ask(broker, orders(2), version=version, validate_only=True)
    assert (row.error_code, row.topic_id) == (0, NO_ID)
    assert row.num_partitions == (2 if version >= 5 else -1)
    assert broker.context.image.topics == {}
    assert broker.context.logs.logs == {}


@pytest.mark.parametrize("version", range(2, 8))
def test_one_that_is_refused_keeps_no_other(broker: HandlerBroker, version: int) -> None:
    broker.create_topic("there")
    rows = ask(
        broker,
        CreatableTopic("a b", 1, 1),
        orders(),
        CreatableTopic("there", 1, 1),
        CreatableTopic("wide", 1, 2),
        version=version,
    )
    assert [(row.name, row.error_code) for row in rows] == [
        ("a b", ErrorCode.INVALID_TOPIC_EXCEPTION),
        ("orders", 0),
        ("there", ErrorCode.TOPIC_ALREADY_EXISTS),
        ("wide", ErrorCode.INVALID_REPLICATION_FACTOR),
    ]
    assert all((row.error_message is None) == (row.error_code == 0) for row in rows)
    assert set(broker.context.image.topics) == {"there", "orders"}


def test_replicas_can_be_chosen(broker: HandlerBroker) -> None:
    assigned = [CreatableReplicaAssignment(index, [1]) for index in (1, 0)]
    (row,) = ask(broker, CreatableTopic("orders", -1, -1, assigned))
    assert (row.error_code, row.num_partitions, row.replication_factor) == (0, 2, 1)


def test_partitions_go_to_the_emptier_directory() -> None:
    broker = HandlerBroker(log_dirs=("/one", "/two"))
    broker.create_topic("orders", 4)
    assert [len(log_dir.partitions) for log_dir in broker.log_dirs] == [2, 2]
