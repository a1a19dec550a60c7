"""Zigzag varints, the integers inside a batch's records.

Seven bits a byte, least significant first, the high bit says that more follow; the sign sits in bit 0. Lengths and
offset deltas have 32 bits (5 bytes at most), timestamp deltas 64 (10 bytes).

The record iterators read the first two bytes themselves and call `varint_tail` for what is longer: a call costs more
than all else they do for a field.
"""

from __future__ import annotations

from typing import Final

from kwire.errors import ErrorCode
from kwire.records.batch import BatchError

_SHORT: Final = tuple(bytes((value,)) for value in range(0x80))


def encode_varint(value: int) -> bytes:
    """A signed number of up to 64 bits; one of 32 bits has the same bytes."""
    zigzag = value << 1 if value >= 0 else (-value << 1) - 1
    if zigzag < 0x80:
        return _SHORT[zigzag]
    out = bytearray()
    while zigzag >= 0x80:
        out.append(zigzag & 0x7F | 0x80)
        zigzag >>= 7
    out.append(zigzag)
    return bytes(out)


def decode_varint(data: bytes, position: int) -> tuple[int, int]:
    """A 32-bit varint at `position`: its value, and the position behind it. IndexError when the data ends first."""
    first = data[position]
    if first < 0x80:
        return (first >> 1) ^ -(first & 1), position + 1
    second = data[position + 1]
    if second < 0x80:
        first = first & 0x7F | second << 7
        return (first >> 1) ^ -(first & 1), position + 2
    return _tail(data, position + 1, first, 32)


def varint_tail(data: bytes, position: int, first: int) -> tuple[int, int]:
    """A 32-bit varint of more than one byte: `first` has been read, `position` is behind it. (value, position)."""
    return _tail(data, position, first, 32)


def varlong_tail(data: bytes, position: int, first: int) -> tuple[int, int]:
    """A 64-bit varint of more than one byte."""
    return _tail(data, position, first, 64)


def _tail(data: bytes, position: int, first: int, bits: int) -> tuple[int, int]:
    zigzag = first & 0x7F
    shift = 7
    while True:
        byte = data[position]
        position += 1
        zigzag |= (byte & 0x7F) << shift
        if byte < 0x80:
            break
        shift += 7
        if shift >= bits:
            break
    if zigzag >> bits or byte >= 0x80:
        raise BatchError(ErrorCode.INVALID_RECORD, f"a varint of more than {bits} bits")
    return (zigzag >> 1) ^ -(zigzag & 1), position
