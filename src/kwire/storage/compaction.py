"""What compaction keeps of a log, and the batches it writes instead.

Two passes, each a generator that is driven from outside: `build_offset_map` notes the latest offset of every key in the
dirty part of a log, `compact_batches` goes over clean and dirty part from the start and hands out what stays.
Nothing here knows of files: batches come in as buffers and go out as bytes.

A record stays if it is the latest of its key and
  - has a value, or
  - is a tombstone whose batch has no delete horizon yet, or one in the future (KIP-534).
A record without a key goes. What lies behind the map's latest offset stays as it is, since the map does not know it.
Data of aborted transactions goes; for markers see `cleaned_transactions`.

The first pass that meets a tombstone, or a marker that nothing needs, writes its batch with a delete horizon:
`now_ms + delete_retention_ms` in place of the base timestamp, and a bit in the attributes. Readers have that long to
see it; a later pass drops it.

A batch without records goes, unless it is the last of an active producer, whose sequence and epoch would be lost with
it, or the last below the upper bound, without which the log would end earlier. Then its header stays.

What holds true: offsets, timestamps, keys, values, headers, producer fields, leader epoch and codec of what stays are
as before; a batch keeps its base and last offset even if the records there are gone. Batches come out in the order
they went in. A batch of which everything stays comes out byte for byte.

A step takes at most a few milliseconds: RECORDS_PER_STEP records, or one chunk of a codec. Both generators yield after
every step and every batch. `b""` from `compact_batches` means that there is nothing to write yet.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from kwire.errors import ErrorCode
from kwire.records.batch import (
    DELETE_HORIZON_FLAG,
    NO_TIMESTAMP,
    BatchError,
    BatchHeader,
    ReadableBuffer,
    iter_batches,
)
from kwire.records.builder import assemble, empty_batch, encode_record
from kwire.records.compression import (
    DEFAULT_LIMITS,
    CompressionType,
    DecompressionLimits,
    compress_chunks,
    decompress_chunks,
)
from kwire.records.record import RecordSpan, iter_spans, record_timestamp, stored_section
from kwire.storage.cleaned_transactions import CleanedTransactions
from kwire.storage.offset_map import NOT_FOUND, OffsetMap

RECORDS_PER_STEP: Final = 250  # about a millisecond
_RUN_BYTES: Final = 1024 * 1024  # copied at once, about 0.2 ms

# A delete.retention.ms without end must still give a horizon and differences to it that 64 bits hold.
_HORIZON_MAX_MS: Final = 2**62
_TIMESTAMP_MIN_MS: Final = -(2**62)


class LastRecord(NamedTuple):
    """Where the state of an active producer hangs: its last data, or without any its last marker."""

    last_data_offset: int | None
    producer_epoch: int


@dataclass(slots=True)
class CompactionStats:
    """What a pass has done so far."""

    bytes_read: int = 0
    bytes_kept: int = 0
    records_read: int = 0
    records_kept: int = 0
    records_without_key: int = 0
    delete_horizons_set: int = 0


@dataclass(frozen=True, slots=True)
class CompactionPlan:
    """What a pass decides by.

    `upper_bound_offset` is the first offset that is not to be compacted; the batch that ends right below it stays,
    empty if need be. `active_producers` maps producer ids to where their state hangs.
    """

    now_ms: int
    delete_retention_ms: int
    upper_bound_offset: int
    active_producers: Mapping[int, LastRecord] = field(default_factory=dict[int, LastRecord])
    limits: DecompressionLimits = DEFAULT_LIMITS


def build_offset_map(
    buffers: Iterable[ReadableBuffer],
    offsets: OffsetMap,
    start_offset: int,
    transactions: CleanedTransactions[Any],
    limits: DecompressionLimits = DEFAULT_LIMITS,
) -> Iterator[None]:
    """Notes the latest offset of every key from `start_offset` on, until the batches end or the map is full.

    `offsets.latest_offset` says how far it came; the next pass starts behind it.
    """
    for buffer, position, header in _batches(buffers):
        if header.is_control:
            transactions.on_control(buffer, position, header)
        elif not transactions.on_data(header):
            section = yield from _read_in_steps(buffer, position, header, limits)
            base_offset = header.base_offset
            for number, (_, _, _, _, offset_delta, key, _, _) in enumerate(iter_spans(section, header), 1):
                offset = base_offset + offset_delta
                if key is not None and offset >= start_offset:
                    if offsets.is_full:
                        return
                    offsets.put(key, offset)
                if not number % RECORDS_PER_STEP:
                    yield
        if header.last_offset >= start_offset:
            offsets.latest_offset = header.last_offset
        yield


def compact_batches(
    buffers: Iterable[ReadableBuffer],
    offsets: OffsetMap,
    plan: CompactionPlan,
    transactions: CleanedTransactions[Any],
    stats: CompactionStats | None = None,
) -> Iterator[bytes]:
    """The batches that stay, each as one `bytes`, and `b""` for a step without one.

    Every buffer holds whole batches, one or several. `transactions.retained` collects the aborted transactions of which
    something stays: the transaction index of what is written.
    """
    stats = stats or CompactionStats()
    for buffer, position, header in _batches(buffers):
        stats.bytes_read += header.size_bytes
        stats.records_read += header.record_count
        batch = yield from _filter_batch(buffer, position, header, offsets, plan, transactions, stats)
        stats.bytes_kept += len(batch)
        yield batch


def _batches(buffers: Iterable[ReadableBuffer]) -> Iterator[tuple[ReadableBuffer, int, BatchHeader]]:
    for buffer in buffers:
        end = 0
        for position, header in iter_batches(buffer):
            yield buffer, position, header
            end = position + header.size_bytes
        if end != len(buffer):
            raise BatchError(ErrorCode.CORRUPT_MESSAGE, f"{len(buffer) - end} bytes behind the last whole batch")


def _read_in_steps(
    buffer: ReadableBuffer, position: int, header: BatchHeader, limits: DecompressionLimits
) -> Generator[Any, None, bytes]:
    """A batch's records in the clear, one chunk a step."""
    stored = stored_section(buffer, position, header)
    codec = CompressionType.of(header.compression)
    if codec is CompressionType.NONE or not header.record_count:
        return bytes(stored)
    chunks: list[bytes] = []
    for chunk in decompress_chunks(codec, stored, limits):
        chunks.append(chunk)
        yield b""
    return b"".join(chunks)


