"""Variable-length numbers, lengths and tags: golden bytes, round trips and limits."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kwire.protocol.primitives import (
    STRING_BYTES_MAX,
    MalformedError,
    NullError,
    read_string_length,
    read_unsigned_varint,
    read_varint,
    read_varlong,
    write_string_length,
    write_tags,
    write_unsigned_varint,
    write_varlong,
)
from kwire.protocol.schema import Buffer

Reader = Callable[[Buffer, int], tuple[int, int]]

UNSIGNED = [
    (0, "00"),
    (1, "01"),
    (127, "7f"),
    (128, "8001"),
    (300, "ac02"),
    (16383, "ff7f"),
    (16384, "808001"),
    (2097151, "ffff7f"),
    (2**28 - 1, "ffffff7f"),
    (2**28, "8080808001"),
    (2**31 - 1, "ffffffff07"),
    (2**32 - 1, "ffffffff0f"),
]
ZIGZAG = [
    (0, "00"),
    (-1, "01"),
    (1, "02"),
    (-2, "03"),
    (63, "7e"),
    (-64, "7f"),
    (64, "8001"),
    (-65, "8101"),
    (300, "d804"),
    (2**31 - 1, "feffffff0f"),
    (-(2**31), "ffffffff0f"),
]
ZIGZAG_LONG = [
    (2**31, "8080808010"),
    (-(2**31) - 1, "8180808010"),
    (2**63 - 1, "feffffffffffffffff01"),
    (-(2**63), "ffffffffffffffffff01"),
]


@pytest.mark.parametrize(("value", "data"), UNSIGNED)
def test_unsigned_varint(value: int, data: str) -> None:
    assert write_unsigned_varint(value).hex() == data
    assert read_unsigned_varint(bytes.fromhex(data), 0) == (value, len(data) // 2)


@pytest.mark.parametrize(("value", "data"), [*ZIGZAG, *ZIGZAG_LONG])
def test_varlong(value: int, data: str) -> None:
    assert write_varlong(value).hex() == data
    assert read_varlong(bytes.fromhex(data), 0) == (value, len(data) // 2)


@pytest.mark.parametrize(("value", "data"), ZIGZAG)
def test_varint_is_a_varlong_that_fits(value: int, data: str) -> None:
    assert read_varint(bytes.fromhex(data), 0) == (value, len(data) // 2)


@pytest.mark.parametrize(("value", "data"), ZIGZAG_LONG)
def test_varint_refuses_what_does_not_fit(value: int, data: str) -> None:
    with pytest.raises(MalformedError, match="more than 32 bits"):
        read_varint(bytes.fromhex(data), 0)


@given(st.integers(0, 2**32 - 1), st.binary(max_size=8), st.binary(max_size=8))
def test_unsigned_varints_round_trip_at_any_position(value: int, before: bytes, behind: bytes) -> None:
    written = write_unsigned_varint(value)
    framed = before + written + behind
    for buffer in (framed, bytearray(framed), memoryview(framed)):
        assert read_unsigned_varint(buffer, len(before)) == (value, len(before) + len(written))


@given(st.integers(-(2**63), 2**63 - 1), st.binary(max_size=8), st.binary(max_size=8))
def test_varlongs_round_trip_at_any_position(value: int, before: bytes, behind: bytes) -> None:
    written = write_varlong(value)
    framed = before + written + behind
    for buffer in (framed, bytearray(framed), memoryview(framed)):
        assert read_varlong(buffer, len(before)) == (value, len(before) + len(written))


@given(st.integers(0, 2**32 - 1))
def test_an_unsigned_varint_is_as_short_as_it_can_be(value: int) -> None:
    assert len(write_unsigned_varint(value)) == max(1, -(-value.bit_length() // 7))


@given(st.integers(0, 2**63 - 1))
def test_zigzag_pairs_a_number_with_its_complement(value: int) -> None:
    """0 and -1, 1 and -2, and so on: the same bytes but for the lowest bit."""
    positive, negative = write_varlong(value), write_varlong(~value)
    assert positive[1:] == negative[1:]
    assert negative[0] == positive[0] + 1


@pytest.mark.parametrize("reader", [read_unsigned_varint, read_varint, read_varlong, read_string_length])
@pytest.mark.parametrize("data", [b"", b"\x80", b"\xff\xff", b"\x80\x80\x80\x80"])
def test_a_number_that_ends_too_early(reader: Reader, data: bytes) -> None:
    with pytest.raises(IndexError):
        reader(data, 0)
    with pytest.raises(IndexError):
        reader(data, len(data))


@pytest.mark.parametrize("data", ["8080808010", "ffffffff1f", "ffffffff7f", "808080808000", "ffffffffff01"])
def test_an_unsigned_varint_of_more_than_32_bits(data: str) -> None:
    with pytest.raises(MalformedError, match="more than 32 bits"):
        read_unsigned_varint(bytes.fromhex(data), 0)


@pytest.mark.parametrize("data", ["ff" * 9 + "02", "ff" * 9 + "7f", "80" * 10 + "00", "ff" * 11])
def test_a_varlong_of_more_than_64_bits(data: str) -> None:
    with pytest.raises(MalformedError, match="more than 64 bits"):
        read_varlong(bytes.fromhex(data), 0)


@pytest.mark.parametrize(("data", "value"), [("8000", 0), ("ff00", 127), ("8080808000", 0)])
def test_a_number_in_more_bytes_than_it_needs_is_read_as_kafka_reads_it(data: str, value: int) -> None:
    assert read_unsigned_varint(bytes.fromhex(data), 0) == (value, len(data) // 2)


@pytest.mark.parametrize("value", [-1, 2**32])
def test_unsigned_varints_out_of_range_are_not_written(value: int) -> None:
    with pytest.raises(ValueError, match="32 bits"):
        write_unsigned_varint(value)


@pytest.mark.parametrize("value", [-(2**63) - 1, 2**63])
def test_varlongs_out_of_range_are_not_written(value: int) -> None:
    with pytest.raises(ValueError, match="64 bits"):
        write_varlong(value)


def test_a_compact_string_has_the_classic_strings_limit() -> None:
    most = STRING_BYTES_MAX + 1  # the length plus one
    assert read_string_length(write_string_length(most), 0) == (most, 3)
    with pytest.raises(ValueError, match="32768 bytes, over the limit of 32767"):
        write_string_length(most + 1)
    with pytest.raises(MalformedError, match="32768 bytes, over the limit of 32767"):
        read_string_length(write_unsigned_varint(most + 1), 0)


def test_tags_are_written_by_ascending_number() -> None:
    pieces: list[bytes] = []
    write_tags(pieces.append, {300: b"late", 0: b"", 7: bytes(130)})
    assert b"".join(pieces).hex() == "03" + "0000" + "078201" + "00" * 130 + "ac0204" + b"late".hex()


def test_nothing_but_value_errors_leave_the_primitives() -> None:
    # The codec catches ValueError: what is malformed must be one.
    assert issubclass(MalformedError, ValueError)
    assert str(NullError()) == "null where a value is needed"
    assert isinstance(NullError(), MalformedError)
