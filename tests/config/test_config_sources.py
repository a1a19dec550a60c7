"""Where values come from, in DescribeConfigs: what Apache Kafka 4.3 answered in the same situations."""

from __future__ import annotations

from kwire.config import BROKER_KEYS, TOPIC_KEYS, BrokerConfig
from kwire.config.keys import Kind
from kwire.config.sources import (
    WIRE_TYPES,
    ConfigSource,
    DescribedConfig,
    describe_broker,
    describe_broker_default,
    describe_topic,
)

PLAIN = BrokerConfig.resolve({})
DYNAMIC = PLAIN.with_dynamic(
    {"log.retention.ms": "222222", "log.roll.ms": "333333", "message.max.bytes": "3000000"},
    {"log.retention.ms": "111111", "message.max.bytes": "2000000"},
)

Shown = tuple[str | None, int, list[tuple[str, str, int]]]


def shown(rows: list[DescribedConfig], name: str) -> Shown:
    (row,) = (row for row in rows if row.key.name == name)
    return row.value, row.source, [(synonym.name, synonym.value, synonym.source) for synonym in row.synonyms]


def test_a_topic_shows_all_its_keys_and_none_is_read_only() -> None:
    rows = describe_topic({}, PLAIN)
    assert [row.key.name for row in rows] == list(TOPIC_KEYS)
    assert not any(row.read_only for row in rows)


def test_a_topics_value_and_what_stands_behind_it() -> None:
    values = {"retention.ms": "5", "segment.ms": "77777", "flush.ms": " +9 "}
    rows = describe_topic(values, PLAIN)
    assert shown(rows, "retention.ms") == ("5", 1, [("retention.ms", "5", 1)])
    assert shown(rows, "flush.ms") == ("9", 1, [("flush.ms", "9", 1)])
    assert shown(rows, "segment.jitter.ms") == ("0", 5, [])
    assert shown(rows, "cleanup.policy") == ("delete", 5, [("log.cleanup.policy", "delete", 5)])
    assert shown(rows, "max.message.bytes") == ("1048588", 5, [("message.max.bytes", "1048588", 5)])
    assert shown(rows, "preallocate") == ("false", 5, [("log.preallocate", "false", 5)])
    rows = describe_topic(values, DYNAMIC)
    retention = [
        ("log.retention.ms", "111111", 2),
        ("log.retention.ms", "222222", 3),
        ("log.retention.hours", "168", 5),
    ]
    assert shown(rows, "retention.ms") == ("5", 1, [("retention.ms", "5", 1), *retention])
    assert shown(describe_topic({}, DYNAMIC), "retention.ms") == ("111111", 2, retention)
    roll = [("log.roll.ms", "333333", 3), ("log.roll.hours", "168", 5)]
    assert shown(rows, "segment.ms") == ("77777", 1, [("segment.ms", "77777", 1), *roll])
    sizes = [
        ("message.max.bytes", "2000000", 2),
        ("message.max.bytes", "3000000", 3),
        ("message.max.bytes", "1048588", 5),
    ]
    assert shown(rows, "max.message.bytes") == ("2000000", 2, sizes)


def test_lists_are_shown_as_they_are_written() -> None:
    rows = describe_topic({"cleanup.policy": "delete, compact"}, PLAIN)
    assert shown(rows, "cleanup.policy")[0] == "delete,compact"
    assert shown(describe_topic({"cleanup.policy": ""}, PLAIN), "cleanup.policy")[0] == ""


def test_a_static_value_is_told_from_a_default() -> None:
    config = BrokerConfig.resolve({"num.partitions": "3", "log.segment.bytes": "2000000"})
    rows = describe_broker(config)
    assert shown(rows, "num.partitions") == ("3", 4, [("num.partitions", "3", 4), ("num.partitions", "1", 5)])
    assert shown(rows, "default.replication.factor") == ("1", 5, [("default.replication.factor", "1", 5)])
    segment = [("log.segment.bytes", "2000000", 4), ("log.segment.bytes", "1073741824", 5)]
    assert shown(describe_topic({}, config), "segment.bytes") == ("2000000", 4, segment)


def test_a_broker_shows_all_its_keys_and_which_need_a_restart() -> None:
    rows = describe_broker(PLAIN)
    assert [row.key.name for row in rows] == sorted(BROKER_KEYS)
    read_only = {row.key.name for row in rows if row.read_only}
    assert {"node.id", "num.partitions", "log.retention.hours", "listeners"} <= read_only
    assert not {"log.retention.ms", "max.connections", "min.insync.replicas"} & read_only


def test_a_key_in_several_units_shows_the_others_only_behind_itself() -> None:
    rows = describe_broker(PLAIN)
    assert shown(rows, "log.retention.ms") == (None, 5, [])
    assert shown(rows, "log.retention.minutes") == (None, 5, [])
    assert shown(rows, "log.retention.hours") == ("168", 5, [("log.retention.hours", "168", 5)])
    rows = describe_broker(DYNAMIC)
    retention = [
        ("log.retention.ms", "111111", 2),
        ("log.retention.ms", "222222", 3),
        ("log.retention.hours", "168", 5),
    ]
    assert shown(rows, "log.retention.ms") == ("111111", 2, retention)
    assert shown(rows, "log.roll.ms") == ("333333", 3, [("log.roll.ms", "333333", 3), ("log.roll.hours", "168", 5)])
    assert shown(rows, "log.roll.hours") == ("168", 5, [("log.roll.hours", "168", 5)])


def test_a_topic_follows_hours_that_the_file_sets_though_kafka_calls_it_a_default() -> None:
    rows = describe_topic({}, BrokerConfig.resolve({"log.retention.hours": "1"}))
    assert shown(rows, "retention.ms") == ("3600000", ConfigSource.DEFAULT, [])


def test_the_nodes_number_is_shown_under_both_names() -> None:
    rows = describe_broker(BrokerConfig.resolve({"node.id": "4"}))
    assert (shown(rows, "node.id")[0], shown(rows, "broker.id")[0]) == ("4", "4")


def test_the_default_broker_shows_what_was_set_for_all_and_nothing_else() -> None:
    rows = describe_broker_default(DYNAMIC)
    assert [(row.key.name, row.value, row.source, row.read_only) for row in rows] == [
        ("log.retention.ms", "222222", 3, False),
        ("log.roll.ms", "333333", 3, False),
        ("message.max.bytes", "3000000", 3, False),
    ]
    assert shown(rows, "log.roll.ms")[2] == [("log.roll.ms", "333333", 3)]
    assert describe_broker_default(PLAIN) == []


def test_every_kind_has_a_number_on_the_wire() -> None:
    assert set(WIRE_TYPES) == set(Kind)
