"""A topic's settings: names, types, defaults and ranges as Apache Kafka 4.3 declares them, and how they are found."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from kwire.config import COARSER_BROKER_NAMES, TOPIC_KEYS, ConfigKey, Kind
from kwire.errors import UsageError
from kwire.storage.log_config import LogConfig

GOLDEN = Path(__file__).parent / "golden" / "topic_keys.txt"

NOT_HERE = {
    "follower.replication.throttled.replicas",
    "internal.segment.bytes",
    "leader.replication.throttled.replicas",
    "local.retention.bytes",
    "local.retention.ms",
    "remote.log.copy.disable",
    "remote.log.delete.on.disable",
    "remote.storage.enable",
}
"""Replication throttles, tiered storage and a key for Kafka's own tests: nothing here acts on them."""


def kafkas_keys() -> dict[str, tuple[str, str, str, str]]:
    rows = [line.split(" | ") for line in GOLDEN.read_text().splitlines() if not line.startswith("#")]
    return {name: (kind, default, valid, broker_names) for name, kind, default, valid, broker_names in rows}


def as_java_prints(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(value)}]"
    return str(value)


def valid_as_java_prints(key: ConfigKey) -> str:
    if key.name == "compression.gzip.level":
        assert key.choices == ("-1", "1", "2", "3", "4", "5", "6", "7", "8", "9")
        return "[1,...,9] or -1"
    if key.choices:
        return f"[{', '.join(key.choices)}]"
    bounds = [f"{bound:d}" if bound is not None else "" for bound in (key.low, key.high)]
    if bounds == ["", ""]:
        return "null"
    return f"[{bounds[0]},...{',' + bounds[1] if bounds[1] else ''}]"


def test_every_key_of_kafka_is_declared_or_left_out_on_purpose() -> None:
    assert set(TOPIC_KEYS) == set(kafkas_keys()) - NOT_HERE


@pytest.mark.parametrize("key", TOPIC_KEYS.values(), ids=TOPIC_KEYS)
def test_a_key_is_what_kafka_declares(key: ConfigKey) -> None:
    kind, default, valid, broker_names = kafkas_keys()[key.name]
    assert key.kind.value == kind.lower()
    assert as_java_prints(key.default) == default
    assert valid_as_java_prints(key) == valid
    coarser = [name for name, _ in COARSER_BROKER_NAMES.get(key.name, ())]
    known = [key.broker_name, *coarser]
    if key.name == "flush.ms":
        known.append("log.flush.scheduler.interval.ms")  # how often Kafka's thread looks; here nothing polls
    assert f"[{', '.join(known)}]" == broker_names


def test_there_is_one_attribute_per_key_with_its_default() -> None:
    config = LogConfig()
    assert [found.name for found in fields(LogConfig)] == [name.replace(".", "_") for name in TOPIC_KEYS]
    assert {name: config.value(name) for name in TOPIC_KEYS} == {key.name: key.default for key in TOPIC_KEYS.values()}
    assert LogConfig.parse({}) == LogConfig.parse({}, {}) == config


def test_a_topics_own_value_goes_before_the_brokers_and_that_before_the_default() -> None:
    broker = {"log.retention.ms": "5000", "log.segment.bytes": "2000000", "log.dirs": "/somewhere"}
    config = LogConfig.parse({"retention.ms": "7000"}, broker)
    assert (config.retention_ms, config.segment_bytes, config.retention_bytes) == (7000, 2_000_000, -1)


def test_coarser_units_count_when_milliseconds_are_not_given() -> None:
    hours = {"log.retention.hours": "2", "log.roll.hours": "3", "log.roll.jitter.hours": "1"}
    config = LogConfig.parse({}, hours)
    assert (config.retention_ms, config.segment_ms, config.segment_jitter_ms) == (7_200_000, 10_800_000, 3_600_000)
    assert LogConfig.parse({}, {**hours, "log.retention.minutes": "4"}).retention_ms == 240_000
    assert LogConfig.parse({}, {**hours, "log.retention.ms": "9"}).retention_ms == 9
    assert LogConfig.parse({}, {"log.retention.hours": "-1"}).retention_ms == -1


@pytest.mark.parametrize(
    ("policy", "compacts", "deletes", "shown"),
    [
        ("delete", False, True, ["delete"]),
        ("compact", True, False, ["compact"]),
        ("compact, delete", True, True, ["compact", "delete"]),
        ("delete,delete", False, True, ["delete"]),
        ("", False, False, []),
    ],
)
def test_cleanup_policies(policy: str, compacts: bool, deletes: bool, shown: list[str]) -> None:
    config = LogConfig.parse({"cleanup.policy": policy})
    assert (config.compacts, config.deletes, config.value("cleanup.policy")) == (compacts, deletes, shown)


def test_who_sets_the_timestamps() -> None:
    assert not LogConfig().is_log_append_time
    assert LogConfig.parse({"message.timestamp.type": "LogAppendTime"}).is_log_append_time


@pytest.mark.parametrize(
    "text",
    [
        "max.compaction.lag.ms=0",
        "retention.ms=-2",
        "compression.gzip.level=0",
        "segment.bytes=1000",
        "flush.messages=0",
        "preallocate=1",
        "min.cleanable.dirty.ratio=1.5",
        "message.timestamp.type=logappendtime",
        "compression.type=none",
        "retention.ms=1_000",
        "min.insync.replicas=2147483648",
        "segment.ms=0",
        "cleanup.policy=keep",
        "min.compaction.lag.ms=9;max.compaction.lag.ms=3",
    ],
)
def test_what_kafka_refuses_is_refused_by_name(text: str) -> None:
    configs = dict(pair.split("=") for pair in text.split(";"))
    with pytest.raises(UsageError, match=next(iter(configs))):
        LogConfig.parse(configs)


@pytest.mark.parametrize(
    ("text", "value"),
    [("retention.bytes=-5", -5), ("preallocate=TRUE", True), ("retention.ms= 5 ", 5), ("retention.ms=+5", 5)],
)
def test_what_kafka_takes_is_taken(text: str, value: object) -> None:
    name, given = text.split("=")
    assert LogConfig.parse({name: given}).value(name) == value


def test_an_unknown_key_is_answered_with_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"did you mean retention\.ms"):
        LogConfig.parse({"retention.mss": "1"})


def test_settings_are_not_changed_in_place() -> None:
    with pytest.raises(AttributeError):
        LogConfig().retention_ms = 1  # pyright: ignore[reportAttributeAccessIssue]


def test_docs_are_whole_sentences() -> None:
    assert all(key.doc.endswith(".") and key.kind in Kind for key in TOPIC_KEYS.values())
