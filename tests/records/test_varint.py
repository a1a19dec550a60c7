"""Zigzag varints against the definition and kafka-python's."""

from __future__ import annotations

import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kwire.errors import BrokerError, ErrorCode
from kwire.records.varint import decode_varint, encode_varint, varint_tail, varlong_tail

with warnings.catch_warnings():
    # Importing kafka-python reads its schemas with a function that Python 3.11 deprecates.
    warnings.simplefilter("ignore", DeprecationWarning)
    from kafka.record.util import encode_varint as kafka_python_encode

int32s = st.integers(-(2**31), 2**31 - 1)
int64s = st.integers(-(2**63), 2**63 - 1)


@pytest.mark.parametrize(
    ("value", "encoded"),
    [
        (0, "00"),
        (-1, "01"),
        (1, "02"),
        (63, "7e"),
        (-64, "7f"),
        (64, "8001"),
        (-65, "8101"),
        (8191, "fe7f"),
        (8192, "808001"),
        (2**31 - 1, "feffffff0f"),
        (-(2**31), "ffffffff0f"),
        (2**63 - 1, "feffffffffffffffff01"),
        (-(2**63), "ffffffffffffffffff01"),
    ],
)
def test_bytes_of_the_edges(value: int, encoded: str) -> None:
    assert encode_varint(value).hex() == encoded


@settings(deadline=None)
@given(int64s)
def test_same_bytes_as_kafka_python(value: int) -> None:
    theirs = bytearray()
    kafka_python_encode(value, theirs.append)
    assert encode_varint(value) == theirs


@settings(deadline=None)
@given(int32s, st.binary(max_size=3), st.binary(max_size=3))
def test_32_bits_round_trip(value: int, before: bytes, behind: bytes) -> None:
    data = before + encode_varint(value) + behind
    assert decode_varint(data, len(before)) == (value, len(data) - len(behind))


@settings(deadline=None)
@given(int64s.filter(lambda value: len(encode_varint(value)) > 1))
def test_64_bits_round_trip(value: int) -> None:
    data = encode_varint(value)
    assert varlong_tail(data, 1, data[0]) == (value, len(data))


@pytest.mark.parametrize("encoded", ["8080808010", "ffffffffff", "ffffffff7f", "808080808000"])
def test_more_than_32_bits_are_refused(encoded: str) -> None:
    data = bytes.fromhex(encoded)
    with pytest.raises(BrokerError) as error:
        decode_varint(data, 0)
    assert error.value.code == ErrorCode.INVALID_RECORD
    with pytest.raises(BrokerError):
        varint_tail(data, 1, data[0])


@pytest.mark.parametrize("encoded", ["ffffffffffffffffff02", "ffffffffffffffffff7f", "ffffffffffffffffffff01"])
def test_more_than_64_bits_are_refused(encoded: str) -> None:
    data = bytes.fromhex(encoded)
    with pytest.raises(BrokerError) as error:
        varlong_tail(data, 1, data[0])
    assert error.value.code == ErrorCode.INVALID_RECORD


@settings(deadline=None)
@given(int32s.filter(lambda value: len(encode_varint(value)) > 1), st.data())
def test_a_cut_number_is_an_index_error(value: int, data: st.DataObject) -> None:
    encoded = encode_varint(value)
    with pytest.raises(IndexError):
        decode_varint(encoded[: data.draw(st.integers(0, len(encoded) - 1))], 0)
