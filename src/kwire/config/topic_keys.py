"""The keys of one topic: names, types, defaults and ranges as Kafka 4.3 declares them.

`broker_name` is the broker-wide key that sets a topic key's default. Three of those exist in coarser units as well
(`COARSER_BROKER_NAMES`); the finest unit that is set counts.
"""

from __future__ import annotations

from collections.abc import Mapping

from kwire.config.keys import HOUR_MS, LONG_MAX, MINUTE_MS, ConfigKey, Kind, Value, find_key, key_table
from kwire.errors import UsageError

TOPIC_KEYS = key_table(
    [
        ConfigKey(
            "cleanup.policy",
            Kind.LIST,
            ["delete"],
            "What becomes of old segments: delete removes them by retention, compact keeps the last value of a key. "
            "Both may be given; without any, everything is kept.",
            choices=("compact", "delete"),
            broker_name="log.cleanup.policy",
        ),
        ConfigKey(
            "compression.gzip.level",
            Kind.INT,
            -1,
            "The level when compression.type is gzip: 1 (fast) to 9 (small), or -1 for the library's own choice.",
            choices=("-1", *map(str, range(1, 10))),
            broker_name="compression.gzip.level",
        ),
        ConfigKey(
            "compression.lz4.level",
            Kind.INT,
            9,
            "The level when compression.type is lz4.",
            low=1,
            high=17,
            broker_name="compression.lz4.level",
        ),
        ConfigKey(
            "compression.type",
            Kind.STRING,
            "producer",
            "How batches are compressed on disk: producer keeps the producer's choice, anything else compresses anew.",
            choices=("uncompressed", "zstd", "lz4", "snappy", "gzip", "producer"),
            broker_name="compression.type",
        ),
        ConfigKey(
            "compression.zstd.level",
            Kind.INT,
            3,
            "The level when compression.type is zstd.",
            low=-131072,
            high=22,
            broker_name="compression.zstd.level",
        ),
        ConfigKey(
            "delete.retention.ms",
            Kind.LONG,
            24 * HOUR_MS,
            "How long compaction keeps the tombstone of a deleted key: a consumer that reads from the start within "
            "this time sees the deletion.",
            low=0,
            broker_name="log.cleaner.delete.retention.ms",
        ),
        ConfigKey(
            "file.delete.delay.ms",
            Kind.LONG,
            60_000,
            "How long a deleted segment's files stay on disk, for readers that are still at them.",
            low=0,
            broker_name="log.segment.delete.delay.ms",
        ),
        ConfigKey(
            "flush.messages",
            Kind.LONG,
            LONG_MAX,
            "Sync the log to disk after this many records. 1 makes every acknowledged record durable.",
            low=1,
            broker_name="log.flush.interval.messages",
        ),
        ConfigKey(
            "flush.ms",
            Kind.LONG,
            LONG_MAX,
            "Sync the log to disk when its oldest unsynced record is this old.",
            low=0,
            broker_name="log.flush.interval.ms",
        ),
        ConfigKey(
            "index.interval.bytes",
            Kind.INT,
            4096,
            "About how many bytes of log lie between two entries of the offset index.",
            low=0,
            broker_name="log.index.interval.bytes",
        ),
        ConfigKey(
            "max.compaction.lag.ms",
            Kind.LONG,
            LONG_MAX,
            "The longest time that a record may wait for compaction, however little there is to gain.",
            low=1,
            broker_name="log.cleaner.max.compaction.lag.ms",
        ),
        ConfigKey(
            "max.message.bytes",
            Kind.INT,
            1024 * 1024 + 12,
            "The largest record batch that is accepted, as compressed by the producer.",
            low=0,
            broker_name="message.max.bytes",
        ),
        ConfigKey(
            "message.timestamp.after.max.ms",
            Kind.LONG,
            HOUR_MS,
            "How far a record's timestamp may lie in the future of the broker's clock.",
            low=0,
            broker_name="log.message.timestamp.after.max.ms",
        ),
        ConfigKey(
            "message.timestamp.before.max.ms",
            Kind.LONG,
            LONG_MAX,
            "How far a record's timestamp may lie in the past of the broker's clock.",
            low=0,
            broker_name="log.message.timestamp.before.max.ms",
        ),
        ConfigKey(
            "message.timestamp.type",
            Kind.STRING,
            "CreateTime",
            "Whose clock a record's timestamp is from: the producer's (CreateTime) or the broker's (LogAppendTime).",
            choices=("CreateTime", "LogAppendTime"),
            broker_name="log.message.timestamp.type",
        ),
        ConfigKey(
            "min.cleanable.dirty.ratio",
            Kind.DOUBLE,
            0.5,
            "The share of a log that must be uncompacted before compaction starts.",
            low=0,
            high=1,
            broker_name="log.cleaner.min.cleanable.ratio",
        ),
        ConfigKey(
            "min.compaction.lag.ms",
            Kind.LONG,
            0,
            "How long a record is safe from compaction.",
            low=0,
            broker_name="log.cleaner.min.compaction.lag.ms",
        ),
        ConfigKey(
            "min.insync.replicas",
            Kind.INT,
            1,
            "How many replicas must have a record before acks=all is answered; with fewer in sync, such writes fail.",
            low=1,
            broker_name="min.insync.replicas",
        ),
        ConfigKey(
            "preallocate",
            Kind.BOOLEAN,
            False,
            "Reserve a segment's whole size on disk when it is created.",
            broker_name="log.preallocate",
        ),
        ConfigKey(
            "retention.bytes",
            Kind.LONG,
            -1,
            "The size of a partition beyond which its oldest segments are deleted. Negative: no limit.",
            broker_name="log.retention.bytes",
        ),
        ConfigKey(
            "retention.ms",
            Kind.LONG,
            7 * 24 * HOUR_MS,
            "The age beyond which segments are deleted, by their newest record. -1: no limit.",
            low=-1,
            broker_name="log.retention.ms",
        ),
        ConfigKey(
            "segment.bytes",
            Kind.INT,
            1024 * 1024 * 1024,
            "The size at which a new segment is begun. Retention and compaction work on whole closed segments.",
            low=1024 * 1024,
            broker_name="log.segment.bytes",
        ),
        ConfigKey(
            "segment.index.bytes",
            Kind.INT,
            10 * 1024 * 1024,
            "The largest size of a segment's index files. A full index begins a new segment.",
            low=4,
            broker_name="log.index.size.max.bytes",
        ),
        ConfigKey(
            "segment.jitter.ms",
            Kind.LONG,
            0,
            "Up to this much is taken off segment.ms, at random, so that segments do not all roll at once.",
            low=0,
            broker_name="log.roll.jitter.ms",
        ),
        ConfigKey(
            "segment.ms",
            Kind.LONG,
            7 * 24 * HOUR_MS,
            "The age at which a new segment is begun even if the old one is not full.",
            low=1,
            broker_name="log.roll.ms",
        ),
        ConfigKey(
            "unclean.leader.election.enable",
            Kind.BOOLEAN,
            False,
            "Let a replica that was not in sync become leader when no other is left, at the price of lost records.",
            broker_name="unclean.leader.election.enable",
        ),
    ]
)
"""Keys of one topic, as in CreateTopics and IncrementalAlterConfigs. The broker's default is under `broker_name`."""

