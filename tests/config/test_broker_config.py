"""A broker's configuration, from properties to attributes: layers, contradictions, and what is ignored."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields

import pytest

from kwire.config import BROKER_KEYS, BrokerConfig
from kwire.errors import UsageError
from kwire.server_properties import parse_properties

# The keys that Apache Kafka's own config/server.properties sets.
STOCK = """
process.roles=broker,controller
node.id=1
controller.quorum.bootstrap.servers=localhost:9093
listeners=PLAINTEXT://:9092,CONTROLLER://:9093
inter.broker.listener.name=PLAINTEXT
advertised.listeners=PLAINTEXT://localhost:9092
controller.listener.names=CONTROLLER
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SSL:SSL,SASL_PLAINTEXT:SASL_PLAINTEXT,SASL_SSL:SASL_SSL
num.network.threads=3
num.io.threads=8
socket.send.buffer.bytes=102400
socket.receive.buffer.bytes=102400
socket.request.max.bytes=104857600
log.dirs=/tmp/kraft-combined-logs
num.partitions=1
num.recovery.threads.per.data.dir=1
offsets.topic.replication.factor=1
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
log.retention.hours=168
log.segment.bytes=1073741824
log.retention.check.interval.ms=300000
"""


def test_kafkas_own_server_properties_works() -> None:
    config = BrokerConfig.resolve(parse_properties(STOCK))
    assert (config.node_id, config.log_dirs, config.num_partitions) == (1, ("/tmp/kraft-combined-logs",), 1)
    assert [str(listener) for listener in config.advertised_listeners] == ["PLAINTEXT://localhost:9092"]
    assert "num.io.threads" in config.ignored
    assert "process.roles" in config.ignored
    assert config.effective["log.segment.bytes"] == "1073741824"


def test_attributes_have_their_keys_defaults() -> None:
    config = BrokerConfig.resolve({})
    for field in fields(BrokerConfig):
        key = BROKER_KEYS.get(field.name.replace("_", "."))
        if key is not None and field.name not in ("listeners", "advertised_listeners", "log_dirs"):
            value = getattr(config, field.name)
            assert value == (key.default if field.name != "inter_broker_listener_name" else "PLAINTEXT"), field.name


def test_every_attribute_that_is_a_keys_value_is_set_from_it() -> None:
    given = {
        "num.partitions": "7",
        "auto.create.topics.enable": "false",
        "socket.request.max.bytes": "1000",
        "queued.max.request.bytes": "5000",
        "log.cleaner.io.buffer.load.factor": "0.5",
        "broker.rack": "eu",
        "log.dir": "/data",
        "node.id": "4",
    }
    config = BrokerConfig.resolve(given)
    assert (config.num_partitions, config.auto_create_topics_enable, config.socket_request_max_bytes) == (
        7,
        False,
        1000,
    )
    assert (config.queued_max_request_bytes, config.log_cleaner_io_buffer_load_factor) == (5000, 0.5)
    assert (config.broker_rack, config.log_dirs, config.node_id) == ("eu", ("/data",), 4)


def test_the_command_line_goes_before_the_file() -> None:
    config = BrokerConfig.resolve({"num.partitions": "2", "log.dir": "/a"}, {"num.partitions": "3"})
    assert (config.num_partitions, config.log_dirs) == (3, ("/a",))


@pytest.mark.parametrize(
    ("properties", "node_id"),
    [({}, 1), ({"node.id": "5"}, 5), ({"broker.id": "5"}, 5), ({"node.id": "0", "broker.id": "0"}, 0)],
)
def test_a_node_is_numbered_by_its_new_or_its_old_name(properties: dict[str, str], node_id: int) -> None:
    assert BrokerConfig.resolve(properties).node_id == node_id


@pytest.mark.parametrize(
    ("properties", "words"),
    [
        ({"num.partition": "1"}, r"unknown configuration key num\.partition \(did you mean num\.partitions\?\)"),
        ({"num.io.thread": "1"}, r"did you mean num\.io\.threads\?"),
        ({"retention.ms": "1"}, r"unknown configuration key retention\.ms"),
        ({"num.partitions": "many"}, "num.partitions=many: expected a value of type int"),
        ({"node.id": "1", "broker.id": "2"}, "broker.id=2: must be the same as node.id=1"),
        ({"broker.id": "-1"}, "broker.id=-1: must be at least 0"),
        ({"log.dirs": ""}, "log.dirs: at least one directory"),
        ({"log.dirs": "/a,/b,/a"}, "a directory is named twice"),
        ({"log.retention.ms": "0"}, "log.retention.ms=0"),
        ({"log.retention.minutes": "0"}, "log.retention.minutes=0"),
        ({"log.retention.hours": "0"}, "log.retention.hours=0"),
        ({"log.roll.hours": "0"}, "log.roll.hours=0"),
        ({"socket.send.buffer.bytes": "0"}, "socket.send.buffer.bytes=0"),
        ({"queued.max.request.bytes": "1000"}, "must be at least socket.request.max.bytes=104857600"),
        (
            {"log.cleaner.min.compaction.lag.ms": "9", "log.cleaner.max.compaction.lag.ms": "3"},
            "must not be above max.compaction.lag.ms=3",
        ),
    ],
)
def test_mistakes_are_refused_by_name(properties: dict[str, str], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        BrokerConfig.resolve(properties)


@pytest.mark.parametrize(
    "properties",
    [
        {"log.retention.ms": "-1"},
        {"log.retention.hours": "-1"},
        {"queued.max.request.bytes": "-1"},
        {"socket.send.buffer.bytes": "-1"},
        {"connections.max.idle.ms": "-1"},
        {"queued.max.request.bytes": "1000", "socket.request.max.bytes": "1000"},
        {"advertised.listeners": "", "broker.rack": "", "inter.broker.listener.name": ""},
    ],
)
def test_limits_can_be_lifted(properties: dict[str, str]) -> None:
    config = BrokerConfig.resolve(properties)
    assert config.static == properties
    assert config.broker_rack is None


def test_ignored_keys_are_listed_once_and_in_order() -> None:
    config = BrokerConfig.resolve({"zookeeper.connect": "x", "num.io.threads": "1"}, {"num.io.threads": "2"})
    assert config.ignored == ("num.io.threads", "zookeeper.connect")
    assert config.static == {}


# While it runs


def test_dynamic_values_go_before_static_ones_and_this_brokers_before_all_brokers() -> None:
    config = BrokerConfig.resolve({"max.connections": "1", "log.retention.ms": "10", "log.roll.ms": "7"})
    changed = config.with_dynamic({"max.connections": "2", "log.retention.ms": "20"}, {"max.connections": "3"})
    assert (config.max_connections, changed.max_connections) == (1, 3)
    assert changed.effective == {"max.connections": "3", "log.retention.ms": "20", "log.roll.ms": "7"}
    assert (changed.value("log.retention.ms"), changed.value("log.retention.minutes")) == (20, None)
    assert changed.with_dynamic({}, {}) == config


def test_dynamic_values_that_mean_nothing_or_need_a_restart_are_passed_over() -> None:
    config = BrokerConfig.resolve({})
    given = {"num.partitions": "9", "num.io.threads": "4", "of.the.future": "x", "max.connections": "8"}
    changed = config.with_dynamic(given, {})
    assert (changed.num_partitions, changed.max_connections) == (1, 8)
    assert changed.dynamic_default == {"max.connections": "8"}


def test_dynamic_values_are_checked_as_static_ones_are() -> None:
    config = BrokerConfig.resolve({"log.cleaner.min.compaction.lag.ms": "9"})
    for wrong in ({"max.connections": "x"}, {"log.retention.ms": "0"}, {"log.cleaner.max.compaction.lag.ms": "3"}):
        with pytest.raises(UsageError):
            config.with_dynamic({}, wrong)


def test_a_configuration_is_not_changed_in_place() -> None:
    with pytest.raises(FrozenInstanceError):
        BrokerConfig.resolve({}).node_id = 2  # pyright: ignore[reportAttributeAccessIssue]
