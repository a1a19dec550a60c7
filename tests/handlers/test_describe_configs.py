"""DescribeConfigs: what is set, by whom, and what could be."""

from __future__ import annotations

from typing import Any

import pytest

from broker_fixture import HandlerBroker
from kwire.config import BROKER_KEYS, TOPIC_KEYS
from kwire.errors import ErrorCode
from kwire.protocol.messages.describe_configs_request import DescribeConfigsRequest, DescribeConfigsResource
from kwire.protocol.messages.incremental_alter_configs_request import (
    AlterableConfig,
    AlterConfigsResource,
    IncrementalAlterConfigsRequest,
)

TOPIC, BROKER, LOGGER, METRICS, GROUP = 2, 4, 8, 16, 32
FROM_TOPIC, FROM_BROKER, FROM_ALL, FROM_FILE, FROM_DEFAULT = 1, 2, 3, 4, 5


def describe(
    broker: HandlerBroker, *resources: tuple[int, str], version: int = 4, keys: list[str] | None = None, **asked: bool
) -> Any:
    rows = [DescribeConfigsResource(type_, name, keys) for type_, name in resources]
    request = DescribeConfigsRequest(
        rows, asked.get("synonyms", False), asked.get("documentation", False) if version >= 3 else False
    )
    return broker.ask(request, version).results


def set_(broker: HandlerBroker, type_: int, name: str, **configs: str) -> None:
    rows = [AlterableConfig(key.replace("_", "."), 0, value) for key, value in configs.items()]
    (row,) = broker.ask(IncrementalAlterConfigsRequest([AlterConfigsResource(type_, name, rows)]), 1).responses
    assert row.error_code == 0, row.error_message


@pytest.mark.parametrize("version", range(1, 5))
def test_all_keys_of_a_topic(broker: HandlerBroker, version: int) -> None:
    broker.create_topic("orders", 1, {"retention.ms": "5000"})
    (result,) = describe(broker, (TOPIC, "orders"), version=version, documentation=True)
    assert (result.error_code, result.resource_type, result.resource_name) == (0, TOPIC, "orders")
    assert [config.name for config in result.configs] == sorted(TOPIC_KEYS)
    retention = next(config for config in result.configs if config.name == "retention.ms")
    assert (retention.value, retention.config_source, retention.read_only) == ("5000", FROM_TOPIC, False)
    assert not retention.is_sensitive
    assert list(retention.synonyms) == []
    if version >= 3:
        assert (retention.config_type, retention.documentation) == (5, TOPIC_KEYS["retention.ms"].doc)


def test_documentation_is_given_when_asked_for(broker: HandlerBroker) -> None:
    broker.create_topic("orders")
    (result,) = describe(broker, (TOPIC, "orders"))
    assert {config.documentation for config in result.configs} == {None}


def test_synonyms_are_all_places_that_set_a_value() -> None:
    broker = HandlerBroker({"log.segment.bytes": "2000000"})
    broker.create_topic("orders", 1, {"segment.bytes": "5000000"})
    set_(broker, BROKER, "", log_segment_bytes="3000000")
    set_(broker, BROKER, "1", log_segment_bytes="4000000")
    (result,) = describe(broker, (TOPIC, "orders"), keys=["segment.bytes"], synonyms=True)
    (config,) = result.configs
    assert (config.value, config.config_source) == ("5000000", FROM_TOPIC)
    assert [(one.name, one.value, one.source) for one in config.synonyms] == [
        ("segment.bytes", "5000000", FROM_TOPIC),
        ("log.segment.bytes", "4000000", FROM_BROKER),
        ("log.segment.bytes", "3000000", FROM_ALL),
        ("log.segment.bytes", "2000000", FROM_FILE),
        ("log.segment.bytes", "1073741824", FROM_DEFAULT),
    ]


@pytest.mark.parametrize(("keys", "told"), [(None, 26), ([], 26), (["nope", "segment.ms", "retention.ms"], 2)])
def test_keys_can_be_chosen(broker: HandlerBroker, keys: list[str] | None, told: int) -> None:
    broker.create_topic("orders")
    (result,) = describe(broker, (TOPIC, "orders"), keys=keys)
    assert len(result.configs) == told


def test_all_keys_of_this_broker() -> None:
    broker = HandlerBroker({"num.partitions": "7"})
    (result,) = describe(broker, (BROKER, "1"))
    assert [config.name for config in result.configs] == sorted(BROKER_KEYS)
    by_name = {config.name: config for config in result.configs}
    assert (by_name["num.partitions"].value, by_name["num.partitions"].config_source) == ("7", FROM_FILE)
    assert (by_name["num.partitions"].read_only, by_name["log.retention.ms"].read_only) == (True, False)
    assert by_name["node.id"].value == "1"


def test_the_default_broker_has_what_was_set_for_all(broker: HandlerBroker) -> None:
    (result,) = describe(broker, (BROKER, ""))
    assert list(result.configs) == []
    set_(broker, BROKER, "", max_connections="50")
    (result,) = describe(broker, (BROKER, ""))
    assert [(config.name, config.value, config.config_source) for config in result.configs] == [
        ("max.connections", "50", FROM_ALL)
    ]


def test_one_that_is_refused_keeps_no_other(broker: HandlerBroker) -> None:
    broker.create_topic("orders")
    asked = [
        (TOPIC, "nope"),
        (TOPIC, "a b"),
        (BROKER, "2"),
        (BROKER, "one"),
        (LOGGER, ""),
        (LOGGER, "2"),
        (GROUP, ""),
        (METRICS, ""),
        (TOPIC, "orders"),
    ]
    results = describe(broker, *asked)
    assert [(row.resource_type, row.resource_name) for row in results] == asked
    assert [row.error_code for row in results] == [
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        ErrorCode.INVALID_TOPIC_EXCEPTION,
        *[ErrorCode.INVALID_REQUEST] * 6,
        0,
    ]
    assert all(row.error_message for row in results[:-1])


def test_resources_without_keys(broker: HandlerBroker) -> None:
    results = describe(broker, (LOGGER, "1"), (GROUP, "group"), (METRICS, "metrics"))
    assert [(row.error_code, list(row.configs)) for row in results] == [(0, [])] * 3


@pytest.mark.parametrize("type_", [0, 1, 77])
def test_an_unknown_type_fails_the_request_as_in_kafka(broker: HandlerBroker, type_: int) -> None:
    broker.create_topic("orders")
    results = describe(broker, (TOPIC, "orders"), (type_, "x"))
    assert [row.error_code for row in results] == [ErrorCode.INVALID_REQUEST] * 2