COARSER_BROKER_NAMES: Mapping[str, tuple[tuple[str, int], ...]] = {
    "retention.ms": (("log.retention.minutes", MINUTE_MS), ("log.retention.hours", HOUR_MS)),
    "segment.ms": (("log.roll.hours", HOUR_MS),),
    "segment.jitter.ms": (("log.roll.jitter.hours", HOUR_MS),),
}
"""Broker keys in coarser units, with milliseconds per unit: they count if the one in milliseconds is not set."""


def topic_settings(topic: Mapping[str, str], broker: Mapping[str, str]) -> dict[str, Value]:
    """What a topic with these configs on a broker with these has set; both as text, by Kafka's names.

    `UsageError` names the first key that is not known, does not take its value, or contradicts another.
    """
    values = {name: find_key(TOPIC_KEYS, name).parse(text) for name, text in topic.items()}
    for name, key in TOPIC_KEYS.items():
        if name not in values:
            value = _broker_default(key, broker)
            if value is not None:
                values[name] = value
    low, high = (
        values.get(name, TOPIC_KEYS[name].default) for name in ("min.compaction.lag.ms", "max.compaction.lag.ms")
    )
    assert isinstance(low, int)
    assert isinstance(high, int)
    if low > high:
        raise UsageError(f"min.compaction.lag.ms={low}: must not be above max.compaction.lag.ms={high}")
    return values


def _broker_default(key: ConfigKey, broker: Mapping[str, str]) -> Value | None:
    if key.broker_name in broker:
        return key.parse(broker[key.broker_name])
    for coarser, unit_ms in COARSER_BROKER_NAMES.get(key.name, ()):
        if coarser in broker:
            value = key.parse(broker[coarser])
            assert isinstance(value, int)
            return max(value * unit_ms, -1)  # -1 stays "without limit"
    return None
