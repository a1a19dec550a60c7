"""The segments of one partition as one sequence of batches: writing, reading, rolling, flushing, dropping.

What holds true:

- `log_end_offset` is the offset behind the last batch; the active segment is the only one that is written to.
- Nothing waits for the disk but `truncate_to`, `truncate_fully` and `close`. What an append needs on disk is handed out
  as a `FlushTicket` for a worker.
- `flushed_offset` is how far the batches are known to be on disk. `recovery_point` is how far everything is that
  recovery would otherwise make anew: batches, indexes, leader epochs, snapshots. It never runs ahead of the former.
- Segments leave the log by being renamed to `.deleted`; their files go after file.delete.delay.ms, so that a fetch that
  was answered with a region of one can still be sent.

What the batches mean (producers, transactions, epochs, watermarks) is known to `log` alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from kwire.storage import segment_files
from kwire.storage.file_system import File, FileRegion, FileSystem
from kwire.storage.flush import FlushScope, FlushTicket, Writeback
from kwire.storage.leader_epochs import LeaderEpochCache
from kwire.storage.log_config import LogConfig
from kwire.storage.segment import Segment
from kwire.storage.segment_list import SegmentList
from kwire.storage.transaction_index import AbortedTransaction

_KNOWN_POSITIONS_MAX = 4


class Removal(NamedTuple):
    """What left the log, and when its files go. A snapshot's path stands alone."""

    dropped: Segment | str
    remove_at_ms: int