def _filter_batch(
    buffer: ReadableBuffer,
    position: int,
    header: BatchHeader,
    offsets: OffsetMap,
    plan: CompactionPlan,
    transactions: CleanedTransactions[Any],
    stats: CompactionStats,
) -> Generator[bytes, None, bytes]:
    """What is written for a batch: itself, a smaller one, its header alone, or nothing."""
    if header.is_control:
        is_needless = transactions.on_control(buffer, position, header)
        horizon_ms = header.delete_horizon_ms
        discards_records = is_needless and horizon_ms is not None and horizon_ms <= plan.now_ms
    else:
        is_needless = discards_records = transactions.on_data(header)

    if discards_records or not header.record_count:
        return _leave_empty(header, plan)

    section = yield from _read_in_steps(buffer, position, header, plan.limits)
    kept: list[RecordSpan] = []
    has_tombstone = False
    base_offset = header.base_offset
    # Everything behind this offset stays; of a control batch that is everything.
    known_offset = NOT_FOUND if header.is_control else offsets.latest_offset
    keeps_tombstones = not header.has_delete_horizon or plan.now_ms < header.base_timestamp
    latest_of = offsets.get
    for number, span in enumerate(iter_spans(section, header), 1):
        if not number % RECORDS_PER_STEP:
            yield b""
        _, _, _, _, offset_delta, key, _, value_size = span
        offset = base_offset + offset_delta
        if offset <= known_offset:
            if key is None:
                stats.records_without_key += 1
                continue
            if offset < latest_of(key) or (value_size < 0 and not keeps_tombstones):
                continue
        kept.append(span)
        has_tombstone = has_tombstone or value_size < 0

    if not kept:
        return _leave_empty(header, plan)
    stats.records_kept += len(kept)
    wants_horizon = has_tombstone or (header.is_control and is_needless)
    if wants_horizon and not header.has_delete_horizon:
        stats.delete_horizons_set += 1
        horizon = min(plan.now_ms + plan.delete_retention_ms, _HORIZON_MAX_MS)
        return (yield from _rebuild(header, _with_horizon(section, header, kept, horizon), kept, horizon))
    if len(kept) == header.record_count:
        return bytes(memoryview(buffer)[position : position + header.size_bytes])
    return (yield from _rebuild(header, _as_they_are(section, kept), kept, None))


