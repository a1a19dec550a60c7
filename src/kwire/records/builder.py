"""Batches made here: control records, the coordinators' own records, what compaction leaves, tests and tools.

The bytes are those of Kafka's own builder for the same input: the base timestamp is that of the first record, or the
delete horizon when one is set; the largest timestamp is that of the records, or the time of the append. (Compressed
bytes depend on the compressor's version as well.)
"""

from __future__ import annotations

import struct
from collections.abc import Iterable

from kwire.errors import ErrorCode
from kwire.records.batch import (
    CONTROL_FLAG,
    DELETE_HORIZON_FLAG,
    HEADER_SIZE,
    LOG_APPEND_TIME_FLAG,
    LOG_OVERHEAD,
    MAGIC,
    NO_LEADER_EPOCH,
    NO_PRODUCER_EPOCH,
    NO_PRODUCER_ID,
    NO_SEQUENCE,
    NO_TIMESTAMP,
    TRANSACTIONAL_FLAG,
    BatchError,
    BatchHeader,
    patch_crc,
)
from kwire.records.compression import CompressionType, compress
from kwire.records.record import Header
from kwire.records.varint import encode_varint

_INT32_MAX = 2**31 - 1
_INT64_MAX = 2**63 - 1
_NULL = encode_varint(-1)
_NO_HEADERS = encode_varint(0)

_pack_header = struct.Struct(">qiibIhiqqqhii").pack


def encode_fields(key: bytes | None, value: bytes | None, headers: Iterable[Header] = ()) -> bytes:
    """What of a record does not depend on its batch: key, value and headers."""
    parts = [_NULL] if key is None else [encode_varint(len(key)), key]
    if value is None:
        parts.append(_NULL)
    else:
        parts += (encode_varint(len(value)), value)
    if not headers:
        parts.append(_NO_HEADERS)
        return b"".join(parts)
    headers = tuple(headers)
    parts.append(encode_varint(len(headers)))
    for name, content in headers:
        encoded = name.encode("utf-8", "surrogateescape")
        parts += (encode_varint(len(encoded)), encoded)
        if content is None:
            parts.append(_NULL)
        else:
            parts += (encode_varint(len(content)), content)
    return b"".join(parts)


def encode_record(timestamp_delta: int, offset_delta: int, fields: bytes) -> bytes:
    """A record from its place in the batch and its encoded fields."""
    body = b"".join((b"\x00", encode_varint(timestamp_delta), encode_varint(offset_delta), fields))
    return encode_varint(len(body)) + body


def assemble(header: BatchHeader, section: bytes) -> bytearray:
    """A batch from its header and its records as they are to be stored. Length, magic and CRC are filled in."""
    batch = bytearray(
        _pack_header(
            *header._replace(batch_length=HEADER_SIZE - LOG_OVERHEAD + len(section), magic=MAGIC, crc=0),
        )
    )
    batch += section
    patch_crc(batch, 0, len(batch))
    return batch


