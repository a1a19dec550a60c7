"""All logs of a broker: opened from its log directories, created, deleted, flushed, checkpointed, closed.

What holds true:

- A partition that is in `logs` is online: its directory works. A `StorageError`, wherever it came from, is handed to
  `take_offline`, which drops all partitions of that directory; the others go on.
- What waits for a disk is either said to, or split in three like a flush: begun on the event loop, done in a worker,
  finished on the loop. The part in the worker touches files, and nothing that the loop changes meanwhile.
- A recovery point is checkpointed only after what lies before it is on disk, and lowered there before a log is
  truncated below it.

Time arrives as an argument, as do random ids.
"""

from __future__ import annotations

import logging
import posixpath
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from kwire.errors import BrokerError, ErrorCode
from kwire.records.batch import BatchError
from kwire.storage import checkpoints
from kwire.storage.checkpoints import MalformedFileError, TopicPartition
from kwire.storage.cleanable import find_filthiest
from kwire.storage.cleaner import Cleaning, begin_cleaning, finish_cleaning
from kwire.storage.file_system import FileSystem, StorageError
from kwire.storage.flush import FlushScope, FlushTicket
from kwire.storage.log import Log
from kwire.storage.log_config import LogConfig
from kwire.storage.log_dirs import (
    DELETE_SUFFIX,
    STRAY_SUFFIX,
    LogDir,
    LogDirDescription,
    LogDirs,
    deleted_directory_name,
)
from kwire.storage.offset_map import OffsetMap
from kwire.storage.recovery import KnownOffsets, LogSettings, Shutdown, open_log
from kwire.storage.retention import apply_retention

logger = logging.getLogger(__name__)

Offsets = dict[TopicPartition, int]


class LogFlush(NamedTuple):
    """A flush of one log, to be synced in a worker."""

    log: Log
    ticket: FlushTicket


@dataclass(frozen=True, slots=True)
class NewLog:
    """A log that is being created in a directory that was chosen for it."""

    settings: LogSettings
    partition: TopicPartition
    topic_id: bytes
    log_dir: LogDir
    config: LogConfig
    now_ms: int

    def make(self) -> Log:
        """Makes the directory and what belongs into it. Waits for the disk, from any thread."""
        files = self.settings.file_system
        path = self.log_dir.partition_path(self.partition)
        files.make_directory(path)
        checkpoints.write_partition_metadata(files, path, self.topic_id)
        files.sync_directory(self.log_dir.path)
        return open_log(
            self.settings,
            self.partition,
            path,
            self.config,
            known=KnownOffsets(),
            shutdown=Shutdown.UNCLEAN,
            now_ms=self.now_ms,
        )


@dataclass(frozen=True, slots=True)
class DirectoryCheckpoint:
    """What is to be noted in a log directory, once these flushes are synced."""

    log_dirs: LogDirs
    log_dir: LogDir
    flushes: tuple[LogFlush, ...]
    offsets: dict[str, Offsets]

    def write(self) -> None:
        """Syncs and writes. Waits for the disk, from any thread."""
        for flush in self.flushes:
            flush.ticket.sync()
        for name, offsets in self.offsets.items():
            self.log_dirs.write_offsets(self.log_dir, name, offsets)


@dataclass(frozen=True, slots=True)
class DirectoryRemoval:
    """Partitions of one log directory that are taken out of it."""

    file_system: FileSystem
    checkpoint: DirectoryCheckpoint
    moves: tuple[tuple[Log, str], ...]

    def move(self) -> None:
        """Notes that they are gone, then renames them. Waits for the disk, from any thread.

        Their checkpoints go first, so that they are never taken for those of a later partition of that name.
        """
        self.checkpoint.write()
        for log, target in self.moves:
            self.file_system.rename(log.directory, target)
        self.file_system.sync_directory(self.checkpoint.log_dir.path)


class Deletion(NamedTuple):
    """A partition's directory that is to go, and the log whose readers may not be through."""

    path: str
    log: Log | None
    remove_at_ms: int


