"""Control records: what the broker itself writes into a partition's log, among the clients' records.

A control batch holds one record. For the end of a transaction:

    key    version int16 = 0, type int16 (0 abort, 1 commit)
    value  version int16 = 0, coordinator_epoch int32

Later versions may append fields to either; a reader takes what it knows of them, as Kafka's does.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import IntEnum

from kwire.errors import ErrorCode
from kwire.records.batch import CONTROL_FLAG, TRANSACTIONAL_FLAG, BatchError, BatchHeader, ReadableBuffer
from kwire.records.builder import BatchBuilder
from kwire.records.record import iter_records

_KEY = struct.Struct(">hh")
_VALUE = struct.Struct(">hi")
_VERSION = 0


class ControlType(IntEnum):
    """The types of control records. Those from 2 on belong to Kafka's own metadata log."""

    UNKNOWN = -1
    ABORT = 0
    COMMIT = 1
    LEADER_CHANGE = 2
    SNAPSHOT_HEADER = 3
    SNAPSHOT_FOOTER = 4
    KRAFT_VERSION = 5
    KRAFT_VOTERS = 6

    @property
    def ends_transaction(self) -> bool:
        return self in (ControlType.ABORT, ControlType.COMMIT)


@dataclass(frozen=True, slots=True)
class EndTransactionMarker:
    """The end of a producer's transaction in one partition."""

    type: ControlType
    coordinator_epoch: int


def parse_control_type(key: bytes | None) -> ControlType:
    """The type in a control record's key; UNKNOWN for one from a later version of Kafka, to be passed over."""
    if key is None or len(key) < _KEY.size:
        raise BatchError(ErrorCode.INVALID_RECORD, "a control record's key is too short")
    version, number = _KEY.unpack_from(key)
    if version < 0:
        raise BatchError(ErrorCode.INVALID_RECORD, f"version {version} of a control record's key")
    return ControlType(number) if ControlType.ABORT <= number <= ControlType.KRAFT_VOTERS else ControlType.UNKNOWN


def read_control_type(buffer: ReadableBuffer, position: int, header: BatchHeader) -> ControlType | None:
    """The type of a control batch, or None when compaction has taken its record."""
    record = next(iter_records(buffer, position, header), None)
    return None if record is None else parse_control_type(record.key)


def read_marker(buffer: ReadableBuffer, position: int, header: BatchHeader) -> EndTransactionMarker | None:
    """The marker in a control batch; None when it holds no record or one that ends no transaction."""
    record = next(iter_records(buffer, position, header), None)
    if record is None:
        return None
    control_type = parse_control_type(record.key)
    if not control_type.ends_transaction:
        return None
    if record.value is None or len(record.value) < _VALUE.size:
        raise BatchError(ErrorCode.INVALID_RECORD, "a transaction marker's value is too short")
    version, coordinator_epoch = _VALUE.unpack_from(record.value)
    if version < 0:
        raise BatchError(ErrorCode.INVALID_RECORD, f"version {version} of a transaction marker")
    return EndTransactionMarker(control_type, coordinator_epoch)


def build_marker(
    marker: EndTransactionMarker,
    *,
    producer_id: int,
    producer_epoch: int,
    timestamp: int,
    base_offset: int = 0,
    leader_epoch: int = -1,
) -> bytearray:
    """The control batch that ends a transaction. Markers carry no sequence."""
    assert marker.type.ends_transaction
    builder = BatchBuilder(
        base_offset=base_offset,
        leader_epoch=leader_epoch,
        flags=TRANSACTIONAL_FLAG | CONTROL_FLAG,
        producer_id=producer_id,
        producer_epoch=producer_epoch,
    )
    builder.append(timestamp, _KEY.pack(_VERSION, marker.type), _VALUE.pack(_VERSION, marker.coordinator_epoch))
    return builder.build()
