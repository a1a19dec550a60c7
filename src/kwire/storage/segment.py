"""One segment of a log: a file of batches, and the indexes that find something in it.

What holds true:

- Batches lie one behind the other from position 0, their offsets ascend, and `log.size_bytes` is the end of the last
  whole one. Bytes go in as they are and come out as regions of the file; only headers are looked at.
- An index entry is made for a batch that follows more than index.interval.bytes since the last entry, by the same rule
  when it is appended and when the index is rebuilt, so that the two cannot differ.
- Where the last batches lie is kept in memory (`recent_batches`). A consumer that is up to date, or nearly, is answered
  from there without a read. For older offsets the index is searched and the headers behind its entry are walked.
- Indexes of a segment that nobody asks stay closed: a log with thousands of segments costs a small object for each.

What lies in a segment's future (when to roll, what to delete) is decided by `log` and `retention`.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator

from kwire.errors import ErrorCode
from kwire.records.batch import (
    HEADER_SIZE,
    LOG_OVERHEAD,
    MIN_BATCH_LENGTH,
    NO_TIMESTAMP,
    BatchError,
    BatchHeader,
    read_header,
)
from kwire.storage import segment_files
from kwire.storage.file_system import Access, Bytes, File, FileRegion, FileSystem
from kwire.storage.flush import FlushScope
from kwire.storage.log_config import LogConfig
from kwire.storage.offset_index import OffsetIndex
from kwire.storage.recent_batches import NO_BATCHES, RecentBatches
from kwire.storage.segment_files import segment_file_name
from kwire.storage.time_index import TimeIndex
from kwire.storage.transaction_index import TransactionIndex

BatchSpan = tuple[int, int, int, int]
"""What the segment must know of a batch to append it: size_bytes, base_offset, last_offset, max_timestamp."""

TimestampAndOffset = tuple[int, int]

_WALK_BYTES = 4096
_INT32_MAX = 2**31 - 1
_unpack_walk = struct.Struct(">qi11xi").unpack_from  # base_offset, batch_length, last_offset_delta


class Segment:
    """The files of one base offset. See the module's docstring."""

    __slots__ = (
        "_bytes_since_entry",
        "_first_timestamp",
        "_max_timestamp",
        "_offset_index",
        "_offset_of_max_timestamp",
        "_recent",
        "_time_index",
        "base_offset",
        "config",
        "created_ms",
        "directory",
        "file_system",
        "is_dirty",
        "log",
        "state",
        "sure_offset",
        "sure_size_bytes",
        "sure_timestamp",
        "transaction_index",
    )

    def __init__(
        self,
        file_system: FileSystem,
        directory: str,
        base_offset: int,
        config: LogConfig,
        *,
        log: File,
        transaction_index: TransactionIndex,
        state: str,
        now_ms: int,
    ) -> None:
        self.file_system = file_system
        self.directory = directory
        self.base_offset = base_offset
        self.config = config
        self.log = log
        self.transaction_index = transaction_index
        self.state = state
        self.created_ms = now_ms
        self.is_dirty = False  # whether there are batches that are not synced; cleared by who syncs
        self.sure_offset = base_offset + _INT32_MAX
        self.sure_size_bytes = -1
        self.sure_timestamp = -1
        self._offset_index: OffsetIndex | None = None
        self._time_index: TimeIndex | None = None
        self._max_timestamp: int | None = None
        self._offset_of_max_timestamp = base_offset
        self._first_timestamp: int | None = None
        self._bytes_since_entry = 0
        self._recent = NO_BATCHES

    @classmethod
    def create(
        cls,
        file_system: FileSystem,
        directory: str,
        base_offset: int,
        config: LogConfig,
        *,
        now_ms: int,
        state: str = "",
    ) -> Segment:
        """An empty segment. Its files are durable once the directory is synced."""
        path = f"{directory}/{segment_file_name(base_offset, segment_files.LOG, state)}"
        log = file_system.open(path, Access.CREATE)
        if config.preallocate:
            log.allocate(config.segment_bytes)
        path = f"{directory}/{segment_file_name(base_offset, segment_files.TRANSACTION_INDEX, state)}"
        segment = cls(
            file_system,
            directory,
            base_offset,
            config,
            log=log,
            transaction_index=TransactionIndex(file_system, path),
            state=state,
            now_ms=now_ms,
        )
        # Kafka takes a missing index for a damaged one, so both are there from the start.
        _ = segment.offset_index, segment.time_index
        segment._max_timestamp = NO_TIMESTAMP
        segment.is_dirty = True
        return segment

    @classmethod
    def open(
        cls,
        file_system: FileSystem,
        directory: str,
        base_offset: int,
        config: LogConfig,
        kinds: Iterable[str],
        *,
        now_ms: int,
        state: str = "",
    ) -> Segment:
        """A segment of which files of these kinds are there. Nothing is read."""
        path = f"{directory}/{segment_file_name(base_offset, segment_files.LOG, state)}"
        log = file_system.open(path, Access.WRITE)
        path = f"{directory}/{segment_file_name(base_offset, segment_files.TRANSACTION_INDEX, state)}"
        if segment_files.TRANSACTION_INDEX in kinds:
            transaction_index = TransactionIndex.open(file_system, path)
        else:
            transaction_index = TransactionIndex(file_system, path)
        return cls(
            file_system,
            directory,
            base_offset,
            config,
            log=log,
            transaction_index=transaction_index,
            state=state,
            now_ms=now_ms,
        )

    def __repr__(self) -> str:
        return f"Segment({self.log.path!r}, size_bytes={self.log.size_bytes})"

    # Figures.

    @property
    def size_bytes(self) -> int:
        """The bytes of the batches."""
        return self.log.size_bytes

    @property
    def offset_index(self) -> OffsetIndex:
        index = self._offset_index
        if index is None:
            path = self._path(segment_files.OFFSET_INDEX)
            index = OffsetIndex(self.file_system, path, self.base_offset, self.config.segment_index_bytes)
            self._offset_index = index
        return index

    @property
    def time_index(self) -> TimeIndex:
        index = self._time_index
        if index is None:
            path = self._path(segment_files.TIME_INDEX)
            index = TimeIndex(self.file_system, path, self.base_offset, self.config.segment_index_bytes)
            self._time_index = index
        return index

    @property
    def max_timestamp(self) -> int:
        """The largest timestamp in the segment, -1 if there is none."""
        return self._load_max_timestamp() if self._max_timestamp is None else self._max_timestamp

    @property
    def offset_of_max_timestamp(self) -> int:
        """The last offset of the first batch that has the largest timestamp."""
        if self._max_timestamp is None:
            self._load_max_timestamp()
        return self._offset_of_max_timestamp

    def retention_timestamp(self) -> int:
        """How old the segment is to be taken for: its largest timestamp, else when its file was last written."""
        timestamp = self.max_timestamp
        return timestamp if timestamp >= 0 else self.file_system.modified_ms(self.log.path)

    def first_timestamp(self) -> int | None:
        """The timestamp that counts for segment.ms: the largest one of the first batch."""
        if self._first_timestamp is None and self.log.size_bytes:
            self._first_timestamp = read_header(self.log.read_at(HEADER_SIZE, 0)).max_timestamp
        return self._first_timestamp

    # Writing.

    def must_roll(
        self, size_bytes: int, last_offset: int, max_timestamp: int, now_ms: int, roll_jitter_ms: int
    ) -> bool:
        """Whether batches of this size, last offset and largest timestamp must go into a new segment.

        If not, `sure_size_bytes` and its like are set: what stays within all three needs no further look.
        """
        size = self.log.size_bytes
        if not size:
            return last_offset > self.sure_offset
        config = self.config
        roll_ms = config.segment_ms - roll_jitter_ms
        if config.compacts:
            # The active segment is not compacted: within max.compaction.lag.ms it must have become another.
            roll_ms = min(roll_ms, max(1, config.max_compaction_lag_ms))
        first = self.first_timestamp()
        # As in Kafka: by the records' own time, by the broker's only if the first of them has none.
        has_time = first is not None and first >= 0
        waited_ms = max_timestamp - first if first is not None and has_time else now_ms - self.created_ms
        if (
            size + size_bytes > config.segment_bytes
            or waited_ms > roll_ms
            or self.offset_index.is_full
            or self.time_index.is_full
            or last_offset > self.sure_offset
        ):
            return True
        if first is not None and has_time:
            self.sure_size_bytes = config.segment_bytes
            self.sure_timestamp = first + roll_ms
        return False

    def append(self, data: Bytes, batches: Iterable[BatchSpan]) -> None:
        """Writes batches that lie one behind the other in `data`. After an error nothing of them is part of the log."""
        position = self.log.size_bytes
        if self._max_timestamp is None:
            self._load_max_timestamp()
        self.log.write(data)
        self.is_dirty = True
        try:
            for size, base_offset, last_offset, max_timestamp in batches:
                self.index_batch(position, size, base_offset, last_offset, max_timestamp)
                position += size
        except BaseException:
            self._forget_from(self.log.size_bytes - len(data))
            raise

    def index_batch(self, position: int, size: int, base_offset: int, last_offset: int, max_timestamp: int) -> None:
        """Takes note of the batch at `position`, the last one so far: timestamps, index entries, where it lies."""
        if max_timestamp > self._max_timestamp:  # pyright: ignore[reportOperatorIssue] - loaded by every caller
            self._max_timestamp = max_timestamp
            self._offset_of_max_timestamp = last_offset
        if self._bytes_since_entry > self.config.index_interval_bytes:
            self._add_entries(last_offset, position)
        self._bytes_since_entry += size
        if self._recent is NO_BATCHES:
            self._recent = RecentBatches()
        self._recent.add(base_offset, last_offset, position)

    def _add_entries(self, last_offset: int, position: int) -> None:
        offsets, times = self.offset_index, self.time_index
        offsets.append(last_offset, position)
        times.maybe_append(self.max_timestamp, self._offset_of_max_timestamp)
        self._bytes_since_entry = 0
        if offsets.is_full or times.is_full:
            self.sure_size_bytes = -1

    def seal(self) -> None:
        """Gives the indexes the form of a segment that is no longer written to."""
        if self._max_timestamp is not None and self._max_timestamp >= 0:
            self.time_index.maybe_append(self._max_timestamp, self._offset_of_max_timestamp)
        if self._offset_index is not None:
            self._offset_index.trim()
        if self._time_index is not None:
            self._time_index.trim()
        if self.config.preallocate:
            self.log.truncate(self.log.size_bytes)
            self.is_dirty = True

    def rewind(self, offset: int) -> int:
        """Cuts the indexes back to their last entry before `offset`, and returns the position of its batch.

        From there on batches are to be noted anew with `index_batch`, and the segment sealed: up to `offset` the
        indexes are known to be on disk, behind it they may hold anything. An entry that does not point at its batch
        means to begin at the start.
        """
        self._forget_from(self.log.size_bytes)
        offsets, times = self.offset_index, self.time_index
        offsets.keep_entries(offsets.count_ascending())
        times.keep_entries(times.count_ascending())
        entry_offset, position = offsets.lookup(offset - 1)
        if not position or not self._ends_batch(entry_offset, position):
            entry_offset, position = self.base_offset - 1, 0
        offsets.truncate_to(entry_offset + 1)
        times.truncate_to(entry_offset + 1)
        self._max_timestamp, self._offset_of_max_timestamp = times.last_timestamp, times.last_offset
        offsets.hold()
        times.hold()
        return position

    def _ends_batch(self, offset: int, position: int) -> bool:
        try:
            return read_header(self.log.read_at(HEADER_SIZE, position)).last_offset == offset
        except BatchError:
            return False

    def find_fault(self) -> str | None:
        """What is wrong with the indexes of a closed segment, as far as their ends tell; None if nothing is."""
        return (
            self.offset_index.find_fault(self.log.size_bytes)
            or self.time_index.find_fault()
            or self.transaction_index.find_fault(self.base_offset)
        )

    def cut(self, position: int) -> None:
        """Ends the segment at `position`, where the last whole batch that was noted ends."""
        self.log.truncate(position)
        self.is_dirty = True

    def forget_recent(self) -> None:
        """Lets go of where the last batches lie: readers have moved on to later segments."""
        self._recent = NO_BATCHES

    def truncate_to(self, offset: int) -> int:
        """Removes the batch that holds `offset` and all behind it; how many bytes that were."""
        found = self.locate(offset)
        if found is None:
            return 0
        before = self.log.size_bytes
        self.offset_index.truncate_to(offset)
        self.time_index.truncate_to(offset)
        self.transaction_index.truncate_to(offset)
        self.log.truncate(found[0])
        self.is_dirty = True
        self._forget_from(found[0])
        return before - found[0]

    def _forget_from(self, position: int) -> None:
        """Drops what memory holds about batches from `position` on."""
        self.log.size_bytes = position
        self._max_timestamp = None
        self._first_timestamp = None
        self._bytes_since_entry = 0
        self.sure_size_bytes = -1
        self._recent = NO_BATCHES

    # Reading.

    def locate(self, offset: int) -> tuple[int, int] | None:
        """(position, size_bytes) of the first batch that ends at `offset` or behind it; None if there is none."""
        recent = self._recent
        if offset >= recent.start_offset:
            return recent.locate(offset, self.log.size_bytes)
        return self._walk_to(offset, self.offset_index.lookup(offset)[1])

    def _walk_to(self, offset: int, position: int) -> tuple[int, int] | None:
        """As `locate`, from the batch at `position` on. Unpacks three fields: a third of the time of whole headers."""
        end = self.log.size_bytes
        chunk = b""
        at = 0
        while position < end:
            if at + HEADER_SIZE > len(chunk):
                chunk, at = self.log.read_at(_WALK_BYTES, position), 0
                if len(chunk) < HEADER_SIZE:
                    raise self._corrupt(position, f"{len(chunk)} bytes are no header")
            base_offset, batch_length, last_offset_delta = _unpack_walk(chunk, at)
            size = batch_length + LOG_OVERHEAD
            if batch_length < MIN_BATCH_LENGTH or position + size > end:
                raise self._corrupt(position, f"a batch of {size} bytes where {end - position} are left")
            if base_offset + last_offset_delta >= offset:
                return position, size
            position += size
            at += size
        return None

    def read(self, offset: int, max_bytes: int, max_position: int) -> FileRegion | None:
        """The bytes from the batch that holds `offset`: up to `max_bytes` of them, but the first batch whole.

        Nothing from `max_position` on. None if nothing is left; the last batch may be cut off, as in Kafka: a client
        ignores it, and finding its start would cost a walk over everything before it.
        """
        found = self.locate(offset)
        if found is None:
            return None
        position, first_size = found
        size = max_position - position
        if size > max_bytes:
            size = min(size, max(max_bytes, first_size))
        return FileRegion(self.log, position, size) if size > 0 else None

    def iter_headers(self, position: int, read_bytes: int = _WALK_BYTES) -> Iterator[tuple[int, BatchHeader]]:
        """(position, header) of every batch from `position` on, which starts one. Reads `read_bytes` at a time."""
        end = self.log.size_bytes
        chunk = b""
        chunk_start = position
        while position < end:
            at = position - chunk_start
            if at + HEADER_SIZE > len(chunk):
                chunk = self.log.read_at(read_bytes, position)
                chunk_start, at = position, 0
            try:
                header = read_header(chunk, at)
            except BatchError as error:
                raise self._corrupt(position, error.detail) from error
            size = header.batch_length + LOG_OVERHEAD
            if position + size > end:
                raise self._corrupt(position, f"a batch of {size} bytes where {end - position} are left")
            yield position, header
            position += size

    def next_offset(self) -> int:
        """The offset behind the last batch: what the next segment begins with, at least."""
        known = self._recent.next_offset()
        if known is not None:
            return known
        next_offset = self.base_offset
        # A small segment is read in one go: its index stays closed, of which a start with many logs has many.
        position = self.offset_index.last_position if self.log.size_bytes > _WALK_BYTES else 0
        for _, header in self.iter_headers(position):
            next_offset = header.next_offset
        return next_offset

    def upper_bound_offset(self, position: int) -> int | None:
        """An offset that lies behind every batch before `position`; None if the index knows none."""
        return self.offset_index.first_offset_from(position)

    def _load_max_timestamp(self) -> int:
        """The time index knows it up to the offset index's last entry; what lies behind that is walked.

        With it, the place of the next index entry, so that a segment's index is the same however often it was opened.
        """
        timestamp, offset = self.time_index.last_timestamp, self.time_index.last_offset
        for _, header in self.iter_headers(self.offset_index.last_position):
            if header.max_timestamp > timestamp:
                timestamp, offset = header.max_timestamp, header.last_offset
        self._max_timestamp, self._offset_of_max_timestamp = timestamp, offset
        self._bytes_since_entry = self.log.size_bytes - self.offset_index.last_position
        return timestamp

    def _corrupt(self, position: int, detail: str) -> BatchError:
        return BatchError(ErrorCode.CORRUPT_MESSAGE, f"{self.log.path} at {position}: {detail}")

    # Files.

    def set_config(self, config: LogConfig) -> None:
        """Takes changed settings."""
        self.config = config
        self.sure_size_bytes = -1
        for index in (self._offset_index, self._time_index):
            if index is not None:
                index.set_max_bytes(config.segment_index_bytes)

    def take_dirty(self, scope: FlushScope) -> list[File]:
        """The files that hold something unsynced, as far as the scope asks for them. They count as synced from now."""
        files: list[File] = []
        if self.is_dirty:
            self.is_dirty = False
            files.append(self.log)
        if scope is FlushScope.RECOVERY_POINT:
            for index in (self._offset_index, self._time_index, self.transaction_index):
                if index is not None and index.is_dirty and index.file is not None:
                    index.is_dirty = False
                    files.append(index.file)
        return files

    def set_dirty(self) -> None:
        """Takes back that files were synced."""
        self.is_dirty = True
        for index in (self._offset_index, self._time_index, self.transaction_index):
            if index is not None:
                index.is_dirty = True

    def sync(self) -> None:
        """Makes everything durable but the names. Waits for the disk."""
        for file in self.take_dirty(FlushScope.RECOVERY_POINT):
            file.sync()

    def set_state(self, state: str) -> None:
        """Renames the files. Durable once the directory is synced."""
        opened = {index.file.path: index.file for index in (self._offset_index, self._time_index) if index is not None}
        moves = [(kind, self._path(kind)) for kind in (segment_files.OFFSET_INDEX, segment_files.TIME_INDEX)]
        self.state = state
        self.log.rename(self._path(segment_files.LOG))
        for kind, source in moves:
            target = self._path(kind)
            if source in opened:
                opened[source].rename(target)
            elif self.file_system.exists(source):
                self.file_system.rename(source, target)
        self.transaction_index.rename(self._path(segment_files.TRANSACTION_INDEX))

    def relocate(self, directory: str) -> None:
        """Takes note that the partition's directory was renamed."""
        self.directory = directory
        self.log.path = self._path(segment_files.LOG)
        self.transaction_index.relocate(self._path(segment_files.TRANSACTION_INDEX))
        if self._offset_index is not None:
            self._offset_index.file.path = self._path(segment_files.OFFSET_INDEX)
        if self._time_index is not None:
            self._time_index.file.path = self._path(segment_files.TIME_INDEX)

    def remove(self) -> None:
        """Removes the files. Whoever reads from them may go on."""
        self.log.remove()
        for index, kind in (
            (self._offset_index, segment_files.OFFSET_INDEX),
            (self._time_index, segment_files.TIME_INDEX),
        ):
            if index is not None:
                index.file.remove()
            elif self.file_system.exists(path := self._path(kind)):
                self.file_system.remove(path)
        if self.transaction_index.file is not None:
            self.transaction_index.file.remove()

    def close(self) -> None:
        """Lets go of the files."""
        indexes = (self._offset_index, self._time_index, self.transaction_index)
        for file in (self.log, *(index.file for index in indexes if index is not None)):
            if file is not None:
                file.close()

    def _path(self, kind: str) -> str:
        return f"{self.directory}/{segment_file_name(self.base_offset, kind, self.state)}"