class LogManager:
    """The logs of a broker by partition."""

    __slots__ = (
        "_checkpoints_running",
        "_deletions",
        "_settings",
        "_uncleanable",
        "cleaned_offsets",
        "log_dirs",
        "logs",
    )

    def __init__(self, settings: LogSettings, log_dirs: LogDirs) -> None:
        """See `open`."""
        self._settings = settings
        self.log_dirs = log_dirs
        self.logs: dict[TopicPartition, Log] = {}
        self._deletions: list[Deletion] = []
        self._checkpoints_running = 0
        self._uncleanable: set[TopicPartition] = set()
        self.cleaned_offsets: Offsets = {}
        """Up to where each log was compacted."""

    @classmethod
    def open(
        cls, settings: LogSettings, log_dirs: LogDirs, config_of: Callable[[TopicPartition], LogConfig], now_ms: int
    ) -> LogManager:
        """Opens every log of every directory that works. Waits for the disk."""
        manager = cls(settings, log_dirs)
        for log_dir in log_dirs.online:
            try:
                manager._open_directory(log_dir, config_of, now_ms)
            except StorageError as error:
                manager.take_offline(error)
        return manager

    def _open_directory(self, log_dir: LogDir, config_of: Callable[[TopicPartition], LogConfig], now_ms: int) -> None:
        read = self._read_offsets
        recovery_points = read(log_dir, checkpoints.RECOVERY_POINT_CHECKPOINT)
        start_offsets = read(log_dir, checkpoints.LOG_START_OFFSET_CHECKPOINT)
        high_watermarks = read(log_dir, checkpoints.HIGH_WATERMARK_CHECKPOINT)
        shutdown = Shutdown.CLEAN if log_dir.had_clean_shutdown else Shutdown.UNCLEAN
        for partition in sorted(log_dir.partitions):
            known = KnownOffsets(
                start_offsets.get(partition, 0), recovery_points.get(partition, 0), high_watermarks.get(partition, 0)
            )
            self.logs[partition] = open_log(
                self._settings,
                partition,
                log_dir.partition_path(partition),
                config_of(partition),
                known=known,
                shutdown=shutdown,
                now_ms=now_ms,
            )
        for partition, offset in read(log_dir, checkpoints.CLEANER_CHECKPOINT).items():
            if partition in self.logs and offset <= self.logs[partition].log_end_offset:
                self.cleaned_offsets[partition] = offset
        self._deletions += [Deletion(path, None, now_ms) for path in log_dir.leftovers]
        if not recovery_points.keys() <= log_dir.partitions:
            self._checkpoint_of(log_dir, ()).write()

    def _read_offsets(self, log_dir: LogDir, name: str) -> Offsets:
        try:
            return self.log_dirs.read_offsets(log_dir, name)
        except MalformedFileError as error:
            # Without a recovery point the logs are scanned from their start, which is slow and right.
            logger.warning("%s: taken as empty", error.detail)
            return {}

    def get(self, partition: TopicPartition) -> Log:
        """The log of a partition; `BrokerError` if it is offline or not here."""
        log = self.logs.get(partition)
        if log is None:
            is_here = self.log_dirs.home(partition) is not None
            code = ErrorCode.KAFKA_STORAGE_ERROR if is_here else ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
            raise BrokerError(code, f"{partition.topic}-{partition.partition}")
        return log

    # Creating and deleting.

    def begin_create(self, partition: TopicPartition, topic_id: bytes, config: LogConfig, now_ms: int) -> NewLog:
        """Chooses a directory for a new partition. `NewLog.make` follows in a worker, then `finish_create`."""
        return NewLog(self._settings, partition, topic_id, self.log_dirs.place(partition), config, now_ms)

    def finish_create(self, log: Log) -> None:
        """Takes a log that was made."""
        self.logs[log.partition] = log

    def create(self, partition: TopicPartition, topic_id: bytes, config: LogConfig, now_ms: int) -> Log:
        """Creates a partition's log. Waits for the disk. A directory that fails goes offline, and another is tried."""
        while True:
            new_log = self.begin_create(partition, topic_id, config, now_ms)
            try:
                log = new_log.make()
            except StorageError as error:
                self.log_dirs.forget(partition)
                self.take_offline(error)
                continue
            self.finish_create(log)
            return log

    def begin_delete(
        self, partitions: Iterable[TopicPartition], new_id: Callable[[], bytes], ending: str = DELETE_SUFFIX
    ) -> list[DirectoryRemoval]:
        """Takes partitions out. `move` of each removal follows in a worker, then `finish_delete`.

        Not while a checkpoint runs, nor may one run before the end: what it writes may have the partitions.
        """
        assert not self._checkpoints_running, "what is being written may have the partition"
        moves: dict[LogDir, list[tuple[Log, str]]] = {}
        for partition in partitions:
            assert not self.logs[partition].is_cleaning
            log_dir = self.log_dirs.home(partition)
            assert log_dir is not None
            target = posixpath.join(log_dir.path, deleted_directory_name(partition, new_id(), ending))
            self.log_dirs.forget(partition)
            self.cleaned_offsets.pop(partition, None)
            moves.setdefault(log_dir, []).append((self.logs.pop(partition), target))
        files = self._settings.file_system
        return [
            DirectoryRemoval(files, self._checkpoint_of(log_dir, ()), tuple(moved)) for log_dir, moved in moves.items()
        ]

    def finish_delete(self, removal: DirectoryRemoval, now_ms: int) -> None:
        """Takes note that partitions were moved; the files of deleted ones go after file.delete.delay.ms."""
        for log, target in removal.moves:
            log.relocate(target)
            if target.endswith(STRAY_SUFFIX):
                log.close()
            else:
                self._deletions.append(Deletion(target, log, now_ms + log.config.file_delete_delay_ms))

    def delete(self, partition: TopicPartition, unique_id: bytes, now_ms: int) -> None:
        """Deletes a partition, all at once. Waits for the disk."""
        for removal in self.begin_delete([partition], lambda: unique_id):
            removal.move()
            self.finish_delete(removal, now_ms)

    def remove_deleted(self, now_ms: int) -> Iterator[None]:
        """Removes what was deleted long enough ago, one file for each step of the iterator."""
        due = [deletion for deletion in self._deletions if deletion.remove_at_ms <= now_ms]
        self._deletions = [deletion for deletion in self._deletions if deletion.remove_at_ms > now_ms]
        for deletion in due:
            if deletion.log is not None:
                deletion.log.close()
            yield from _remove_tree(self._settings.file_system, deletion.path)

    # Housekeeping.

    def flushes_due(self, now_ms: int) -> list[LogFlush]:
        """The flushes that flush.messages, flush.ms or completed segments ask for."""
        return self._begin_flushes([log for log in self.logs.values() if log.is_flush_due(now_ms)], now_ms)

    def finish_flushes(self, flushes: Sequence[LogFlush]) -> None:
        """Takes note that tickets were synced."""
        for log, ticket in flushes:
            log.finish_flush(ticket)

    def apply_retention(self, now_ms: int) -> Iterator[Log]:
        """Lets retention do its work, and removes files that are due: one log for each step of the iterator."""
        for log in list(self.logs.values()):
            if self.logs.get(log.partition) is log:
                apply_retention(log, now_ms)
                log.remove_dropped(now_ms)
                log.producers.remove_expired(now_ms)
                yield log

    def begin_checkpoint(self, now_ms: int) -> list[DirectoryCheckpoint]:
        """What is to be noted in each directory, and flushed before."""
        checkpoint = [self._begin_checkpoint(log_dir, now_ms) for log_dir in self.log_dirs.online]
        self._checkpoints_running += len(checkpoint)
        return checkpoint

    def finish_checkpoint(self, checkpoint: DirectoryCheckpoint) -> None:
        """Takes note that a directory's checkpoint was written, or that it could not be."""
        self._checkpoints_running -= 1
        if checkpoint.log_dir.is_online:
            self.finish_flushes(checkpoint.flushes)

    def _begin_checkpoint(self, log_dir: LogDir, now_ms: int) -> DirectoryCheckpoint:
        logs = self._logs_of(log_dir)
        # Only what was flushed on request is worth it; the rest moves when a segment is complete.
        flushes = self._begin_flushes(
            [log for log in logs if log.flushed_offset > log.recovery_point], now_ms, FlushScope.RECOVERY_POINT
        )
        return self._checkpoint_of(log_dir, flushes)

    def _checkpoint_of(self, log_dir: LogDir, flushes: Sequence[LogFlush]) -> DirectoryCheckpoint:
        logs = self._logs_of(log_dir)
        recovery_points = {log.partition: log.recovery_point for log in logs}
        for log, ticket in flushes:
            recovery_points[log.partition] = max(log.recovery_point, ticket.recovery_point)
        offsets = {
            checkpoints.RECOVERY_POINT_CHECKPOINT: recovery_points,
            checkpoints.LOG_START_OFFSET_CHECKPOINT: {
                log.partition: log.log_start_offset
                for log in logs
                if log.log_start_offset > log.local.segments[0].base_offset
            },
            checkpoints.HIGH_WATERMARK_CHECKPOINT: {log.partition: log.high_watermark for log in logs},
        }
        cleaned = {log.partition: self.cleaned_offsets.get(log.partition, 0) for log in logs}
        if any(cleaned.values()):
            offsets[checkpoints.CLEANER_CHECKPOINT] = {
                partition: cleaned[partition] for partition in cleaned if cleaned[partition]
            }
        return DirectoryCheckpoint(self.log_dirs, log_dir, tuple(flushes), offsets)

    def truncate_to(self, partition: TopicPartition, offset: int, now_ms: int) -> bool:
        """Truncates a log, its checkpointed recovery point first. Waits for the disk. Not while a checkpoint runs."""
        assert not self._checkpoints_running, "the recovery point that is being written may be one that is to go"
        log = self.get(partition)
        log_dir = self.log_dirs.home(partition)
        assert log_dir is not None
        if partition in self.cleaned_offsets:
            self.cleaned_offsets[partition] = min(self.cleaned_offsets[partition], offset)
        if offset < log.recovery_point:
            checkpoint = self._checkpoint_of(log_dir, ())
            checkpoint.offsets[checkpoints.RECOVERY_POINT_CHECKPOINT][partition] = offset
            checkpoint.write()
        return log.truncate_to(offset, now_ms)

    def _begin_flushes(
        self, logs: Sequence[Log], now_ms: int, scope: FlushScope = FlushScope.RECORDS
    ) -> list[LogFlush]:
        tickets = [(log, log.begin_flush(now_ms, scope)) for log in logs]
        return [LogFlush(log, ticket) for log, ticket in tickets if ticket is not None]

    # Compaction.

    def begin_cleaning(self, offsets: OffsetMap, now_ms: int) -> Cleaning | None:
        """A compaction of the dirtiest log, if one is due: its steps are for a worker. `offsets` is empty."""
        logs = [log for partition, log in self.logs.items() if partition not in self._uncleanable]
        cleanable = find_filthiest(logs, self.cleaned_offsets, now_ms)
        return None if cleanable is None else begin_cleaning(cleanable, offsets, now_ms)

    def finish_cleaning(self, cleaning: Cleaning, now_ms: int) -> None:
        """Takes over what was compacted, after an error too. The next checkpoint notes how far."""
        finish_cleaning(cleaning, now_ms)
        self.cleaned_offsets[cleaning.log.partition] = cleaning.cleaned_offset

    def give_up_cleaning(self, cleaning: Cleaning, error: BatchError, now_ms: int) -> None:
        """A log with a damaged batch is not compacted again before the next start, as in Kafka."""
        logger.error("%s is not compacted any more: %s", cleaning.log.directory, error)
        self._uncleanable.add(cleaning.log.partition)
        self.finish_cleaning(cleaning, now_ms)

    # Failing and stopping.

    def take_offline(self, error: StorageError) -> frozenset[TopicPartition]:
        """Drops the directory whose disk failed, with its partitions, which are returned."""
        log_dir = self.log_dirs.holding(error.path)
        if log_dir is None:
            return frozenset()
        partitions = self.log_dirs.take_offline(log_dir, str(error))
        if partitions:
            logger.error("%s is offline with %d partitions: %s", log_dir.path, len(partitions), error)
        for partition in partitions:
            log = self.logs.pop(partition, None)
            if log is not None:
                log.close()
        self._deletions = [deletion for deletion in self._deletions if not deletion.path.startswith(log_dir.path + "/")]
        return partitions

    def begin_shutdown(self, now_ms: int) -> list[DirectoryCheckpoint]:
        """Brings every log into the form of a clean stop. `write` each in a worker, then `finish_shutdown`."""
        shutdown: list[DirectoryCheckpoint] = []
        for log_dir in self.log_dirs.online:
            try:
                tickets = [(log, log.begin_close(now_ms)) for log in self._logs_of(log_dir)]
            except StorageError as error:
                self.take_offline(error)
                continue
            flushes = [LogFlush(log, ticket) for log, ticket in tickets if ticket is not None]
            shutdown.append(self._checkpoint_of(log_dir, flushes))
        return shutdown

    def finish_shutdown(self, broker_epoch: int) -> None:
        """Closes all logs, notes the clean stop in the directories that work, and unlocks them."""
        for log in self.logs.values():
            log.close()
        self.logs.clear()
        self.log_dirs.close(broker_epoch)

    def shutdown(self, now_ms: int, broker_epoch: int) -> None:
        """Stops cleanly, all at once. Waits for the disk."""
        for checkpoint in self.begin_shutdown(now_ms):
            try:
                checkpoint.write()
            except StorageError as error:
                self.take_offline(error)
        self.finish_shutdown(broker_epoch)

    def outline(self) -> list[LogDirDescription]:
        """The directories with the sizes of their partitions. `LogDirs.measure` follows in a worker."""
        return self.log_dirs.outline({partition: log.size_bytes for partition, log in self.logs.items()})

    def _logs_of(self, log_dir: LogDir) -> list[Log]:
        return [self.logs[partition] for partition in sorted(log_dir.partitions) if partition in self.logs]


def _remove_tree(file_system: FileSystem, path: str) -> Iterator[None]:
    try:
        names = file_system.list_directory(path)
    except FileNotFoundError:
        return
    for name in names:
        file_system.remove(posixpath.join(path, name))
        yield
    file_system.remove_directory(path)
    yield
