"""IncrementalAlterConfigs: key by key, at once, and for good."""

from __future__ import annotations

import pytest

from broker_fixture import HandlerBroker
from kwire.errors import ErrorCode
from kwire.metadata.values import Resource, ResourceType
from kwire.protocol.messages.incremental_alter_configs_request import (
    AlterableConfig,
    AlterConfigsResource,
    IncrementalAlterConfigsRequest,
)

TOPIC, BROKER = 2, 4
SET, DELETE, APPEND, SUBTRACT = range(4)
ORDERS = Resource(ResourceType.TOPIC, "orders")


def resource(type_: int, name: str, *changes: tuple[str, int, str | None]) -> AlterConfigsResource:
    return AlterConfigsResource(type_, name, [AlterableConfig(*change) for change in changes])


def alter(
    broker: HandlerBroker, *resources: AlterConfigsResource, version: int = 1, validate_only: bool = False
) -> list[tuple[str, int]]:
    response = broker.ask(IncrementalAlterConfigsRequest(list(resources), validate_only), version)
    return [(row.resource_name, row.error_code) for row in response.responses]


@pytest.fixture
def orders(broker: HandlerBroker) -> HandlerBroker:
    broker.create_topic("orders", 2, {"retention.ms": "5000"})
    return broker


@pytest.mark.parametrize("version", [0, 1])
def test_a_change_acts_at_once_on_every_partition(orders: HandlerBroker, version: int) -> None:
    changes = resource(TOPIC, "orders", ("segment.ms", SET, "7000"), ("cleanup.policy", APPEND, "compact"))
    assert alter(orders, changes, version=version) == [("orders", 0)]
    for index in range(2):
        config = orders.partition("orders", index).log.config
        assert (config.retention_ms, config.segment_ms) == (5000, 7000)
        assert (config.compacts, config.deletes) == (True, True)
    assert orders.restart().partition("orders").log.config.segment_ms == 7000


def test_a_changed_limit_is_the_next_batchs(orders: HandlerBroker) -> None:
    orders.produce("orders", "x" * 500)
    alter(orders, resource(TOPIC, "orders", ("max.message.bytes", SET, "100")))
    with pytest.raises(AssertionError, match="MESSAGE_TOO_LARGE"):
        orders.produce("orders", "x" * 500)


def test_deleting_brings_back_what_the_broker_has(orders: HandlerBroker) -> None:
    alter(orders, resource(BROKER, "1", ("log.retention.ms", SET, "9000")))
    assert orders.partition("orders").log.config.retention_ms == 5000
    alter(orders, resource(TOPIC, "orders", ("retention.ms", DELETE, None)))
    assert orders.partition("orders").log.config.retention_ms == 9000
    assert orders.context.image.config(ORDERS) == {}
    alter(orders, resource(BROKER, "1", ("log.retention.ms", DELETE, None)))
    assert orders.partition("orders").log.config.retention_ms == 604_800_000


def test_a_brokers_settings_are_its_own_before_those_of_all(broker: HandlerBroker) -> None:
    alter(broker, resource(BROKER, "", ("max.connections", SET, "50")))
    assert broker.context.config.max_connections == 50
    alter(broker, resource(BROKER, "1", ("max.connections", SET, "40")))
    assert broker.context.config.max_connections == 40
    alter(broker, resource(BROKER, "1", ("max.connections", DELETE, None)))
    assert broker.context.config.max_connections == 50


def test_one_that_is_refused_keeps_no_other(orders: HandlerBroker) -> None:
    rows = alter(
        orders,
        resource(TOPIC, "nope", ("segment.ms", SET, "1")),
        resource(TOPIC, "orders", ("segment.ms", SET, "8000")),
        resource(BROKER, "1", ("node.id", SET, "2")),
        resource(77, "x"),
    )
    assert rows == [
        ("nope", ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
        ("orders", 0),
        ("1", ErrorCode.INVALID_REQUEST),
        ("x", ErrorCode.INVALID_REQUEST),
    ]
    assert orders.partition("orders").log.config.segment_ms == 8000


def test_one_wrong_key_keeps_the_whole_resource(orders: HandlerBroker) -> None:
    rows = alter(orders, resource(TOPIC, "orders", ("segment.ms", SET, "8000"), ("nope", SET, "1")))
    assert rows == [("orders", ErrorCode.INVALID_CONFIG)]
    assert orders.context.image.config(ORDERS) == {"retention.ms": "5000"}


def test_validating_changes_nothing(orders: HandlerBroker) -> None:
    change = resource(TOPIC, "orders", ("segment.ms", SET, "8000"))
    assert alter(orders, change, validate_only=True) == [("orders", 0)]
    assert orders.context.image.config(ORDERS) == {"retention.ms": "5000"}
    bad = resource(TOPIC, "orders", ("segment.ms", SET, "soon"))
    assert alter(orders, bad, validate_only=True) == [("orders", ErrorCode.INVALID_CONFIG)]
