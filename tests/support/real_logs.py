"""Logs in a real directory, and batches to fill them with."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from pathlib import Path

from kwire.records.batch import TRANSACTIONAL_FLAG, iter_batches, read_header
from kwire.records.builder import BatchBuilder
from kwire.records.compression import CompressionType
from kwire.records.record import Record, iter_records
from kwire.records.validation import ValidatedBatch
from kwire.storage.checkpoints import TopicPartition
from kwire.storage.files import RealFileSystem
from kwire.storage.log import Isolation, Log
from kwire.storage.log_config import LogConfig
from kwire.storage.log_dirs import LogDirs
from kwire.storage.log_manager import LogManager
from kwire.storage.recovery import LogSettings

Fields = tuple[bytes | None, bytes | None, tuple[tuple[str, bytes | None], ...]]
"""Key, value and headers of a record."""


def open_logs(
    directory: Path, now_ms: int, config_of: Callable[[TopicPartition], LogConfig] = lambda partition: LogConfig()
) -> LogManager:
    """The logs of node 1 in a directory that is made if it is missing."""
    files = RealFileSystem(100)
    dirs = LogDirs.open(files, [str(directory)], node_id=1, new_id=lambda: bytes(range(1, 17)), now_ms=now_ms)
    return LogManager.open(LogSettings(files, lambda below: below // 2), dirs, config_of, now_ms)


def batch_of(
    records: list[Fields],
    timestamp: int,
    *,
    codec: CompressionType = CompressionType.NONE,
    producer: tuple[int, int, int] = (-1, -1, -1),
    flags: int = 0,
) -> ValidatedBatch:
    """A batch as validation hands it on. `producer` is its id, epoch and first sequence."""
    producer_id, epoch, sequence = producer
    builder = BatchBuilder(
        codec=codec, producer_id=producer_id, producer_epoch=epoch, base_sequence=sequence, flags=flags
    )
    for key, value, headers in records:
        builder.append(timestamp, key, value, headers)
    data = builder.build()
    return ValidatedBatch(read_header(data), memoryview(data))


def read_all(log: Log) -> list[Record]:
    """Every record from the log's start to its end, markers left out."""
    found: list[Record] = []
    offset = log.log_start_offset
    while offset < log.log_end_offset:
        regions = log.read(offset, 2**30, Isolation.LOG_END).regions
        data = b"".join(region.read() for region in regions)
        batches = list(iter_batches(data))
        offset = batches[-1][1].next_offset
        of_data = (iter_records(data, position, header) for position, header in batches if not header.is_control)
        found += chain.from_iterable(of_data)
    return [record for record in found if record.offset >= log.log_start_offset]


def committed(log: Log) -> list[Record]:
    """What a consumer under read_committed makes of the log: the records that no aborted transaction covers."""
    batches: list[tuple[int, int, int, bool]] = []  # first offset, last offset, producer id, transactional
    for segment in log.local.segments:
        batches += [
            (header.base_offset, header.last_offset, header.producer_id, bool(header.attributes & TRANSACTIONAL_FLAG))
            for _, header in segment.iter_headers(0)
        ]
    start = log.log_start_offset
    aborted = log.read(start, 2**30, Isolation.LAST_STABLE).aborted_transactions
    dropped: set[int] = set()
    for first, last, producer_id, is_transactional in batches:
        if is_transactional and any(
            t.producer_id == producer_id and t.first_offset <= first <= t.last_offset for t in aborted
        ):
            dropped.update(range(first, last + 1))
    return [record for record in read_all(log) if record.offset not in dropped]
