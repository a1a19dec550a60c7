"""Compaction of one log: segments in, fewer and smaller segments out, in steps that a crash may interrupt anywhere.

    cleaning = begin_cleaning(cleanable, offset_map, now_ms)     on the event loop
    for _ in cleaning.steps(): ...                               in a worker, or in slices on the loop
    finish_cleaning(cleaning, now_ms)                            on the event loop

Segments are taken in groups that together fit one segment. For each group (`leftovers` has what a crash makes of it):

    1  what stays is written to a new segment, .cleaned, which is synced, and the directory
    2  .cleaned becomes .swap, the directory is synced: from here on the new segment counts
    3  the old segments become .deleted, oldest first, the directory synced after each: those that a crash leaves are
       the end of a history. Its beginning without its end would let deleted keys rise again
    4  .swap goes from the new names, the directory is synced

What holds true: while a log is being cleaned nothing else removes segments from it (`Log.is_cleaning`); it may be read
and written meanwhile, from the old segments' files until `finish_cleaning`. A batch whose CRC is wrong is not
rewritten, which would make it look sound: the log is left as it is, and reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kwire.errors import ErrorCode
from kwire.records.batch import HEADER_SIZE, BatchError, check_crc, iter_batches, read_header
from kwire.storage.cleanable import CleanableLog
from kwire.storage.cleaned_transactions import CleanedTransactions
from kwire.storage.compaction import (
    CompactionPlan,
    CompactionStats,
    LastRecord,
    build_offset_map,
    compact_batches,
)
from kwire.storage.file_system import File
from kwire.storage.log_config import LogConfig
from kwire.storage.offset_map import OffsetMap
from kwire.storage.segment import BatchSpan, Segment
from kwire.storage.segment_files import CLEANED, DELETED, KINDS, SWAP, segment_file_name
from kwire.storage.transaction_index import AbortedTransaction

_READ_BYTES = 256 * 1024
_WRITE_BYTES = 256 * 1024
_INT32_MAX = 2**31 - 1


class Source(NamedTuple):
    """A part of a segment's file that starts and ends with a batch."""

    file: File
    position: int
    end_position: int


class Replacement(NamedTuple):
    """Segments, and the one that took their place on disk."""

    old: list[Segment]
    new: Segment


class Cleaning:
    """One compaction of one log. Made by `begin_cleaning`; `steps` is all that a worker calls."""

    def __init__(
        self,
        cleanable: CleanableLog,
        offsets: OffsetMap,
        dirty: Sequence[Source],
        segments: Sequence[Segment],
        aborted: Sequence[AbortedTransaction],
        active_producers: dict[int, LastRecord],
        now_ms: int,
    ) -> None:
        log = cleanable.log
        self.log = log
        self.stats = CompactionStats()
        self.replacements: list[Replacement] = []
        self.cleaned_offset = cleanable.first_dirty_offset
        """Up to where the log is compacted now."""

        self._offsets = offsets
        self._dirty = dirty
        self._segments = segments
        self._aborted = aborted
        self._start_offset = cleanable.first_dirty_offset
        self._now_ms = now_ms
        self._plan = CompactionPlan(
            now_ms, log.config.delete_retention_ms, cleanable.first_uncleanable_offset, active_producers
        )

    def steps(self) -> Iterator[None]:
        """Does the work, a few milliseconds a step, but for the steps that sync. Touches files only.

        `StorageError` if the disk fails, `BatchError` if a batch is damaged: the groups before are done then.
        """
        transactions = CleanedTransactions(t for t in self._aborted if t.last_offset >= self._start_offset)
        buffers = (buffer for source in self._dirty for buffer in _read_batches(source))
        yield from build_offset_map(buffers, self._offsets, self._start_offset, transactions)
        end_offset = self._offsets.latest_offset + 1
        transactions = CleanedTransactions(self._aborted)
        for group in group_segments([s for s in self._segments if s.base_offset < end_offset], self.log.config):
            yield from self._clean_group(group, transactions)
            self.cleaned_offset = max(self.cleaned_offset, min(end_offset, self._end_offset_of(group)))
        self.cleaned_offset = max(self.cleaned_offset, end_offset)

    def _end_offset_of(self, group: Sequence[Segment]) -> int:
        behind = self._segments.index(group[-1]) + 1
        return self._segments[behind].base_offset if behind < len(self._segments) else self._plan.upper_bound_offset

    def _clean_group(
        self, group: list[Segment], transactions: CleanedTransactions[AbortedTransaction]
    ) -> Iterator[None]:
        files, directory = group[0].file_system, group[0].directory
        base_offset = group[0].base_offset
        for kind in KINDS:
            path = f"{directory}/{segment_file_name(base_offset, kind, CLEANED)}"
            if files.exists(path):
                files.remove(path)
        cleaned = Segment.create(files, directory, base_offset, self.log.config, now_ms=self._now_ms, state=CLEANED)
        try:
            yield from self._fill(cleaned, group, transactions)
        except BaseException:
            cleaned.remove()
            raise
        yield
        modified_ms = files.modified_ms(group[-1].log.path)
        cleaned.sync()
        files.set_modified_ms(cleaned.log.path, modified_ms)  # by which retention goes where records have no timestamps
        files.sync_directory(directory)
        yield
        cleaned.set_state(SWAP)
        files.sync_directory(directory)
        for segment in group:
            yield
            segment.set_state(DELETED)
            files.sync_directory(directory)
        yield
        cleaned.set_state("")
        files.sync_directory(directory)
        self.replacements.append(Replacement(group, cleaned))

    def _fill(
        self, cleaned: Segment, group: list[Segment], transactions: CleanedTransactions[AbortedTransaction]
    ) -> Iterator[None]:
        """Writes what stays of a group."""
        known = len(transactions.retained)
        buffers = (
            buffer for segment in group for buffer in _read_checked(Source(segment.log, 0, segment.log.size_bytes))
        )
        pending = bytearray()
        spans: list[BatchSpan] = []
        for batch in compact_batches(buffers, self._offsets, self._plan, transactions, self.stats):
            if batch:
                header = read_header(batch)
                spans.append((len(batch), header.base_offset, header.last_offset, header.max_timestamp))
                pending += batch
                if len(pending) >= _WRITE_BYTES:
                    cleaned.append(bytes(pending), spans)
                    pending.clear()
                    spans.clear()
            yield
        if pending:
            cleaned.append(bytes(pending), spans)
        for transaction in transactions.retained[known:]:
            cleaned.transaction_index.append(transaction)
        cleaned.seal()


