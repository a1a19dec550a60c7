"""Opening a log: after a clean stop as it is, after a crash with a look at what was not known to be on disk.

After a clean stop nothing is scanned. One listing of the directory, the last few headers of the active segment and the
snapshot of the producers say all there is to know; indexes stay closed until someone asks them.

After a crash, what lies before the recovery point is on disk, batches and indexes, because a flush said so. From there
on every batch is read and its CRC checked, and the indexes, the leader epochs, the aborted transactions and the
producers are made anew. At the first batch that is not whole the log ends: what is behind it is cut off, with one line
in the broker's log that says so.

An index that is missing, or contradicts its own end, is rebuilt in either case. What deletions and compactions left
half done is settled first (see `leftovers`).
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from kwire.records.batch import BatchError
from kwire.storage.checkpoints import MalformedFileError, TopicPartition
from kwire.storage.file_system import FileSystem
from kwire.storage.leader_epochs import LeaderEpochCache
from kwire.storage.leftovers import tidy_directory
from kwire.storage.local_log import LocalLog
from kwire.storage.log import Log
from kwire.storage.log_config import LogConfig
from kwire.storage.producer_table import PRODUCER_ID_EXPIRATION_MS, ProducerTable
from kwire.storage.replay import reload_producers
from kwire.storage.segment import Segment
from kwire.storage.segment_files import OFFSET_INDEX, TIME_INDEX
from kwire.storage.segment_list import SegmentList
from kwire.storage.segment_scan import Offsets, scan_segment

logger = logging.getLogger(__name__)

_INDEXES = {OFFSET_INDEX, TIME_INDEX}


class Shutdown(Enum):
    """How the broker stopped before this start."""

    CLEAN = "clean"
    UNCLEAN = "unclean"


class KnownOffsets(NamedTuple):
    """What the checkpoints of the log directory say about a log."""

    log_start_offset: int = 0
    recovery_point: int = 0
    high_watermark: int = 0


@dataclass(frozen=True, slots=True)
class LogSettings:
    """What all logs of a broker share. `pick_below(n)` is a random number from 0 to n-1."""

    file_system: FileSystem
    pick_below: Callable[[int], int]
    producer_expiration_ms: int = PRODUCER_ID_EXPIRATION_MS


def open_log(
    settings: LogSettings,
    partition: TopicPartition,
    directory: str,
    config: LogConfig,
    *,
    known: KnownOffsets,
    shutdown: Shutdown,
    now_ms: int,
) -> Log:
    """The log in `directory`, which is there. An empty one is a new log."""
    file_system = settings.file_system
    names = file_system.list_directory(directory)
    try:
        leader_epochs = LeaderEpochCache(file_system, directory)
        has_epochs = True
    except MalformedFileError as error:
        logger.warning("%s: the leader epochs are taken from the batches", error.detail)
        file_system.remove(error.path)
        leader_epochs = LeaderEpochCache(file_system, directory)
        has_epochs = False
    producers = ProducerTable(file_system, directory, names, settings.producer_expiration_ms)
    recovery = _Recovery(file_system, directory, config, leader_epochs, known, now_ms)
    segments = recovery.load(names, shutdown)

    end_offset = recovery.find_end_offset(segments.active)
    log_start_offset = max(known.log_start_offset, segments[0].base_offset)
    if log_start_offset > end_offset:
        # Everything that was left lies before records that were deleted on request.
        segments = recovery.start_again(segments, log_start_offset)
        end_offset = log_start_offset
    if not has_epochs:
        _collect_epochs(segments, leader_epochs)
    if shutdown is Shutdown.UNCLEAN:
        leader_epochs.truncate_from_end(end_offset)
    leader_epochs.truncate_from_start(log_start_offset)
    snapshots = producers.snapshots.offsets
    producers.snapshots.remove_strays([segment.base_offset for segment in segments])
    reload_producers(producers, segments, end_offset, now_ms, index_from_offset=recovery.index_transactions_from)
    if recovery.is_changed or snapshots != producers.snapshots.offsets:
        # What was removed must not come back beside what is appended next.
        file_system.sync_directory(directory)
    local = LocalLog(
        file_system,
        directory,
        config,
        segments,
        log_end_offset=end_offset,
        recovery_point=end_offset if shutdown is Shutdown.CLEAN else known.recovery_point,
        unsynced=recovery.unsynced,
        now_ms=now_ms,
        pick_below=settings.pick_below,
    )
    return Log(
        partition,
        local,
        producers,
        leader_epochs,
        log_start_offset=log_start_offset,
        high_watermark=known.high_watermark,
    )


def _collect_epochs(segments: SegmentList, leader_epochs: LeaderEpochCache) -> None:
    leader_epochs.clear()
    for segment in segments:
        with suppress(BatchError):  # as far as its headers can be read
            for _, header in segment.iter_headers(0):
                if header.leader_epoch > leader_epochs.latest_epoch:
                    leader_epochs.assign(header.leader_epoch, header.base_offset)


class _Recovery:
    """The way from a directory to segments that can be trusted."""

    def __init__(
        self,
        file_system: FileSystem,
        directory: str,
        config: LogConfig,
        leader_epochs: LeaderEpochCache,
        known: KnownOffsets,
        now_ms: int,
    ) -> None:
        self._files = file_system
        self._directory = directory
        self._config = config
        self._epochs = leader_epochs
        self._known = known
        self._now_ms = now_ms
        self.is_changed = False
        self.unsynced: list[Segment] = []
        self.index_transactions_from = 2**63 - 1

    def load(self, names: list[str], shutdown: Shutdown) -> SegmentList:
        """All segments, those that need it scanned."""
        found = tidy_directory(self._files, self._directory, names, self._config, self._now_ms)
        self.is_changed = found.is_changed
        segments = [
            Segment.open(self._files, self._directory, base_offset, self._config, kinds, now_ms=self._now_ms)
            for base_offset, kinds in sorted(found.kinds.items())
        ]
        if not segments:
            return SegmentList([self._create(self._known.log_start_offset)])
        incomplete = {offset for offset, kinds in found.kinds.items() if not kinds >= _INDEXES} | found.swapped
        if shutdown is Shutdown.UNCLEAN:
            segments = self._recover(segments, incomplete)
        else:
            self._rebuild([segment for segment in segments if segment.base_offset in incomplete])
        return SegmentList(segments)

    def find_end_offset(self, active: Segment) -> int:
        """Where the log ends. The active segment is made sense of even if it was damaged after a clean stop."""
        try:
            return active.next_offset()
        except BatchError:
            self._rebuild([active])
            return active.next_offset()

    def _rebuild(self, segments: list[Segment]) -> None:
        """Makes the indexes of segments anew that were flushed. Their epochs are known."""
        for segment in segments:
            self._scan(segment, segment.base_offset, Offsets.ASCENDING, None)

    def _recover(self, segments: list[Segment], incomplete: set[int]) -> list[Segment]:
        recovery_point = self._known.recovery_point
        first_unflushed = SegmentList(segments).number_of(recovery_point)
        flushed = segments[:first_unflushed]
        self._rebuild([segment for segment in flushed if segment.base_offset in incomplete or segment.find_fault()])
        offsets = Offsets.ASCENDING if self._config.compacts else Offsets.CONTIGUOUS
        for number in range(first_unflushed, len(segments)):
            segment = segments[number]
            is_trusted = number == first_unflushed and segment.base_offset not in incomplete
            from_offset = max(recovery_point, segment.base_offset) if is_trusted else segment.base_offset
            if self._scan(segment, from_offset, offsets, self._epochs):
                self._remove(segments[number + 1 :])
                return segments[: number + 1]
        return segments

    def _scan(
        self, segment: Segment, from_offset: int, offsets: Offsets, leader_epochs: LeaderEpochCache | None
    ) -> bool:
        """Checks and indexes a segment from about that offset on; whether something had to be cut off."""
        position = segment.rewind(from_offset)
        result = scan_segment(segment, position, offsets, leader_epochs)
        segment.seal()
        segment.is_dirty = True
        self.unsynced.append(segment)
        self.index_transactions_from = min(self.index_transactions_from, from_offset)
        if not result.fault:
            return False
        logger.warning(
            "%s: cut at position %d of %d, the log goes on at offset %d: %s",
            segment.log.path,
            result.end_position,
            segment.size_bytes,
            result.next_offset,
            result.fault,
        )
        segment.cut(result.end_position)
        return True

    def _remove(self, segments: list[Segment]) -> None:
        if segments:
            self.is_changed = True
            logger.warning(
                "%s: removed %d segments from offset %d on, which followed what is lost",
                self._directory,
                len(segments),
                segments[0].base_offset,
            )
        for segment in segments:
            segment.remove()

    def start_again(self, segments: SegmentList, offset: int) -> SegmentList:
        """An empty log at `offset` in place of these segments."""
        self._remove(list(segments))
        self.unsynced.clear()
        self._files.sync_directory(self._directory)
        return SegmentList([self._create(offset)])

    def _create(self, base_offset: int) -> Segment:
        return Segment.create(self._files, self._directory, base_offset, self._config, now_ms=self._now_ms)
