"""What is in the files of a log, as rows: batches, records, index entries, producers, epochs. Reads and never writes.

The names of the fields are those of Kafka's own tool. Whatever is wrong with a file is a `Fault` among the rows, and
reading goes on as far as it can: the point of looking is often that something is broken.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from enum import IntEnum
from pathlib import Path
from typing import NamedTuple

from kwire.errors import BrokerError, UsageError
from kwire.records.batch import (
    HEADER_SIZE,
    BatchError,
    BatchHeader,
    TimestampType,
    check_crc,
    increment_sequence,
    read_header,
)
from kwire.records.compression import CompressionType
from kwire.records.control import parse_control_type, read_marker
from kwire.records.record import Record, iter_records
from kwire.storage.checkpoints import MalformedFileError, read_checkpoint
from kwire.storage.files import RealFileSystem
from kwire.storage.producer_snapshots import CorruptSnapshotError, decode_snapshot
from kwire.storage.segment_files import (
    LOG,
    OFFSET_INDEX,
    SNAPSHOT,
    TIME_INDEX,
    TRANSACTION_INDEX,
    parse_segment_file_name,
    segment_file_name,
)

_offset_entry = struct.Struct(">ii")
_time_entry = struct.Struct(">qi")
_transaction_entry = struct.Struct(">hqqqq")

LEADER_EPOCH_CHECKPOINT = "leader-epoch-checkpoint"
OFFSET_CHECKPOINT_SUFFIX = "-offset-checkpoint"


class Detail(IntEnum):
    """How deep to look into a log."""

    BATCHES = 0
    RECORDS = 1
    DATA = 2  # keys and values too


class Fault(NamedTuple):
    """Something that is wrong with a file."""

    message: str


class OptionalLong(NamedTuple):
    """A number that may be missing, which Kafka's tool prints in Java's way."""

    value: int | None

    def __str__(self) -> str:
        return "OptionalLong.empty" if self.value is None else f"OptionalLong[{self.value}]"


Value = str | int | bool | bytes | None | OptionalLong | list[str]


class Row(NamedTuple):
    """One line: a batch, a record of it, an entry of an index..."""

    kind: str
    fields: dict[str, Value]


Reader = Callable[[Path, int, Detail, int], Iterator[Row | Fault]]


def is_known(path: Path) -> bool:
    """Whether there is a reader for a file of that name."""
    return _reader(path.name) is not None


def read_file(path: Path, detail: Detail, max_bytes: int) -> Iterator[Row | Fault]:
    """Everything in a file; of a log at most the batches that begin in its first `max_bytes`."""
    reader = _reader(path.name)
    if reader is None:
        raise UsageError(f"{path}: not a file of a log", "it is known by its name, such as 00000000000000000000.log")
    name = parse_segment_file_name(path.name)
    return reader(path, name.base_offset if name else 0, detail, max_bytes)


# ---- segments ---------------------------------------------------------------------------------------------------


def _read_log(path: Path, base_offset: int, detail: Detail, max_bytes: int) -> Iterator[Row | Fault]:
    next_offset = base_offset
    with path.open("rb") as file:
        size_bytes = path.stat().st_size
        if not size_bytes:
            return
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped, memoryview(mapped) as data:
            position = 0
            while position < min(size_bytes, max_bytes):
                try:
                    header = read_header(data, position)
                except BatchError as error:
                    yield Fault(f"found {size_bytes - position} invalid bytes at the end: {error.detail}")
                    return
                if position + header.size_bytes > size_bytes:
                    yield Fault(f"found {size_bytes - position} invalid bytes at the end: a batch that is cut off")
                    return
                if header.base_offset < next_offset:
                    yield Fault(f"offset {header.base_offset} at position {position} comes after {next_offset - 1}")
                yield from _batch(data, position, header, detail)
                next_offset = header.next_offset
                position += header.size_bytes


def _batch(data: memoryview, position: int, header: BatchHeader, detail: Detail) -> Iterator[Row | Fault]:
    fault = ""
    try:
        check_crc(data, position, header)
    except BatchError as error:
        fault = f"batch at position {position}: {error.detail}"
    codec = header.compression
    known_codec = codec in CompressionType.__members__.values()
    yield Row(
        "batch",
        {
            "baseOffset": header.base_offset,
            "lastOffset": header.last_offset,
            "count": header.record_count,
            "baseSequence": header.base_sequence,
            "lastSequence": header.last_sequence,
            "producerId": header.producer_id,
            "producerEpoch": header.producer_epoch,
            "partitionLeaderEpoch": header.leader_epoch,
            "isTransactional": header.is_transactional,
            "isControl": header.is_control,
            "deleteHorizonMs": OptionalLong(header.delete_horizon_ms),
            "position": position,
            _timestamp_name(header): header.max_timestamp,
            "size": header.size_bytes,
            "magic": header.magic,
            "compresscodec": CompressionType(codec).name.lower() if known_codec else str(codec),
            "crc": header.crc,
            "isvalid": not fault,
        },
    )
    if fault:
        yield Fault(fault)
    elif detail >= Detail.RECORDS:
        try:
            for record in iter_records(data, position, header):
                yield _record(data, position, header, record, detail)
        except BrokerError as error:
            yield Fault(f"batch at position {position}: {error.detail}")


def _record(data: memoryview, position: int, header: BatchHeader, record: Record, detail: Detail) -> Row:
    sequence = -1
    if header.base_sequence >= 0:
        sequence = increment_sequence(header.base_sequence, record.offset - header.base_offset)
    fields: dict[str, Value] = {
        "offset": record.offset,
        _timestamp_name(header): record.timestamp,
        "keySize": -1 if record.key is None else len(record.key),
        "valueSize": -1 if record.value is None else len(record.value),
        "sequence": sequence,
        "headerKeys": [name for name, _ in record.headers],
    }
    if header.is_control:
        marker = read_marker(data, position, header)
        if marker is None:
            fields["controlType"] = parse_control_type(record.key).name
        else:
            fields["endTxnMarker"] = marker.type.name
            fields["coordinatorEpoch"] = marker.coordinator_epoch
    elif detail >= Detail.DATA:
        if record.key is not None:
            fields["key"] = record.key
        if record.value is not None:
            fields["payload"] = record.value
    return Row("record", fields)


def _timestamp_name(header: BatchHeader) -> str:
    return "LogAppendTime" if header.timestamp_type is TimestampType.LOG_APPEND_TIME else "CreateTime"


# ---- indexes ----------------------------------------------------------------------------------------------------


def _read_offset_index(path: Path, base_offset: int, detail: Detail, max_bytes: int) -> Iterator[Row | Fault]:
    content = path.read_bytes()
    log = path.with_name(segment_file_name(base_offset, LOG))
    with ExitStack() as stack:
        log_file = stack.enter_context(log.open("rb")) if log.exists() else None
        last = (-1, 0)
        for entry in _whole_entries(_offset_entry, content):
            if entry == (0, 0):
                break  # space that is kept free while the segment is written to
            offset, position = base_offset + entry[0], entry[1]
            yield Row("offset", {"offset": offset, "position": position})
            if not (entry[0] > last[0] and position > last[1]):
                yield Fault(f"entry {offset} -> {position} does not ascend")
            last = entry
            if log_file is not None:
                log_file.seek(position)
                found = _offset_at(log_file.read(HEADER_SIZE))
                if found != offset:
                    yield Fault(f"index offset {offset} at position {position}, log offset {found}")
    yield from _odd_bytes(_offset_entry, content)


def _offset_at(head: bytes) -> int | None:
    """The last offset of the batch that begins with these bytes."""
    try:
        return read_header(head).last_offset
    except BatchError:
        return None


def _read_time_index(path: Path, base_offset: int, detail: Detail, max_bytes: int) -> Iterator[Row | Fault]:
    content = path.read_bytes()
    last = (-1, -1)
    for entry in _whole_entries(_time_entry, content):
        if entry == (0, 0):
            break
        timestamp, relative_offset = entry
        yield Row("timestamp", {"timestamp": timestamp, "offset": base_offset + relative_offset})
        if not (timestamp > last[0] and relative_offset >= last[1]):
            yield Fault(f"entry {timestamp} -> {base_offset + relative_offset} does not ascend")
        last = entry
    yield from _odd_bytes(_time_entry, content)


def _read_transaction_index(path: Path, base_offset: int, detail: Detail, max_bytes: int) -> Iterator[Row | Fault]:
    content = path.read_bytes()
    names = ("version", "producerId", "firstOffset", "lastOffset", "lastStableOffset")
    for entry in _whole_entries(_transaction_entry, content):
        yield Row("aborted transaction", dict(zip(names, entry, strict=True)))
        if entry[0] != 0:
            yield Fault(f"version {entry[0]} is not known")
            return
    yield from _odd_bytes(_transaction_entry, content)


def _whole_entries(layout: struct.Struct, content: bytes) -> Iterator[tuple[int, ...]]:
    return layout.iter_unpack(content[: len(content) - len(content) % layout.size])


def _odd_bytes(layout: struct.Struct, content: bytes) -> Iterator[Fault]:
    if len(content) % layout.size:
        yield Fault(f"{len(content)} bytes are no whole number of entries of {layout.size}")


# ---- producers, epochs, checkpoints -----------------------------------------------------------------------------


def _read_snapshot(path: Path, base_offset: int, detail: Detail, max_bytes: int) -> Iterator[Row | Fault]:
    try:
        states = decode_snapshot(path.read_bytes())
    except CorruptSnapshotError as error:
        yield Fault(str(error))
        return
    for state in states:
        start_offset = state.transaction_start_offset
        fields: dict[str, Value] = {
            "producerId": state.producer_id,
            "producerEpoch": state.epoch,
            "coordinatorEpoch": state.coordinator_epoch,
            "currentTxnFirstOffset": OptionalLong(start_offset if start_offset >= 0 else None),
            "lastTimestamp": state.last_timestamp,
        }
        if state.batches:
            batch = state.batches[-1]
            fields |= {
                "firstSequence": increment_sequence(batch.last_sequence, -batch.offset_delta),
                "lastSequence": batch.last_sequence,
                "lastOffset": batch.last_offset,
                "offsetDelta": batch.offset_delta,
                "timestamp": batch.timestamp,
            }
        yield Row("producer", fields)


def _read_epochs(path: Path, base_offset: int, detail: Detail, max_bytes: int) -> Iterator[Row | Fault]:
    def parse(fields: list[str]) -> Row:
        epoch, start_offset = map(int, fields)
        return Row("leader epoch", {"leaderEpoch": epoch, "startOffset": start_offset})

    return _read_checkpoint(path, parse)


def _read_offsets(path: Path, base_offset: int, detail: Detail, max_bytes: int) -> Iterator[Row | Fault]:
    def parse(fields: list[str]) -> Row:
        topic, partition, offset = fields
        return Row("checkpoint", {"topic": topic, "partition": int(partition), "offset": int(offset)})

    return _read_checkpoint(path, parse)


def _read_checkpoint(path: Path, parse: Callable[[list[str]], Row]) -> Iterator[Row | Fault]:
    path.stat()  # a file that is not there is an error here, and no checkpoint without entries
    try:
        yield from read_checkpoint(RealFileSystem(), str(path), parse)
    except MalformedFileError as error:
        yield Fault(f"line {error.line_number}: {error.reason}")


_READERS: dict[str, Reader] = {
    LOG: _read_log,
    OFFSET_INDEX: _read_offset_index,
    TIME_INDEX: _read_time_index,
    TRANSACTION_INDEX: _read_transaction_index,
    SNAPSHOT: _read_snapshot,
}


def _reader(name: str) -> Reader | None:
    segment = parse_segment_file_name(name)
    if segment is not None:
        return _READERS[segment.kind]
    if name == LEADER_EPOCH_CHECKPOINT:
        return _read_epochs
    return _read_offsets if name.endswith(OFFSET_CHECKPOINT_SUFFIX) else None
