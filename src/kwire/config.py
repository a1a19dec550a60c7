"""The declared configuration keys: one table, from which parsing, checking and documentation all follow.

Names, types and defaults are Kafka's, so that what people know keeps working. A key stands here only when it does
something; docs/CONFIGURATION.md is written from these tables by `make docs`, and a test fails when it drifts.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from kwire.errors import UsageError

INT_MAX = 2**31 - 1
LONG_MAX = 2**63 - 1
HOUR_MS = 60 * 60 * 1000

Value = bool | int | float | str | list[str]


class Kind(StrEnum):
    """How the text of a value is read. The names are those that DescribeConfigs reports."""

    BOOLEAN = "boolean"
    INT = "int"
    LONG = "long"
    DOUBLE = "double"
    STRING = "string"
    LIST = "list"


@dataclass(frozen=True, slots=True)
class ConfigKey:
    """One configuration key: its name, what it takes, what it does.

    `broker_name` on a topic's key is the broker-wide key that sets its default (`retention.ms` and `log.retention.ms`).
    """

    name: str
    kind: Kind
    default: Value
    doc: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    broker_name: str = ""

    def parse(self, text: str) -> Value:
        """The value that `text` stands for, or `UsageError` saying what was expected instead."""
        value = self._read(text.strip())
        if self.choices:
            given = value if isinstance(value, list) else [str(value)]
            wrong = [item for item in given if item not in self.choices]
            if wrong:
                raise UsageError(f"{self.name}={text}: expected one of {', '.join(self.choices)}")
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            if self.low is not None and value < self.low:
                raise UsageError(f"{self.name}={text}: must be at least {self.low:g}")
            if self.high is not None and value > self.high:
                raise UsageError(f"{self.name}={text}: must be at most {self.high:g}")
        return value

    def _read(self, text: str) -> Value:
        try:
            match self.kind:
                case Kind.BOOLEAN:
                    return {"true": True, "false": False}[text.lower()]
                case Kind.INT | Kind.LONG:
                    value = int(text)
                    limit = INT_MAX if self.kind is Kind.INT else LONG_MAX
                    if not -limit - 1 <= value <= limit or "_" in text:  # Python reads 1_000, Kafka does not
                        raise ValueError(text)
                    return value
                case Kind.DOUBLE:
                    return float(text)
                case Kind.LIST:
                    return [item.strip() for item in text.split(",") if item.strip()]
                case Kind.STRING:
                    return text
        except (ValueError, KeyError):
            raise UsageError(f"{self.name}={text}: expected a value of type {self.kind}") from None


def _table(keys: Iterable[ConfigKey]) -> Mapping[str, ConfigKey]:
    return {key.name: key for key in keys}


BROKER_KEYS = _table(
    [
        ConfigKey(
            "socket.request.max.bytes",
            Kind.INT,
            100 * 1024 * 1024,
            "The largest request that is read. A connection that announces a larger one is closed.",
            low=1,
        ),
        ConfigKey(
            "listeners",
            Kind.LIST,
            ["PLAINTEXT://127.0.0.1:9092"],
            "Where the broker listens, as NAME://host:port. Port 0 takes a free one.",
        ),
    ]
)
"""Keys of the whole broker, as in server.properties."""

TOPIC_KEYS = _table(
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


def find_key(table: Mapping[str, ConfigKey], name: str) -> ConfigKey:
    """The declared key of that name, or `UsageError` that names the nearest one."""
    key = table.get(name)
    if key is None:
        near = difflib.get_close_matches(name, table, n=1)
        raise UsageError(f"unknown configuration key {name}", f"did you mean {near[0]}?" if near else "")
    return key