class BatchBuilder:
    """Collects records, then writes them as one batch.

    `flags` takes TRANSACTIONAL_FLAG and CONTROL_FLAG. A `log_append_time` makes the batch one of log append time;
    a `delete_horizon_ms` says when its tombstones or its marker may go (KIP-534).
    """

    __slots__ = (
        "_attributes",
        "_base_timestamp",
        "_codec",
        "_last_offset",
        "_level",
        "_log_append_time",
        "_max_timestamp",
        "_records",
        "base_offset",
        "base_sequence",
        "leader_epoch",
        "producer_epoch",
        "producer_id",
        "section_bytes",
    )

    def __init__(
        self,
        *,
        base_offset: int = 0,
        leader_epoch: int = NO_LEADER_EPOCH,
        codec: CompressionType = CompressionType.NONE,
        level: int | None = None,
        flags: int = 0,
        producer_id: int = NO_PRODUCER_ID,
        producer_epoch: int = NO_PRODUCER_EPOCH,
        base_sequence: int = NO_SEQUENCE,
        log_append_time: int | None = None,
        delete_horizon_ms: int | None = None,
    ) -> None:
        assert not flags & ~(TRANSACTIONAL_FLAG | CONTROL_FLAG), "the other attributes follow from the other arguments"
        self.base_offset = base_offset
        self.leader_epoch = leader_epoch
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.base_sequence = base_sequence
        self.section_bytes = 0  # of the records so far, before compression
        self._codec = codec
        self._level = level
        self._attributes = int(codec) | flags
        if log_append_time is not None:
            self._attributes |= LOG_APPEND_TIME_FLAG
        if delete_horizon_ms is not None:
            self._attributes |= DELETE_HORIZON_FLAG
        self._log_append_time = log_append_time
        self._base_timestamp = delete_horizon_ms
        self._max_timestamp = NO_TIMESTAMP
        self._last_offset: int | None = None
        self._records: list[bytes] = []

    @property
    def record_count(self) -> int:
        return len(self._records)

    @property
    def next_offset(self) -> int:
        return self.base_offset if self._last_offset is None else self._last_offset + 1

    def append(self, timestamp: int, key: bytes | None, value: bytes | None, headers: Iterable[Header] = ()) -> int:
        """Adds a record at the next offset, which is returned."""
        offset = self.next_offset
        self.append_at(offset, timestamp, encode_fields(key, value, headers))
        return offset

    def append_at(self, offset: int, timestamp: int, fields: bytes) -> None:
        """Adds a record at a given offset behind the last, with key, value and headers encoded."""
        if not NO_TIMESTAMP <= timestamp <= _INT64_MAX:
            raise BatchError(ErrorCode.INVALID_TIMESTAMP, f"timestamp {timestamp}")
        if not self.next_offset <= offset <= self.base_offset + _INT32_MAX:
            raise BatchError(ErrorCode.INVALID_RECORD, f"offset {offset} follows {self.next_offset - 1}")
        if self._base_timestamp is None:
            self._base_timestamp = timestamp
        if timestamp > self._max_timestamp:
            self._max_timestamp = timestamp
        record = encode_record(timestamp - self._base_timestamp, offset - self.base_offset, fields)
        self._last_offset = offset
        self.section_bytes += len(record)
        self._records.append(record)

    def build(self, last_offset: int | None = None) -> bytearray:
        """The batch. A given `last_offset` stands in its header even when no record has it (compaction)."""
        assert self._last_offset is not None, "a batch without records is made by empty_batch"
        if last_offset is None:
            last_offset = self._last_offset
        assert self._last_offset <= last_offset <= self.base_offset + _INT32_MAX
        section = b"".join(self._records)
        if self._codec is not CompressionType.NONE:
            section = compress(self._codec, section, self._level)
        return assemble(
            BatchHeader(
                base_offset=self.base_offset,
                batch_length=0,
                leader_epoch=self.leader_epoch,
                magic=MAGIC,
                crc=0,
                attributes=self._attributes,
                last_offset_delta=last_offset - self.base_offset,
                base_timestamp=NO_TIMESTAMP if self._base_timestamp is None else self._base_timestamp,
                max_timestamp=self._max_timestamp if self._log_append_time is None else self._log_append_time,
                producer_id=self.producer_id,
                producer_epoch=self.producer_epoch,
                base_sequence=self.base_sequence,
                record_count=len(self._records),
            ),
            section,
        )


def empty_batch(header: BatchHeader) -> bytearray:
    """What compaction leaves of a batch without records: offsets, producer, sequence, largest timestamp and type."""
    return assemble(
        header._replace(
            attributes=header.attributes & (TRANSACTIONAL_FLAG | CONTROL_FLAG | LOG_APPEND_TIME_FLAG),
            base_timestamp=NO_TIMESTAMP,
            record_count=0,
        ),
        b"",
    )