class LocalLog:
    """The segments of a partition. See the module's docstring.

    `pick_below(n)` returns a number from 0 to n-1, for segment.jitter.ms.
    """

    __slots__ = (
        "_directory_changed",
        "_flushes_running",
        "_known_positions",
        "_last_flush_ms",
        "_new_snapshots",
        "_pick_below",
        "_removals",
        "_truncations",
        "_unsynced_segments",
        "_written_back",
        "config",
        "directory",
        "file_system",
        "flushed_offset",
        "log_end_offset",
        "recovery_point",
        "roll_jitter_ms",
        "segments",
    )

    def __init__(
        self,
        file_system: FileSystem,
        directory: str,
        config: LogConfig,
        segments: SegmentList,
        *,
        log_end_offset: int,
        recovery_point: int,
        unsynced: Sequence[Segment],
        now_ms: int,
        pick_below: Callable[[int], int],
    ) -> None:
        self.file_system = file_system
        self.directory = directory
        self.config = config
        self.segments = segments
        self.log_end_offset = log_end_offset
        self.recovery_point = min(recovery_point, log_end_offset)
        self.flushed_offset = self.recovery_point
        self._pick_below = pick_below
        self.roll_jitter_ms = self._new_jitter_ms()
        self._last_flush_ms = now_ms
        self._truncations = 0
        self._flushes_running = 0
        # What recovery touched, or made, is synced by the first flush.
        self._directory_changed = segments.active.is_dirty
        self._unsynced_segments = list(unsynced)
        self._new_snapshots: list[File] = []
        self._removals: list[Removal] = []
        self._written_back = segments.active, 0
        for segment in segments.closed:
            segment.forget_recent()  # known from a scan
        self._known_positions: dict[int, tuple[Segment, int]] = {}

    # Writing.

    def roll(self, base_offset: int, now_ms: int) -> Segment:
        """Starts a new segment."""
        active = self.segments.active
        if not active.size_bytes:
            # Its offsets cannot hold what is to come: an empty one in its place, or none if the offset is the same.
            if active.base_offset == base_offset:
                return active
            segment = self._create(base_offset, now_ms)
            self.segments.replace([active], [segment])
            self._drop([active], now_ms)
            return segment
        active.seal()
        self._unsynced_segments.append(active)
        segment = self._create(base_offset, now_ms)
        self.segments.add(segment)
        if len(self.segments) > 2:
            self.segments[-3].forget_recent()  # of the one before the last, readers may still be at the end
        self.roll_jitter_ms = self._new_jitter_ms()
        return segment

    def _create(self, base_offset: int, now_ms: int) -> Segment:
        self._directory_changed = True
        return Segment.create(self.file_system, self.directory, base_offset, self.config, now_ms=now_ms)

    def _new_jitter_ms(self) -> int:
        jitter_ms = min(self.config.segment_jitter_ms, self.config.segment_ms)
        return self._pick_below(jitter_ms) if jitter_ms > 0 else 0

    def set_config(self, config: LogConfig) -> None:
        """Takes changed settings."""
        self.config = config
        for segment in self.segments:
            segment.set_config(config)

    # Reading.

    def read(self, offset: int, max_bytes: int, end_offset: int) -> list[FileRegion]:
        """Regions with the batches from the one that holds `offset` up to `end_offset`, where a batch starts.

        Up to `max_bytes`, but the first batch whole. Goes on into the next segment where one ends.
        """
        segments = self.segments
        last, last_position = self._position_of(end_offset)
        segment = segments.active
        if offset >= segment.base_offset:
            region = segment.read(offset, max_bytes, last_position)
            return [region] if region is not None else []
        regions: list[FileRegion] = []
        for segment in segments.starting_from(offset):
            max_position = last_position if segment is last else segment.size_bytes
            if not regions:
                region = segment.read(offset, max_bytes, max_position)
            else:
                region = FileRegion(segment.log, 0, min(max_bytes, max_position)) if max_position else None
            if region is not None:
                regions.append(region)
                max_bytes -= region.size_bytes
            if max_bytes <= 0 or segment is last:
                break
        return regions

    def collect_aborted(self, offset: int, regions: Sequence[FileRegion]) -> list[AbortedTransaction]:
        """The aborted transactions with records or a marker in regions that were read from `offset` on."""
        found: list[AbortedTransaction] = []
        upper_bound = self._upper_bound_offset(offset, regions[-1])
        for segment in self.segments.starting_from(offset):
            transactions, is_complete = segment.transaction_index.collect(offset, upper_bound)
            found += transactions
            if is_complete:
                break
        return found

    def _upper_bound_offset(self, offset: int, region: FileRegion) -> int:
        """An offset behind every batch of a region: as near as the index tells."""
        number = self.segments.number_of(offset)
        while self.segments[number].log is not region.file:
            number += 1
        end = self.segments.end_offset_of(number, self.log_end_offset)
        bound = self.segments[number].upper_bound_offset(region.position + region.size_bytes)
        return end if bound is None else min(bound, end)

    def _position_of(self, offset: int) -> tuple[Segment, int]:
        """The segment and the position at which the batches before `offset` end."""
        if offset >= self.log_end_offset:
            active = self.segments.active
            return active, active.log.size_bytes
        # High watermark and last stable offset stand still for many reads while someone lags or a transaction is open.
        known = self._known_positions.get(offset)
        if known is None:
            segment = self.segments[self.segments.number_of(offset)]
            found = segment.locate(offset)
            known = segment, segment.size_bytes if found is None else found[0]
            if len(self._known_positions) >= _KNOWN_POSITIONS_MAX:
                self._known_positions.clear()
            self._known_positions[offset] = known
        return known

    # Flushing.

    def add_snapshot(self, file: File) -> None:
        """Takes a new snapshot into the next flush, which closes it."""
        self._new_snapshots.append(file)
        self._directory_changed = True

    def is_flush_due(self, now_ms: int) -> bool:
        """Whether flush.messages or flush.ms ask for a flush, or a segment was completed."""
        unflushed = self.log_end_offset - self.flushed_offset
        return (
            bool(self._unsynced_segments)
            or unflushed >= self.config.flush_messages
            or (unflushed > 0 and now_ms - self._last_flush_ms >= self.config.flush_ms)
        )

    def begin_flush(self, scope: FlushScope, leader_epochs: LeaderEpochCache, now_ms: int) -> FlushTicket | None:
        """What must be synced now; None if there is nothing."""
        active = self.segments.active
        files = [file for segment in self._unsynced_segments for file in segment.take_dirty(FlushScope.RECOVERY_POINT)]
        files += active.take_dirty(scope)
        epochs = leader_epochs if leader_epochs.is_dirty else None
        self._last_flush_ms = now_ms
        if not (files or self._new_snapshots or epochs or self._directory_changed):
            if not self._flushes_running:
                self._note_flushed(self.log_end_offset, self._recovery_point_after(scope))
            return None
        end_offset = self.log_end_offset
        ticket = FlushTicket(
            self.file_system,
            tuple(files),
            tuple(self._new_snapshots),
            self.directory if self._directory_changed else None,
            epochs,
            end_offset,
            self._recovery_point_after(scope),
            self._truncations,
        )
        self._unsynced_segments = []
        self._new_snapshots = []
        self._directory_changed = False
        self._flushes_running += 1
        return ticket

    def finish_flush(self, ticket: FlushTicket) -> None:
        """Takes note that a ticket's sync is over and went well."""
        self._flushes_running -= 1
        for file in ticket.snapshots:
            file.close()
        if ticket.truncations == self._truncations:
            self._note_flushed(ticket.end_offset, ticket.recovery_point)

    def _recovery_point_after(self, scope: FlushScope) -> int:
        """Segments that are complete are flushed with their indexes in any case."""
        return self.log_end_offset if scope is FlushScope.RECOVERY_POINT else self.segments.active.base_offset

    def _note_flushed(self, end_offset: int, recovery_point: int) -> None:
        self.flushed_offset = max(self.flushed_offset, end_offset)
        self.recovery_point = max(self.recovery_point, recovery_point)

    def take_writeback(self, min_bytes: int) -> Writeback | None:
        """What was appended to the active segment since the last one, if that is enough."""
        active = self.segments.active
        segment, position = self._written_back
        position = position if segment is active else 0
        size_bytes = active.log.size_bytes - position
        if size_bytes < min_bytes:
            return None
        self._written_back = active, active.log.size_bytes
        return Writeback(active.log, position, size_bytes)

    # Dropping.

    def drop_oldest(self, count: int, now_ms: int) -> list[Segment]:
        """Takes the `count` oldest segments out of the log, which are not all."""
        dropped = self.segments.closed[:count]
        if dropped:
            self.segments.replace(dropped, [])
            self._drop(dropped, now_ms)
        return dropped

    def replace(self, old: Sequence[Segment], new: Sequence[Segment], now_ms: int) -> None:
        """Lets compacted segments take the place of closed ones, whose files were renamed to `.deleted` already."""
        self.segments.replace(old, new)
        self._forget(old)
        for segment in old:
            self.remove_later(segment, now_ms)

    def _drop(self, segments: Sequence[Segment], now_ms: int) -> None:
        self._forget(segments)
        self._directory_changed = True
        for segment in segments:
            segment.set_state(segment_files.DELETED)
            self.remove_later(segment, now_ms)

    def _forget(self, segments: Sequence[Segment]) -> None:
        self._known_positions.clear()
        self._unsynced_segments = [segment for segment in self._unsynced_segments if segment not in segments]

    def remove_later(self, dropped: Segment | str, now_ms: int) -> None:
        """Lets files that were renamed to `.deleted` go after file.delete.delay.ms."""
        self._removals.append(Removal(dropped, now_ms + self.config.file_delete_delay_ms))

    def remove_dropped(self, now_ms: int) -> None:
        """Removes the files that were dropped long enough ago. Not while a flush may be using them."""
        if self._flushes_running or not self._removals:
            return
        due = [removal for removal in self._removals if removal.remove_at_ms <= now_ms]
        self._removals = [removal for removal in self._removals if removal.remove_at_ms > now_ms]
        for removal in due:
            self._remove(removal.dropped)

    def _remove(self, dropped: Segment | str) -> None:
        if isinstance(dropped, Segment):
            dropped.remove()
        elif self.file_system.exists(dropped):
            self.file_system.remove(dropped)

    def truncate_to(self, offset: int, now_ms: int) -> None:
        """Removes the batch that holds `offset`, which is not before the first segment, and all behind it.

        Synced before it returns, but for the names: what comes back after a crash must not be mistaken for what is
        written next. `sync_directory` belongs to it.
        """
        self._truncations += 1
        number = self.segments.number_of(offset)
        behind = list(self.segments)[number + 1 :]
        if behind:
            self.segments.replace(behind, [])
            self._drop(behind, now_ms)
        self._known_positions.clear()
        active = self.segments.active
        active.truncate_to(offset)
        active.sync()
        self._end_at(active.next_offset())

    def truncate_fully(self, offset: int, now_ms: int) -> None:
        """Removes all batches; the log goes on at `offset`."""
        self._truncations += 1
        old = list(self.segments)
        self._drop(old, now_ms)
        self.sync_directory()
        segment = self._create(offset, now_ms)
        self.segments.replace(old, [segment])
        self.sync_directory()
        self._end_at(offset)

    def sync_directory(self) -> None:
        """Makes names durable. Waits for the disk."""
        self.file_system.sync_directory(self.directory)
        self._directory_changed = False

    def _end_at(self, offset: int) -> None:
        self.log_end_offset = offset
        # A flush that is running does not count any more, so what it was to sync is unsynced again.
        self._unsynced_segments = self.segments.starting_from(self.recovery_point)
        for segment in self._unsynced_segments:
            segment.set_dirty()
        self.flushed_offset = min(self.flushed_offset, offset)
        self.recovery_point = min(self.recovery_point, offset)

    # The end.

    def relocate(self, directory: str) -> None:
        """Takes note that the partition's directory was renamed, because the partition is deleted."""
        self.directory = directory
        dropped = [removal.dropped for removal in self._removals if isinstance(removal.dropped, Segment)]
        for segment in (*self.segments, *dropped):
            segment.relocate(directory)

    def close(self) -> None:
        """Lets go of all files. What was dropped and is not removed yet goes at the next start.

        While a worker syncs, the files stay open until the pool of descriptors takes them.
        """
        if self._flushes_running:
            return
        for segment in (*self.segments, *(removal.dropped for removal in self._removals)):
            if isinstance(segment, Segment):
                segment.close()
        for file in self._new_snapshots:
            file.close()
