"""Batches as a producer sends them, and what is in a reader's bytes."""

from __future__ import annotations

from collections.abc import Iterator

from kwire.records.batch import iter_batches
from kwire.records.builder import BatchBuilder
from kwire.records.compression import CompressionType
from kwire.records.record import iter_records

TIMESTAMP_MS = 1_700_000_000_000


def batch(
    *values: bytes | str,
    key: bytes | None = b"k",
    producer_id: int = -1,
    epoch: int = -1,
    sequence: int = -1,
    timestamp_ms: int = TIMESTAMP_MS,
    codec: CompressionType = CompressionType.NONE,
    flags: int = 0,
) -> bytes:
    """One batch with these values, as bytes of its own."""
    builder = BatchBuilder(
        producer_id=producer_id, producer_epoch=epoch, base_sequence=sequence, codec=codec, flags=flags
    )
    for value in values:
        builder.append(timestamp_ms, key, value.encode() if isinstance(value, str) else value)
    return bytes(builder.build())


def values_in(data: bytes | bytearray | memoryview) -> list[tuple[int, bytes]]:
    """(offset, value) of every record in whole batches."""
    return list(_records(bytes(data)))


def _records(data: bytes) -> Iterator[tuple[int, bytes]]:
    for position, header in iter_batches(data):
        for record in iter_records(data, position, header):
            yield record.offset, bytes(record.value or b"")
