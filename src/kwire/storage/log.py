"""The log of one partition: what clients append and read, and every offset that says how far something got.

    log_start_offset <= last_stable_offset <= high_watermark <= log_end_offset

    log_start_offset     the first record that may be read; moved by retention and by DeleteRecords
    last_stable_offset   readers under read_committed stop here: before the oldest transaction that is not decided
    high_watermark       consumers stop here: what all in-sync replicas have. Moved by who knows the replicas
    log_end_offset       the offset of the next record

What holds true:

- A batch is written once, from the memory it came in, after its offsets were patched there. It is in the log entirely
  or not at all: the state in memory moves only after the write went well.
- The high watermark goes back only with a truncation of the log under it.
- Time, and whatever is random, arrives as an argument. Nothing waits for a disk but what says so.
- A `StorageError` leaves the log as it was on disk and is its end in this process: the log directory goes offline.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from enum import Enum
from typing import NamedTuple

from kwire.errors import BrokerError, ErrorCode
from kwire.records.batch import (
    CONTROL_FLAG,
    LOG_APPEND_TIME_FLAG,
    LOG_OVERHEAD,
    BatchHeader,
    TimestampType,
    WritableBuffer,
    check_crc,
    iter_batches,
    patch_max_timestamp,
    patch_offsets,
    read_header,
)
from kwire.records.control import EndTransactionMarker, build_marker, read_marker
from kwire.records.validation import ValidatedBatch
from kwire.storage.checkpoints import TopicPartition
from kwire.storage.file_system import FileRegion
from kwire.storage.flush import FlushScope, FlushTicket, Writeback
from kwire.storage.leader_epochs import LeaderEpochCache
from kwire.storage.local_log import LocalLog
from kwire.storage.log_config import LogConfig
from kwire.storage.producer_table import CompletedTransaction, ProducerTable
from kwire.storage.replay import reload_producers
from kwire.storage.segment import BatchSpan, Segment
from kwire.storage.transaction_index import AbortedTransaction

NO_TIMESTAMP = -1


class Isolation(Enum):
    """How far a reader may read."""

    LOG_END = "followers, and the broker itself"
    HIGH_WATERMARK = "read_uncommitted"
    LAST_STABLE = "read_committed"


class AppendOrigin(Enum):
    """Who wrote a batch, which decides how its producer is checked."""

    CLIENT = "client"
    COORDINATOR = "coordinator"


class AppendInfo(NamedTuple):
    """What became of an append. A duplicate has the offsets and the time of the batch that it repeats."""

    first_offset: int
    last_offset: int
    log_append_time_ms: int
    log_start_offset: int
    is_duplicate: bool


# As AppendInfo(...), at half the time; the ignore: tuple's element type stays unknown to pyright.
_new_append_info: Callable[[type[AppendInfo], tuple[int, int, int, int, bool]], AppendInfo]
_new_append_info = tuple.__new__  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]


class FetchResult(NamedTuple):
    """What a reader gets: regions of files, and the offsets a fetch reports. The batches may be cut off at the end."""

    regions: tuple[FileRegion, ...]
    high_watermark: int
    last_stable_offset: int
    log_start_offset: int
    aborted_transactions: tuple[AbortedTransaction, ...]

    @property
    def size_bytes(self) -> int:
        return sum(region.size_bytes for region in self.regions)


class Log:
    """One partition's log. Made by `recovery.open_log`."""

    __slots__ = (
        "high_watermark",
        "is_cleaning",
        "leader_epochs",
        "local",
        "log_start_offset",
        "partition",
        "producers",
    )

    def __init__(
        self,
        partition: TopicPartition,
        local: LocalLog,
        producers: ProducerTable,
        leader_epochs: LeaderEpochCache,
        *,
        log_start_offset: int,
        high_watermark: int,
    ) -> None:
        self.partition = partition
        self.local = local
        self.producers = producers
        self.leader_epochs = leader_epochs
        self.is_cleaning = False  # then nothing else may remove segments
        self.log_start_offset = log_start_offset
        self.high_watermark = log_start_offset
        self.advance_high_watermark(high_watermark)

    def __repr__(self) -> str:
        return f"Log({self.local.directory!r}, {self.log_start_offset}..{self.log_end_offset})"

    # Figures.

    @property
    def config(self) -> LogConfig:
        return self.local.config

    @property
    def directory(self) -> str:
        return self.local.directory

    @property
    def log_end_offset(self) -> int:
        return self.local.log_end_offset

    @property
    def flushed_offset(self) -> int:
        """Everything before it is on disk."""
        return self.local.flushed_offset

    @property
    def recovery_point(self) -> int:
        """Nothing before it has to be looked at after a crash."""
        return self.local.recovery_point

    @property
    def size_bytes(self) -> int:
        """The bytes of all batches."""
        return self.local.segments.size_bytes

    @property
    def last_stable_offset(self) -> int:
        unstable = self.producers.first_unstable_offset
        return self.high_watermark if unstable is None else min(unstable, self.high_watermark)

    def end_offset(self, isolation: Isolation) -> int:
        """Where readers stop."""
        if isolation is Isolation.HIGH_WATERMARK:
            return self.high_watermark
        return self.local.log_end_offset if isolation is Isolation.LOG_END else self.last_stable_offset

    def set_config(self, config: LogConfig) -> None:
        """Takes changed settings."""
        self.local.set_config(config)

    # Appending.

    def append_as_leader(
        self, batch: ValidatedBatch, leader_epoch: int, now_ms: int, origin: AppendOrigin = AppendOrigin.CLIENT
    ) -> AppendInfo:
        """Gives a batch its offsets and writes it, unless it repeats one of its producer's last.

        Patches the batch's memory. `BrokerError` if its producer must not write it, or no segment can hold it.
        """
        header, data = batch
        if header.producer_id >= 0:
            if origin is AppendOrigin.CLIENT:
                duplicate = self.producers.check(header)
                if duplicate is not None:
                    return AppendInfo(
                        duplicate.first_offset, duplicate.last_offset, duplicate.timestamp, self.log_start_offset, True
                    )
            else:
                self.producers.check_epoch(header)
        return self._append(header, data, leader_epoch, now_ms, None)

    def append_marker(
        self,
        marker: EndTransactionMarker,
        *,
        producer_id: int,
        producer_epoch: int,
        leader_epoch: int,
        transaction_version: int,
        now_ms: int,
    ) -> AppendInfo:
        """Ends a producer's transaction in this partition. `BrokerError` if coordinator or producer are fenced."""
        self.producers.check_marker(producer_id, producer_epoch, marker.coordinator_epoch, transaction_version)
        data = build_marker(marker, producer_id=producer_id, producer_epoch=producer_epoch, timestamp=now_ms)
        header = read_header(data)
        if self.local.config.is_log_append_time:
            header = patch_max_timestamp(data, 0, header, TimestampType.LOG_APPEND_TIME, now_ms)
        return self._append(header, memoryview(data), leader_epoch, now_ms, marker)

    def _append(
        self, header: BatchHeader, data: memoryview, leader_epoch: int, now_ms: int, marker: EndTransactionMarker | None
    ) -> AppendInfo:
        local = self.local
        _, batch_length, _, _, _, attributes, last_offset_delta, _, max_timestamp, producer_id, *_ = header
        size = batch_length + LOG_OVERHEAD
        first_offset = local.log_end_offset
        last_offset = first_offset + last_offset_delta
        segment = local.segments.active
        if (
            segment.log.size_bytes + size > segment.sure_size_bytes
            or max_timestamp > segment.sure_timestamp
            or last_offset > segment.sure_offset
        ):
            segment = self._segment_for(size, first_offset, last_offset, max_timestamp, now_ms)
        patch_offsets(data, 0, first_offset, leader_epoch)
        segment.append(data, ((size, first_offset, last_offset, max_timestamp),))
        self.leader_epochs.assign(leader_epoch, first_offset)
        if producer_id >= 0:
            self._update_producers(header, first_offset, marker, segment)
        local.log_end_offset = last_offset + 1
        append_time_ms = max_timestamp if attributes & LOG_APPEND_TIME_FLAG else NO_TIMESTAMP
        return _new_append_info(AppendInfo, (first_offset, last_offset, append_time_ms, self.log_start_offset, False))

    def append_as_follower(self, data: WritableBuffer, now_ms: int) -> AppendInfo:
        """Writes whole batches as the leader has them, offsets and epochs included. One cut off at the end is left out.

        `BrokerError` with OFFSET_OUT_OF_RANGE if they do not follow the log's end, CORRUPT_MESSAGE if a CRC is wrong.
        """
        batches = list(iter_batches(data))
        if not batches:
            return AppendInfo(self.log_end_offset, self.log_end_offset - 1, NO_TIMESTAMP, self.log_start_offset, False)
        spans: list[BatchSpan] = []
        next_offset = self.log_end_offset
        for position, header in batches:
            check_crc(data, position, header)
            if header.base_offset < next_offset:
                raise BrokerError(
                    ErrorCode.OFFSET_OUT_OF_RANGE, f"{self.partition}: {header.base_offset} after {next_offset - 1}"
                )
            next_offset = header.next_offset
            spans.append((header.size_bytes, header.base_offset, header.last_offset, header.max_timestamp))
        size = sum(span[0] for span in spans)
        max_timestamp = max(span[3] for span in spans)
        segment = self._segment_for(size, spans[0][1], spans[-1][2], max_timestamp, now_ms)
        segment.append(memoryview(data)[:size], spans)
        for position, header in batches:
            self.leader_epochs.assign(header.leader_epoch, header.base_offset)
            if header.producer_id >= 0:
                marker = read_marker(data, position, header) if header.attributes & CONTROL_FLAG else None
                self._update_producers(header, header.base_offset, marker, segment)
        self.local.log_end_offset = next_offset
        return AppendInfo(spans[0][1], spans[-1][2], NO_TIMESTAMP, self.log_start_offset, False)

    def _segment_for(self, size: int, first_offset: int, last_offset: int, max_timestamp: int, now_ms: int) -> Segment:
        """The segment to write to, a new one if the active one cannot take these batches."""
        local = self.local
        if size > local.config.segment_bytes:
            raise BrokerError(
                ErrorCode.RECORD_LIST_TOO_LARGE, f"{size} bytes, segment.bytes is {local.config.segment_bytes}"
            )
        segment = local.segments.active
        if size > local.config.segment_bytes:
            raise BrokerError(
                ErrorCode.RECORD_LIST_TOO_LARGE, f"{size} bytes, segment.bytes is {local.config.segment_bytes}"
            )
        if segment.must_roll(size, last_offset, max_timestamp, now_ms, local.roll_jitter_ms):
            segment = self.roll(first_offset, now_ms)
        return segment

    def roll(self, base_offset: int, now_ms: int) -> Segment:
        """Starts a new segment at `base_offset`, which is not before the log's end."""
        self._take_snapshot(base_offset)
        return self.local.roll(base_offset, now_ms)

    def _update_producers(
        self, header: BatchHeader, base_offset: int, marker: EndTransactionMarker | None, segment: Segment
    ) -> None:
        if marker is None:
            if not header.attributes & CONTROL_FLAG:
                self.producers.append(header, base_offset)
            return
        completed = self.producers.append_marker(header, base_offset, marker)
        if completed is not None and completed.is_aborted:
            segment.transaction_index.append(aborted_transaction(completed))

    def _take_snapshot(self, end_offset: int) -> None:
        self.producers.end_offset = end_offset
        file = self.producers.take_snapshot()
        if file is not None:
            self.local.add_snapshot(file)

    # Reading.

    def read(self, offset: int, max_bytes: int, isolation: Isolation) -> FetchResult:
        """The batches from the one that holds `offset`, up to `max_bytes`, but the first one whole.

        `BrokerError` with OFFSET_OUT_OF_RANGE outside of the log; nothing at and behind where the isolation stops.
        """
        local = self.local
        high_watermark = self.high_watermark
        unstable = self.producers.first_unstable_offset
        stable = high_watermark if unstable is None or unstable > high_watermark else unstable
        if isolation is Isolation.HIGH_WATERMARK:
            end_offset = high_watermark
        else:
            end_offset = stable if isolation is Isolation.LAST_STABLE else local.log_end_offset
        if not self.log_start_offset <= offset < end_offset:
            self._check_range(offset)
            return FetchResult((), high_watermark, stable, self.log_start_offset, ())
        regions = local.read(offset, max_bytes, end_offset)
        aborted: tuple[AbortedTransaction, ...] = ()
        if isolation is Isolation.LAST_STABLE and regions:
            aborted = tuple(local.collect_aborted(offset, regions))
        return FetchResult(tuple(regions), high_watermark, stable, self.log_start_offset, aborted)

    def prepare_read(self, offset: int) -> Callable[[], None] | None:
        """What a worker should do before `read` at an old offset, so that the event loop does not wait for the disk.

        It brings the index and the headers there into the page cache. None where the active segment is read. Whether
        sending the region would wait is the region's to say.
        """
        segments = self.local.segments
        if not self.log_start_offset <= offset < segments.active.base_offset:
            return None
        segment = segments[segments.number_of(offset)]
        _ = segment.offset_index  # opened here, for it is not for two threads

        def load() -> None:
            with suppress(BrokerError):  # `read` says what is wrong
                segment.locate(offset)

        return load

    def _check_range(self, offset: int) -> None:
        if not self.log_start_offset <= offset <= self.local.log_end_offset:
            raise BrokerError(
                ErrorCode.OFFSET_OUT_OF_RANGE,
                f"{self.partition}: {offset} is not in {self.log_start_offset}..{self.local.log_end_offset}",
            )

    # Watermarks.

    def advance_high_watermark(self, offset: int) -> bool:
        """Moves the high watermark up to `offset`, but not beyond the log's end; whether that moved it."""
        log_end_offset = self.local.log_end_offset
        if offset > log_end_offset:
            offset = log_end_offset
        if offset <= self.high_watermark:
            return False
        self.high_watermark = offset
        self.producers.on_high_watermark(offset)
        return True

    def delete_records_before(self, offset: int) -> None:
        """Lets the log start at `offset`; -1 is the high watermark. `BrokerError` if that is beyond it, or before 0."""
        if offset == -1:
            offset = self.high_watermark
        if not 0 <= offset <= self.high_watermark:
            raise BrokerError(
                ErrorCode.OFFSET_OUT_OF_RANGE,
                f"{self.partition}: cannot start at {offset}, the high watermark is {self.high_watermark}",
            )
        self._advance_log_start_offset(offset)

    def _advance_log_start_offset(self, offset: int) -> None:
        if offset > self.log_start_offset:
            self.log_start_offset = offset
            self.leader_epochs.truncate_from_start(offset)
            self.producers.on_log_start_offset(offset)
            # A segment may be gone in which the high watermark was, if nobody had moved it since a start.
            self.advance_high_watermark(offset)

    # Removing.

    def delete_oldest(self, count: int, now_ms: int) -> None:
        """Takes the oldest segments out of the log, all of them if need be: it then goes on with a new one."""
        if count == len(self.local.segments):
            self.roll(self.log_end_offset, now_ms)
        assert not self.is_cleaning
        self._delete_snapshots(self.local.drop_oldest(count, now_ms), now_ms)
        self._advance_log_start_offset(self.local.segments[0].base_offset)

    def replace_segments(self, old: Sequence[Segment], new: Sequence[Segment], now_ms: int) -> None:
        """Lets compacted segments take the place of others, on disk already (see `cleaner`)."""
        self.local.replace(old, new, now_ms)
        kept = {segment.base_offset for segment in new}
        self._delete_snapshots([segment for segment in old if segment.base_offset not in kept], now_ms)

    def _delete_snapshots(self, segments: Sequence[Segment], now_ms: int) -> None:
        for segment in segments:
            path = self.producers.snapshots.mark_deleted(segment.base_offset)
            if path is not None:
                self.local.remove_later(path, now_ms)

    def truncate_to(self, offset: int, now_ms: int) -> bool:
        """Removes the batch that holds `offset` and all behind it; whether there was anything. Waits for the disk.

        If the recovery point that was checkpointed lies behind `offset`, the caller has lowered it before: what is
        appended next would otherwise be taken for flushed after a crash.
        """
        assert not self.is_cleaning
        if offset >= self.log_end_offset:
            return False
        if offset < self.local.segments[0].base_offset:
            self.truncate_fully_and_start_at(offset, now_ms)
            return True
        self.local.truncate_to(offset, now_ms)
        end_offset = self.log_end_offset
        if end_offset < min(offset, self.log_start_offset):
            # A batch goes whole. What was deleted on request stays so, even if it lay in the same batch.
            self.truncate_fully_and_start_at(min(offset, self.log_start_offset), now_ms)
            return True
        self.log_start_offset = min(self.log_start_offset, end_offset)
        self.leader_epochs.truncate_from_end(end_offset)
        self.leader_epochs.flush()
        reload_producers(self.producers, self.local.segments, end_offset, now_ms)
        self.local.sync_directory()
        if self.high_watermark > end_offset:
            self.high_watermark = end_offset
        self.producers.on_high_watermark(self.high_watermark)
        return True

    def truncate_fully_and_start_at(self, offset: int, now_ms: int) -> None:
        """Removes everything: the log is empty and goes on at `offset`. Waits for the disk."""
        assert not self.is_cleaning
        self.leader_epochs.clear()
        self.leader_epochs.flush()
        self.producers.truncate_fully_and_start_at(offset)
        self.local.truncate_fully(offset, now_ms)
        self.log_start_offset = self.high_watermark = offset

    def remove_dropped(self, now_ms: int) -> None:
        """Removes the files of segments that left the log file.delete.delay.ms ago."""
        self.local.remove_dropped(now_ms)

    # Flushing.

    def is_flush_due(self, now_ms: int) -> bool:
        """Whether flush.messages or flush.ms ask for a flush, or a segment was completed."""
        return self.local.is_flush_due(now_ms)

    def begin_flush(self, now_ms: int, scope: FlushScope = FlushScope.RECORDS) -> FlushTicket | None:
        """What a worker must sync for everything appended so far to be on disk; None if it is."""
        return self.local.begin_flush(scope, self.leader_epochs, now_ms)

    def finish_flush(self, ticket: FlushTicket) -> None:
        """Takes note that a ticket was synced."""
        self.local.finish_flush(ticket)

    def take_writeback(self, min_bytes: int) -> Writeback | None:
        """What a worker should ask the kernel to write, if that much was appended since the last time."""
        return self.local.take_writeback(min_bytes)

    def begin_close(self, now_ms: int) -> FlushTicket | None:
        """Brings the files into the form of a clean stop; what must be synced then. No append may follow."""
        self.local.segments.active.seal()
        self._take_snapshot(self.log_end_offset)
        return self.begin_flush(now_ms, FlushScope.RECOVERY_POINT)

    def relocate(self, directory: str) -> None:
        """Takes note that the directory was renamed, because the partition is deleted. Readers may go on."""
        self.local.relocate(directory)
        self.leader_epochs.directory = directory
        self.producers.snapshots.directory = directory

    def close(self) -> None:
        """Lets go of all files."""
        self.local.close()


def aborted_transaction(completed: CompletedTransaction) -> AbortedTransaction:
    """The entry of an aborted transaction in the index."""
    return AbortedTransaction(*completed[:4])