def begin_cleaning(cleanable: CleanableLog, offsets: OffsetMap, now_ms: int) -> Cleaning:
    """Takes down what a compaction has to know, so that it needs nothing of the log any more. `offsets` is empty."""
    log = cleanable.log
    assert not log.is_cleaning, f"{log} is being cleaned"
    assert not len(offsets), "an offset map of another log"
    log.is_cleaning = True
    segments = log.local.segments
    end_offset = cleanable.first_uncleanable_offset
    sources = [s for s in segments if s.base_offset < end_offset and s is not segments.active]
    dirty: list[Source] = []
    for segment in sources:
        # Both indexes are opened here: a worker that renames must not meet the loop opening them.
        _ = segment.offset_index, segment.time_index
        begin, end = segment.locate(cleanable.first_dirty_offset), segment.locate(end_offset)
        if begin is not None:
            dirty.append(Source(segment.log, begin[0], segment.log.size_bytes if end is None else end[0]))
    aborted = [
        transaction
        for segment in segments
        for transaction in segment.transaction_index.all()
        if not sources or transaction.last_offset >= sources[0].base_offset
    ]
    producers = {
        state.producer_id: LastRecord(state.last_offset if state.batches else None, state.epoch)
        for state in log.producers
    }
    return Cleaning(cleanable, offsets, dirty, sources, aborted, producers, now_ms)


def finish_cleaning(cleaning: Cleaning, now_ms: int) -> None:
    """Lets the log go on with what was compacted, also after an error: what was not is as before."""
    log = cleaning.log
    for old, new in cleaning.replacements:
        log.replace_segments(old, [new], now_ms)
    log.is_cleaning = False


def group_segments(segments: Sequence[Segment], config: LogConfig) -> list[list[Segment]]:
    """Neighbours that together fit one segment: its bytes, its indexes, its range of offsets."""
    groups: list[list[Segment]] = []
    log_bytes = index_bytes = time_index_bytes = 0
    for number, segment in enumerate(segments):
        log_bytes += segment.size_bytes
        index_bytes += segment.offset_index.size_bytes
        time_index_bytes += segment.time_index.size_bytes
        fits = (
            bool(groups)
            and log_bytes <= config.segment_bytes
            and index_bytes <= config.segment_index_bytes
            and time_index_bytes <= config.segment_index_bytes
            and _last_offset(segments, number) - groups[-1][0].base_offset <= _INT32_MAX
        )
        if fits:
            groups[-1].append(segment)
        else:
            groups.append([segment])
            log_bytes = segment.size_bytes
            index_bytes = segment.offset_index.size_bytes
            time_index_bytes = segment.time_index.size_bytes
    return groups


def _last_offset(segments: Sequence[Segment], number: int) -> int:
    """An offset that is not before the last of a segment."""
    if number + 1 < len(segments):
        return segments[number + 1].base_offset - 1
    return segments[number].next_offset() - 1


def _read_batches(source: Source) -> Iterator[bytes]:
    """The batches of a source, several whole ones at a time."""
    file, position, end_position = source
    while position < end_position:
        data = file.read_at(min(_READ_BYTES, end_position - position), position)
        end = 0
        for at, header in iter_batches(data):
            end = at + header.size_bytes
        if not end:
            # One batch that is larger than what is read at a time.
            size = read_header(data).size_bytes if len(data) >= HEADER_SIZE else 0
            if not size or size > end_position - position:
                raise BatchError(ErrorCode.CORRUPT_MESSAGE, f"{file.path} at {position}: no whole batch")
            data, end = file.read_at(size, position), size
        yield data[:end]
        position += end


def _read_checked(source: Source) -> Iterator[bytes]:
    """As `_read_batches`, every CRC checked."""
    for data in _read_batches(source):
        for position, header in iter_batches(data):
            check_crc(data, position, header)
        yield data
