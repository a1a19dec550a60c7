"""A topic's settings as the log of a partition uses them: typed, complete, checked.

The keys, their defaults and ranges are declared in `kwire.config.TOPIC_KEYS`; here they become attributes, a key's dots
turned to underscores. One object serves all partitions of a topic, and a changed setting is a new object.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from kwire.config import TOPIC_KEYS, Value, find_key, topic_settings

T = TypeVar("T")


def _setting(kind: type[T], name: str) -> T:
    """A field whose default is the declared one of the topic's key."""
    default = TOPIC_KEYS[name].default
    return cast(T, field(default=frozenset(default) if isinstance(default, list) else default))


@dataclass(frozen=True, slots=True)
class LogConfig:
    """The settings of a topic's logs. Without arguments: Kafka's defaults."""

    cleanup_policy: frozenset[str] = _setting(frozenset[str], "cleanup.policy")
    compression_gzip_level: int = _setting(int, "compression.gzip.level")
    compression_lz4_level: int = _setting(int, "compression.lz4.level")
    compression_type: str = _setting(str, "compression.type")
    compression_zstd_level: int = _setting(int, "compression.zstd.level")
    delete_retention_ms: int = _setting(int, "delete.retention.ms")
    file_delete_delay_ms: int = _setting(int, "file.delete.delay.ms")
    flush_messages: int = _setting(int, "flush.messages")
    flush_ms: int = _setting(int, "flush.ms")
    index_interval_bytes: int = _setting(int, "index.interval.bytes")
    max_compaction_lag_ms: int = _setting(int, "max.compaction.lag.ms")
    max_message_bytes: int = _setting(int, "max.message.bytes")
    message_timestamp_after_max_ms: int = _setting(int, "message.timestamp.after.max.ms")
    message_timestamp_before_max_ms: int = _setting(int, "message.timestamp.before.max.ms")
    message_timestamp_type: str = _setting(str, "message.timestamp.type")
    min_cleanable_dirty_ratio: float = _setting(float, "min.cleanable.dirty.ratio")
    min_compaction_lag_ms: int = _setting(int, "min.compaction.lag.ms")
    min_insync_replicas: int = _setting(int, "min.insync.replicas")
    preallocate: bool = _setting(bool, "preallocate")
    retention_bytes: int = _setting(int, "retention.bytes")
    retention_ms: int = _setting(int, "retention.ms")
    segment_bytes: int = _setting(int, "segment.bytes")
    segment_index_bytes: int = _setting(int, "segment.index.bytes")
    segment_jitter_ms: int = _setting(int, "segment.jitter.ms")
    segment_ms: int = _setting(int, "segment.ms")
    unclean_leader_election_enable: bool = _setting(bool, "unclean.leader.election.enable")

    @property
    def compacts(self) -> bool:
        """Whether the log is compacted."""
        return "compact" in self.cleanup_policy

    @property
    def deletes(self) -> bool:
        """Whether retention deletes old segments."""
        return "delete" in self.cleanup_policy

    @property
    def is_log_append_time(self) -> bool:
        """Whether the broker sets the timestamps."""
        return self.message_timestamp_type == "LogAppendTime"

    @classmethod
    def parse(cls, topic: Mapping[str, str], broker: Mapping[str, str] | None = None) -> LogConfig:
        """The settings of a topic with these configs, on a broker with these; both as text, by Kafka's names.

        `UsageError` names the first key that is not known, does not take its value, or contradicts another.
        """
        values = topic_settings(topic, broker or {})
        attributes: dict[str, Any] = {_attribute(name): _frozen(value) for name, value in values.items()}
        return cls(**attributes)

    def value(self, name: str) -> Value:
        """The setting under its Kafka name, for DescribeConfigs."""
        key = find_key(TOPIC_KEYS, name)
        found: object = getattr(self, _attribute(key.name))
        if isinstance(found, frozenset):
            return [item for item in key.choices if item in found]
        return cast(Value, found)


def _attribute(name: str) -> str:
    return name.replace(".", "_")


def _frozen(value: Value) -> Value | frozenset[str]:
    return frozenset(value) if isinstance(value, list) else value
