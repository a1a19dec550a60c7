"""AlterConfigs: what is given is all that is set."""

from __future__ import annotations

import pytest

from broker_fixture import HandlerBroker
from kwire.errors import ErrorCode
from kwire.metadata.values import Resource, ResourceType
from kwire.protocol.messages.alter_configs_request import AlterableConfig, AlterConfigsRequest, AlterConfigsResource

TOPIC = 2


def resource(name: str, **configs: str | None) -> AlterConfigsResource:
    rows = [AlterableConfig(key.replace("_", "."), value) for key, value in configs.items()]
    return AlterConfigsResource(TOPIC, name, rows)


def alter(
    broker: HandlerBroker, *resources: AlterConfigsResource, version: int = 2, validate_only: bool = False
) -> list[tuple[str, int]]:
    response = broker.ask(AlterConfigsRequest(list(resources), validate_only), version)
    return [(row.resource_name, row.error_code) for row in response.responses]


def configs_of(broker: HandlerBroker, name: str) -> dict[str, str]:
    return dict(broker.context.image.config(Resource(ResourceType.TOPIC, name)))


@pytest.fixture
def orders(broker: HandlerBroker) -> HandlerBroker:
    broker.create_topic("orders", 1, {"retention.ms": "5000", "segment.ms": "6000"})
    return broker


@pytest.mark.parametrize("version", range(3))
def test_what_is_not_given_is_as_by_default_again(orders: HandlerBroker, version: int) -> None:
    assert alter(orders, resource("orders", segment_ms="7000"), version=version) == [("orders", 0)]
    assert configs_of(orders, "orders") == {"segment.ms": "7000"}
    config = orders.partition("orders").log.config
    assert (config.segment_ms, config.retention_ms) == (7000, 604_800_000)


def test_nothing_given_is_nothing_set(orders: HandlerBroker) -> None:
    assert alter(orders, resource("orders")) == [("orders", 0)]
    assert configs_of(orders, "orders") == {}


def test_one_that_is_refused_keeps_no_other(orders: HandlerBroker) -> None:
    broker = orders
    broker.create_topic("other")
    rows = alter(broker, resource("orders", retention_ms=None), resource("nope"), resource("other", segment_ms="1000"))
    assert rows == [
        ("orders", ErrorCode.INVALID_REQUEST),
        ("nope", ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
        ("other", 0),
    ]
    assert configs_of(broker, "orders") == {"retention.ms": "5000", "segment.ms": "6000"}
    assert configs_of(broker, "other") == {"segment.ms": "1000"}


def test_a_resource_twice_is_refused_where_kafka_never_answers(orders: HandlerBroker) -> None:
    rows = alter(orders, resource("orders", segment_ms="1000"), resource("orders", segment_ms="2000"))
    assert rows == [("orders", ErrorCode.INVALID_REQUEST)] * 2
    assert configs_of(orders, "orders")["segment.ms"] == "6000"


def test_validating_changes_nothing(orders: HandlerBroker) -> None:
    assert alter(orders, resource("orders"), validate_only=True) == [("orders", 0)]
    assert configs_of(orders, "orders") == {"retention.ms": "5000", "segment.ms": "6000"}