def _leave_empty(header: BatchHeader, plan: CompactionPlan) -> bytes:
    """The header alone where something hangs on it, else nothing."""
    if header.next_offset == plan.upper_bound_offset or _is_last_of_producer(header, plan.active_producers):
        return bytes(empty_batch(header))
    return b""


def _is_last_of_producer(header: BatchHeader, active_producers: Mapping[int, LastRecord]) -> bool:
    """Whether an active producer's sequence, or without data its epoch, is known from this batch only."""
    if not header.has_producer_id:
        return False
    last = active_producers.get(header.producer_id)
    if last is None:
        return False
    if last.last_data_offset is not None:
        return header.last_offset == last.last_data_offset
    return header.is_control and header.producer_epoch == last.producer_epoch


# --- rebuilding -------------------------------------------------------------------------------------------------------


def _as_they_are(section: bytes, kept: list[RecordSpan]) -> Iterator[bytes]:
    """The records that stay, in runs: base offset and timestamp are as before, and so the bytes are."""
    run_start, run_end = kept[0].start, kept[0].end
    for span in kept[1:]:
        if span.start != run_end or run_end - run_start > _RUN_BYTES:
            yield section[run_start:run_end]
            run_start = span.start
        run_end = span.end
    yield section[run_start:run_end]


def _with_horizon(section: bytes, header: BatchHeader, kept: list[RecordSpan], horizon: int) -> Iterator[bytes]:
    """The records that stay, their timestamps counted from the horizon."""
    append_time = header.max_timestamp if header.is_log_append_time else None
    for span in kept:
        timestamp = record_timestamp(header, span.timestamp_delta) if append_time is None else append_time
        timestamp = max(timestamp, _TIMESTAMP_MIN_MS)
        yield encode_record(timestamp - horizon, span.offset_delta, section[span.fields_start : span.end])


def _rebuild(
    header: BatchHeader, records: Iterator[bytes], kept: list[RecordSpan], horizon: int | None
) -> Generator[bytes, None, bytes]:
    """A batch of the records that stay, under the header they came with."""
    pieces: list[bytes] = []
    for number, record in enumerate(records, 1):
        pieces.append(record)
        if not number % RECORDS_PER_STEP:
            yield b""
    codec = CompressionType.of(header.compression)
    if codec is not CompressionType.NONE:
        chunks: list[bytes] = []
        for chunk in compress_chunks(codec, (b"".join(pieces),)):
            chunks.append(chunk)
            yield b""
        pieces = chunks
    max_timestamp = header.max_timestamp
    if not header.is_log_append_time:
        latest = record_timestamp(header, max(span.timestamp_delta for span in kept))
        max_timestamp = max(NO_TIMESTAMP, latest)
    rebuilt = header._replace(record_count=len(kept), max_timestamp=max_timestamp)
    if horizon is not None:
        rebuilt = rebuilt._replace(attributes=header.attributes | DELETE_HORIZON_FLAG, base_timestamp=horizon)
    return bytes(assemble(rebuilt, b"".join(pieces)))
