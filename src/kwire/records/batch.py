"""The header of a record batch: read from, and patched in, the memory the batch came in.

A batch is never taken apart to be stored. Its header is 61 bytes of fixed layout, big-endian (message format v2):

     0 base_offset         int64   assigned by the log, outside the CRC
     8 batch_length        int32   bytes after this field: the size of the batch minus 12
    12 leader_epoch        int32   assigned by the log, outside the CRC
    16 magic               int8    2; the same byte in every message format
    17 crc                 uint32  CRC-32C of everything from byte 21 to the end
    21 attributes          int16   0-2 compression, 3 timestamp type, 4 transactional, 5 control, 6 delete horizon
    23 last_offset_delta   int32
    27 base_timestamp      int64   the delete horizon when bit 6 is set (KIP-534)
    35 max_timestamp       int64
    43 producer_id         int64   -1 without idempotence
    51 producer_epoch      int16
    53 base_sequence       int32
    57 record_count        int32
    61 records             compressed as one block when bits 0-2 say so

What holds true: a `BatchHeader` that was handed out has magic 2 and a `batch_length` of at least a header's. Nothing
else of it has been checked; `check_crc` and `validation` do that. The formats before v2 have their magic at byte 16
too, which is how they are told apart and refused. Nothing here knows about files, offsets of a log or topics.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from enum import IntEnum
from typing import NamedTuple

from kwire.errors import BrokerError, ErrorCode
from kwire.records.checksum import crc32c

ReadableBuffer = bytes | bytearray | memoryview
WritableBuffer = bytearray | memoryview

MAGIC = 2
HEADER_SIZE = 61
LOG_OVERHEAD = 12  # base_offset and batch_length, which batch_length itself does not count
MIN_BATCH_LENGTH = HEADER_SIZE - LOG_OVERHEAD
MIN_OLD_LENGTH = 14  # of a message of format 0; what says that it is shorter is nothing at all

NO_PRODUCER_ID = -1
NO_PRODUCER_EPOCH = -1
NO_SEQUENCE = -1
NO_TIMESTAMP = -1
NO_LEADER_EPOCH = -1

COMPRESSION_MASK = 0x07
LOG_APPEND_TIME_FLAG = 0x08
TRANSACTIONAL_FLAG = 0x10
CONTROL_FLAG = 0x20
DELETE_HORIZON_FLAG = 0x40
ATTRIBUTES_MASK = 0x7F  # bits 7 to 15 mean nothing; whoever writes the attributes anew leaves them out

_INT32_MAX = 2**31 - 1
_LENGTH_POSITION = 8
_LEADER_EPOCH_POSITION = 12
_MAGIC_POSITION = 16
_CRC_POSITION = 17
_CRC_START = 21
_MAX_TIMESTAMP_POSITION = 35

_unpack_header = struct.Struct(">qiibIhiqqqhii").unpack_from
_unpack_int32 = struct.Struct(">i").unpack_from
_pack_int64 = struct.Struct(">q").pack_into
_pack_int32 = struct.Struct(">i").pack_into
_pack_int16 = struct.Struct(">h").pack_into
_pack_uint32 = struct.Struct(">I").pack_into


class BatchError(BrokerError):
    """A batch that is not what the format demands."""


class TimestampType(IntEnum):
    """Who set a batch's timestamps: bit 3 of the attributes."""

    CREATE_TIME = 0
    LOG_APPEND_TIME = 1


class BatchHeader(NamedTuple):
    """A batch's header, fields in the order of the wire."""

    base_offset: int
    batch_length: int
    leader_epoch: int
    magic: int
    crc: int
    attributes: int
    last_offset_delta: int
    base_timestamp: int
    max_timestamp: int
    producer_id: int
    producer_epoch: int
    base_sequence: int
    record_count: int

    @property
    def size_bytes(self) -> int:
        """The whole batch, header included."""
        return self.batch_length + LOG_OVERHEAD

    @property
    def last_offset(self) -> int:
        return self.base_offset + self.last_offset_delta

    @property
    def next_offset(self) -> int:
        return self.base_offset + self.last_offset_delta + 1

    @property
    def last_sequence(self) -> int:
        """The sequence number of the last record, or NO_SEQUENCE. After 2^31-1 comes 0."""
        if self.base_sequence == NO_SEQUENCE:
            return NO_SEQUENCE
        return increment_sequence(self.base_sequence, self.last_offset_delta)

    @property
    def compression(self) -> int:
        """The codec's number; 5 to 7 are not assigned."""
        return self.attributes & COMPRESSION_MASK

    @property
    def timestamp_type(self) -> TimestampType:
        if self.attributes & LOG_APPEND_TIME_FLAG:
            return TimestampType.LOG_APPEND_TIME
        return TimestampType.CREATE_TIME

    @property
    def is_log_append_time(self) -> bool:
        return self.attributes & LOG_APPEND_TIME_FLAG != 0

    @property
    def is_transactional(self) -> bool:
        return self.attributes & TRANSACTIONAL_FLAG != 0

    @property
    def is_control(self) -> bool:
        return self.attributes & CONTROL_FLAG != 0

    @property
    def has_delete_horizon(self) -> bool:
        return self.attributes & DELETE_HORIZON_FLAG != 0

    @property
    def delete_horizon_ms(self) -> int | None:
        """When tombstones and markers of this batch may go (KIP-534), or None while that is not known."""
        return self.base_timestamp if self.attributes & DELETE_HORIZON_FLAG else None

    @property
    def has_producer_id(self) -> bool:
        return self.producer_id > NO_PRODUCER_ID


