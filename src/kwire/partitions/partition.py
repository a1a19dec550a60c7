"""A partition as its leader sees it: appends and reads on the log, the high watermark, and who waits.

With one replica the high watermark follows the log's end. Where flush.messages asks for an fsync first, it follows what
is on disk instead, so that nobody reads what a power cut could take back, and acknowledgements wait for it.
"""

from __future__ import annotations

from collections.abc import Callable

from kwire.config import LONG_MAX
from kwire.errors import ErrorCode
from kwire.metadata.values import INTERNAL_TOPICS
from kwire.partitions.waits import DataWait
from kwire.records.batch import TimestampType, WritableBuffer
from kwire.records.compression import CompressionType
from kwire.records.validation import ValidationRules, validate_produce
from kwire.storage.log import AppendInfo, AppendOrigin, FetchResult, Isolation, Log
from kwire.storage.log_config import LogConfig

Flushed = Callable[[ErrorCode], object]
"""Told what came of a flush: NONE, or why there will be none."""


class Partition:
    """Leader of one partition. `on_flush_due` is told when acknowledgements wait for the disk."""

    __slots__ = (
        "_flush_messages",
        "_flush_waits",
        "_on_flush_due",
        "_rules",
        "closed",
        "data_waits",
        "index",
        "is_internal",
        "leader_epoch",
        "log",
        "topic",
        "topic_id",
    )

    def __init__(
        self,
        topic: str,
        topic_id: bytes,
        index: int,
        leader_epoch: int,
        log: Log,
        on_flush_due: Callable[[Partition], object],
    ) -> None:
        self.topic = topic
        self.topic_id = topic_id
        self.index = index
        self.is_internal = topic in INTERNAL_TOPICS
        self.leader_epoch = leader_epoch
        self.log = log
        self.data_waits: set[DataWait] = set()
        self.closed = ErrorCode.NONE  # why it is served no longer
        self._on_flush_due = on_flush_due
        self._flush_waits: list[tuple[int, Flushed]] = []  # (offset that must be on disk, what to do then)
        self._take_config(log.config)
        # A leader's epoch begins where the log ends, even before it writes: clients may ask for its end right away.
        log.leader_epochs.assign(leader_epoch, log.log_end_offset)
        if not self._flush_messages:
            log.advance_high_watermark(log.log_end_offset)
        elif log.high_watermark < log.log_end_offset:
            # After a crash there may be more than the last checkpoint told, all of it maybe acknowledged.
            on_flush_due(self)

    def __repr__(self) -> str:
        return f"Partition({self.topic}-{self.index})"

    def set_config(self, config: LogConfig) -> None:
        self.log.set_config(config)
        self._take_config(config)

    def _take_config(self, config: LogConfig) -> None:
        self._rules = validation_rules(config)
        self._flush_messages = config.flush_messages if config.flush_messages < LONG_MAX else 0

    # ---- appending -------------------------------------------------------------------------------------------

    def append(self, records: WritableBuffer, now_ms: int) -> AppendInfo:
        """Validates one batch of a client and appends it; `BrokerError` where Kafka's rules refuse it."""
        batch = validate_produce(records, self._rules, now_ms)
        info = self.log.append_as_leader(batch, self.leader_epoch, now_ms, AppendOrigin.CLIENT)
        if not info.is_duplicate:
            self.appended(len(batch.data))
        return info

    def appended(self, size_bytes: int) -> None:
        """Takes note of an append: readers may have it now, or once it is on disk."""
        log = self.log
        if self._flush_messages and log.log_end_offset - log.flushed_offset >= self._flush_messages:
            self._on_flush_due(self)
            return
        if log.advance_high_watermark(log.log_end_offset) and self.data_waits:
            for wait in tuple(self.data_waits):
                wait.arrived(size_bytes)

    def must_flush_before(self, offset: int) -> bool:
        """Whether an acknowledgement of everything before `offset` has to wait for the disk."""
        return bool(self._flush_messages) and self.log.high_watermark < offset

    def when_flushed(self, offset: int, action: Flushed) -> None:
        """Does `action` once everything before `offset` is on disk, or never will be: it is told the error then."""
        if self.closed:
            action(self.closed)
        else:
            self._flush_waits.append((offset, action))

    def flushed(self) -> None:
        """An fsync has ended: readers see what is on disk, and who waited for that is told."""
        moved = self.log.advance_high_watermark(self.log.flushed_offset)
        waits, self._flush_waits = self._flush_waits, []
        for offset, action in waits:
            if offset <= self.log.high_watermark:
                action(ErrorCode.NONE)
            else:
                self._flush_waits.append((offset, action))
        if self._flush_waits:
            self._on_flush_due(self)
        if moved:
            # How many bytes came is not known here, and a fetch that waits for more looks for itself.
            self.wake_readers()

    def close(self, code: ErrorCode) -> None:
        """The partition is served no longer, because of `code`: whoever waits here is told."""
        self.closed = code
        waits, self._flush_waits = self._flush_waits, []
        for _, action in waits:
            action(code)
        self.wake_readers()

    # ---- reading ---------------------------------------------------------------------------------------------

    def read(self, offset: int, max_bytes: int, isolation: Isolation) -> FetchResult:
        return self.log.read(offset, max_bytes, isolation)

    def read_nothing(self) -> FetchResult:
        """What a reader learns who may take no bytes."""
        log = self.log
        return FetchResult((), log.high_watermark, log.last_stable_offset, log.log_start_offset, ())

    def wake_readers(self) -> None:
        """All fetches that wait here look again: the partition's state has changed other than by an append."""
        for wait in tuple(self.data_waits):
            wait.finish()


def validation_rules(config: LogConfig) -> ValidationRules:
    """What a topic's settings demand of a batch."""
    log_append_time = config.is_log_append_time
    codec = CODECS.get(config.compression_type)
    return ValidationRules(
        max_message_bytes=config.max_message_bytes,
        timestamp_type=TimestampType.LOG_APPEND_TIME if log_append_time else TimestampType.CREATE_TIME,
        timestamp_before_max_ms=config.message_timestamp_before_max_ms,
        timestamp_after_max_ms=config.message_timestamp_after_max_ms,
        requires_keys=config.compacts,
        codec=codec,
        level=compression_level(config, codec),
    )


# `producer` keeps what the producer chose, and so has no entry.
CODECS = {
    "uncompressed": CompressionType.NONE,
    "gzip": CompressionType.GZIP,
    "snappy": CompressionType.SNAPPY,
    "lz4": CompressionType.LZ4,
    "zstd": CompressionType.ZSTD,
}


def compression_level(config: LogConfig, codec: CompressionType | None) -> int | None:
    levels = {
        CompressionType.GZIP: config.compression_gzip_level,
        CompressionType.LZ4: config.compression_lz4_level,
        CompressionType.ZSTD: config.compression_zstd_level,
    }
    return levels.get(codec) if codec is not None else None
