"""The protocol's building blocks as plain functions on any buffer, memoryview included.

Fixed-width numbers are `struct`'s business. What is left are the variable ones:

    unsigned varint   7 bits a byte, low ones first, top bit set when more follow; at most 5 bytes here
    varint, varlong   zigzag (0, -1, 1, -2 …) over an unsigned varint; at most 5 and 10 bytes
    classic length    int16 for strings, int32 for bytes and arrays; -1 is null
    compact length    unsigned varint of the length plus one; 0 is null
    tagged fields     count, then for each: tag, size, bytes, all unsigned varints

Readers take (buffer, position) and return (value, next position); a buffer that ends too early raises `IndexError`
or `MalformedError`, which the codec turns into a `DecodeError` that says where.
"""

from __future__ import annotations

from collections.abc import Callable

from kwire.protocol.schema import Buffer, Tags

STRING_BYTES_MAX = 32767
"""Kafka's limit for a string in either form: the classic length is an int16."""


class MalformedError(ValueError):
    """Bytes that no well-behaved peer sends. Never seen outside the codec, which adds the place."""


class NullError(MalformedError):
    """Null where the field cannot be null."""

    def __init__(self) -> None:
        super().__init__("null where a value is needed")


def read_unsigned_varint(data: Buffer, position: int) -> tuple[int, int]:
    value = data[position]
    position += 1
    if value < 128:
        return value, position
    value &= 127
    for shift in (7, 14, 21, 28):
        byte = data[position]
        position += 1
        value |= (byte & 127) << shift
        if byte < 128:
            if value >= 1 << 32:
                break
            return value, position
    raise MalformedError("a varint of more than 32 bits")


def write_unsigned_varint(value: int) -> bytes:
    if not 0 <= value < 1 << 32:
        raise ValueError(f"{value} does not fit an unsigned varint of 32 bits")
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def read_varlong(data: Buffer, position: int) -> tuple[int, int]:
    """A zigzag varint of up to 64 bits, as in records."""
    value = shift = 0
    while True:
        byte = data[position]
        position += 1
        value |= (byte & 127) << shift
        if byte < 128:
            break
        shift += 7
        if shift > 63:
            raise MalformedError("a varint of more than 64 bits")
    if value >= 1 << 64:
        raise MalformedError("a varint of more than 64 bits")
    return (value >> 1) ^ -(value & 1), position


def read_varint(data: Buffer, position: int) -> tuple[int, int]:
    """A zigzag varint of up to 32 bits, as in records."""
    value, position = read_varlong(data, position)
    if not -(1 << 31) <= value < 1 << 31:
        raise MalformedError("a varint of more than 32 bits")
    return value, position


def write_varlong(value: int) -> bytes:
    if not -(1 << 63) <= value < 1 << 63:
        raise ValueError(f"{value} does not fit a varint of 64 bits")
    encoded = (value << 1) ^ (value >> 63)
    out = bytearray()
    while encoded > 127:
        out.append(encoded & 127 | 128)
        encoded >>= 7
    out.append(encoded)
    return bytes(out)


def read_string_length(data: Buffer, position: int) -> tuple[int, int]:
    """A compact string's length plus one, held to the limit that the classic form has by its size."""
    value, position = read_unsigned_varint(data, position)
    if value > STRING_BYTES_MAX + 1:
        raise MalformedError(f"a string of {value - 1} bytes, over the limit of {STRING_BYTES_MAX}")
    return value, position


def write_string_length(value: int) -> bytes:
    if value > STRING_BYTES_MAX + 1:
        raise ValueError(f"a string of {value - 1} bytes, over the limit of {STRING_BYTES_MAX}")
    return write_unsigned_varint(value)


def write_tags(append: Callable[[bytes], object], tags: Tags) -> None:
    """A struct's tagged fields, known and unknown, already encoded, in ascending order as KIP-482 asks."""
    append(write_unsigned_varint(len(tags)))
    for tag in sorted(tags):
        value = tags[tag]
        append(write_unsigned_varint(tag) + write_unsigned_varint(len(value)) + value)
