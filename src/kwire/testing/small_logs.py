"""A log and batches for it in one line each, for tests and benchmarks of what stands on them."""

from __future__ import annotations

from dataclasses import replace

from kwire.records.batch import TRANSACTIONAL_FLAG, iter_batches, read_header
from kwire.records.builder import BatchBuilder
from kwire.records.compression import CompressionType
from kwire.records.control import ControlType, EndTransactionMarker
from kwire.records.record import Record, iter_records
from kwire.records.validation import ValidatedBatch
from kwire.storage.checkpoints import TopicPartition
from kwire.storage.file_system import FileSystem
from kwire.storage.flush import FlushScope
from kwire.storage.log import AppendInfo, Isolation, Log
from kwire.storage.log_config import LogConfig
from kwire.storage.recovery import KnownOffsets, LogSettings, Shutdown, open_log

PARTITION = TopicPartition("topic", 0)
DIRECTORY = "/data/topic-0"
NOW_MS = 1_000_000

SMALL = LogConfig(
    segment_bytes=600,
    segment_index_bytes=160,
    index_interval_bytes=80,
    retention_ms=-1,
    retention_bytes=-1,
    file_delete_delay_ms=20,
)
"""Settings under which a few batches fill a segment."""

COMPACTED = replace(
    SMALL,
    cleanup_policy=frozenset({"compact"}),
    min_cleanable_dirty_ratio=0.1,
    delete_retention_ms=100,
)
"""The same for a log that is compacted."""


def make_batch(
    *values: bytes | None,
    key: bytes | None = b"key",
    timestamp: int = NOW_MS,
    codec: CompressionType = CompressionType.NONE,
    producer_id: int = -1,
    sequence: int = -1,
    flags: int = 0,
) -> ValidatedBatch:
    """A batch of records with these values. A producer id makes it one of an idempotent producer, epoch 0."""
    builder = BatchBuilder(
        codec=codec,
        producer_id=producer_id,
        producer_epoch=-1 if producer_id < 0 else 0,
        base_sequence=sequence,
        flags=flags,
    )
    for value in values or (b"value",):
        builder.append(timestamp, key, value)
    data = builder.build()
    return ValidatedBatch(read_header(data), memoryview(data))


def make_transactional_batch(*values: bytes, producer_id: int, sequence: int) -> ValidatedBatch:
    """A batch of a transaction."""
    return make_batch(*values, producer_id=producer_id, sequence=sequence, flags=TRANSACTIONAL_FLAG)


def end_transaction(log: Log, producer_id: int, kind: ControlType, now_ms: int = NOW_MS) -> AppendInfo:
    """Appends a marker."""
    return log.append_marker(
        EndTransactionMarker(kind, 0),
        producer_id=producer_id,
        producer_epoch=0,
        leader_epoch=0,
        transaction_version=1,
        now_ms=now_ms,
    )


def open_small_log(
    files: FileSystem,
    config: LogConfig = SMALL,
    *,
    known: KnownOffsets | None = None,
    shutdown: Shutdown = Shutdown.UNCLEAN,
    now_ms: int = NOW_MS,
    directory: str = DIRECTORY,
) -> Log:
    """The log in `directory`, which is made if it is not there."""
    if not files.is_directory(directory):
        files.make_directory(directory)
    return open_log(
        LogSettings(files, lambda below: 0, producer_expiration_ms=2**62),
        PARTITION,
        directory,
        config,
        known=known or KnownOffsets(),
        shutdown=shutdown,
        now_ms=now_ms,
    )


def append(log: Log, batch: ValidatedBatch, leader_epoch: int = 0, now_ms: int = NOW_MS) -> AppendInfo:
    """Appends a batch, and lets consumers see it."""
    info = log.append_as_leader(batch, leader_epoch, now_ms)
    log.advance_high_watermark(log.log_end_offset)
    return info


def fill(log: Log, segments: int, now_ms: int = NOW_MS) -> None:
    """Appends batches of one record until the log has so many segments."""
    while len(log.local.segments) < segments:
        append(log, make_batch(b"%20d" % log.log_end_offset, timestamp=now_ms), now_ms=now_ms)


def flush(log: Log, scope: FlushScope = FlushScope.RECORDS, now_ms: int = NOW_MS) -> None:
    """Flushes all that is written."""
    ticket = log.begin_flush(now_ms, scope)
    if ticket is not None:
        ticket.sync()
        log.finish_flush(ticket)


def close(log: Log, now_ms: int = NOW_MS) -> None:
    """Stops the log cleanly."""
    ticket = log.begin_close(now_ms)
    if ticket is not None:
        ticket.sync()
        log.finish_flush(ticket)
    log.close()


def read_bytes(log: Log, offset: int, max_bytes: int = 1 << 20, isolation: Isolation = Isolation.LOG_END) -> bytes:
    """What a fetch would send."""
    return b"".join(region.read() for region in log.read(offset, max_bytes, isolation).regions)


def read_records(log: Log, isolation: Isolation = Isolation.LOG_END) -> list[Record]:
    """All records that a reader may see, by as many reads as it takes."""
    found: list[Record] = []
    offset = log.log_start_offset
    while offset < log.end_offset(isolation):
        data = read_bytes(log, offset, isolation=isolation)
        if not data:
            break
        for position, header in iter_batches(data):
            found += [record for record in iter_records(data, position, header) if record.offset >= offset]
            offset = header.next_offset
    return found