# What BatchHeader._make does, without its check of the field count: 15 % off the commonest call of the broker.
# The ignore: tuple's element type stays unknown to pyright until the call.
_new_header: Callable[[type[BatchHeader], tuple[int, ...]], BatchHeader]
_new_header = tuple.__new__  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]


def increment_sequence(sequence: int, increment: int) -> int:
    """Sequence numbers run from 0 to 2^31-1 and start again."""
    return (sequence + increment) & _INT32_MAX


def read_header(buffer: ReadableBuffer, position: int = 0) -> BatchHeader:
    """The header of the batch that starts at `position`. The rest of the batch need not be there."""
    try:
        header = _new_header(BatchHeader, _unpack_header(buffer, position))
    except struct.error:
        _refuse_old_format(buffer, position)
        raise BatchError(
            ErrorCode.CORRUPT_MESSAGE,
            f"a batch header is {HEADER_SIZE} bytes, there are {max(0, len(buffer) - position)}",
        ) from None
    if header.magic != MAGIC or header.batch_length < MIN_BATCH_LENGTH:
        _refuse_old_format(buffer, position)
        if header.magic != MAGIC:
            raise BatchError(ErrorCode.CORRUPT_MESSAGE, f"unknown magic {header.magic}")
        raise BatchError(ErrorCode.CORRUPT_MESSAGE, f"batch length {header.batch_length} is less than a header")
    return header


def _refuse_old_format(buffer: ReadableBuffer, position: int) -> None:
    """Magic 0 and 1: offset, size, CRC and magic come first there too, but a message may be as short as 26 bytes."""
    if len(buffer) - position <= _MAGIC_POSITION:
        return
    magic = buffer[position + _MAGIC_POSITION]
    (length,) = _unpack_int32(buffer, position + _LENGTH_POSITION)
    if magic < MAGIC and length >= MIN_OLD_LENGTH:
        raise BatchError(ErrorCode.UNSUPPORTED_FOR_MESSAGE_FORMAT, f"message format {magic} is no longer supported")


def check_crc(buffer: ReadableBuffer, position: int, header: BatchHeader) -> None:
    """Raises unless the whole batch is there and its bytes are the ones its writer checksummed."""
    end = position + header.batch_length + LOG_OVERHEAD
    if end > len(buffer):
        raise BatchError(
            ErrorCode.CORRUPT_MESSAGE,
            f"a batch of {header.size_bytes} bytes has only {len(buffer) - position}",
        )
    crc = crc32c(memoryview(buffer)[position + _CRC_START : end])
    if crc != header.crc:
        raise BatchError(ErrorCode.CORRUPT_MESSAGE, f"CRC-32C is {crc:08x}, the header says {header.crc:08x}")


def patch_offsets(buffer: WritableBuffer, position: int, base_offset: int, leader_epoch: int) -> None:
    """Writes where the log puts the batch. Both fields lie before the CRC's range, which stays right."""
    _pack_int64(buffer, position, base_offset)
    _pack_int32(buffer, position + _LEADER_EPOCH_POSITION, leader_epoch)


def patch_max_timestamp(
    buffer: WritableBuffer,
    position: int,
    header: BatchHeader,
    timestamp_type: TimestampType,
    max_timestamp: int,
) -> BatchHeader:
    """Writes the largest timestamp and its type, and the CRC anew. Returns the header as it now is.

    Under log append time a reader takes the largest timestamp as that of every record, so that this patch moves all
    records of the batch to the broker's time without a look at them; the base timestamp stays, as in Kafka.
    """
    attributes = header.attributes & ATTRIBUTES_MASK & ~LOG_APPEND_TIME_FLAG
    if timestamp_type is TimestampType.LOG_APPEND_TIME:
        attributes |= LOG_APPEND_TIME_FLAG
    if timestamp_type == header.timestamp_type and max_timestamp == header.max_timestamp:
        return header
    _pack_int16(buffer, position + _CRC_START, attributes)
    _pack_int64(buffer, position + _MAX_TIMESTAMP_POSITION, max_timestamp)
    crc = patch_crc(buffer, position, header.size_bytes)
    return header._replace(attributes=attributes, max_timestamp=max_timestamp, crc=crc)


def patch_crc(buffer: WritableBuffer, position: int, size_bytes: int) -> int:
    """Computes the CRC of the batch as it now is, and writes it."""
    crc = crc32c(memoryview(buffer)[position + _CRC_START : position + size_bytes])
    _pack_uint32(buffer, position + _CRC_POSITION, crc)
    return crc


def iter_batches(buffer: ReadableBuffer, position: int = 0) -> Iterator[tuple[int, BatchHeader]]:
    """Walks batches that lie one behind the other: (position, header) of every one that is whole.

    A batch that the buffer's end cuts off ends the walk, since a read of a fixed number of bytes from a file has one
    nearly always. Bytes that cannot be a batch, whole or not, raise.
    """
    end = len(buffer)
    while end - position >= HEADER_SIZE:
        header = read_header(buffer, position)
        next_position = position + header.batch_length + LOG_OVERHEAD
        if next_position > end:
            return
        yield position, header
        position = next_position
    if end - position > _MAGIC_POSITION:
        _refuse_tail(buffer, position)


def _refuse_tail(buffer: ReadableBuffer, position: int) -> None:
    """Less than a header is left: raises when even the magic and the length show that no batch starts here."""
    _refuse_old_format(buffer, position)
    magic = buffer[position + _MAGIC_POSITION]
    (batch_length,) = _unpack_int32(buffer, position + _LENGTH_POSITION)
    if magic != MAGIC or batch_length < MIN_BATCH_LENGTH:
        raise BatchError(ErrorCode.CORRUPT_MESSAGE, f"magic {magic}, batch length {batch_length}: not a batch")
