"""The interpreter is what the codec is measured by, so it is held to bytes written out by hand."""

from __future__ import annotations

import math
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

import interpreter
from interpreter import BadBytesError, BadValueError
from kwire.protocol.schema import MessageSchema
from kwire.protocol.specs.parser import parse_spec

SPEC = """
plain Golden
data Thing versions 0-2, flexible 2+
  flag: bool
  tiny: int8
  port: uint16 @1+
  id: uuid @1+
  name: string?1+
  blob: bytes
  numbers: []int32?
  inner: Inner? @1+ = null
    a: int16
    b: string @2+ tag 3
  total: int64 @2+ tag 1 = -1
  note: string @1 ~
"""
SCHEMA: MessageSchema = parse_spec(SPEC, "golden.kspec").section("data").message

BASE = {
    "flag": True,
    "tiny": -2,
    "port": 0,
    "id": bytes(16),
    "name": "aé",
    "blob": b"\x09",
    "numbers": [1, -1],
    "inner": None,
    "total": -1,
    "note": "",
    "unknown_tags": {},
}
GOLDEN = [
    (0, BASE, "01 fe 0003 61c3a9 00000001 09 00000002 00000001 ffffffff"),
    (
        1,
        {
            **BASE,
            "port": 65535,
            "id": bytes(range(16)),
            "name": None,
            "numbers": None,
            "inner": {"a": -300, "b": "", "unknown_tags": {}},
            "note": "n",
        },
        "01 fe ffff 000102030405060708090a0b0c0d0e0f ffff 00000001 09 ffffffff 01 fed4 0001 6e",
    ),
    (
        2,
        {
            **BASE,
            "blob": bytes(127),
            "numbers": [],
            "inner": {"a": 1, "b": "x", "unknown_tags": {}},
            "total": 256,
            "unknown_tags": {0: b"", 300: b"\x07"},
        },
        "01 fe 0000 00000000000000000000000000000000 04 61c3a9 8001" + "00" * 127 + "01"
        " 01 0001 01 03 02 0278"  # inner: present, a, one tag: number 3, two bytes, compact "x"
        " 03 00 00 01 08 0000000000000100 ac02 01 07",  # three tags: 0 unknown, 1 total, 300 unknown
    ),
    (
        2,
        {**BASE, "name": None, "numbers": None},
        "01 fe 0000 00000000000000000000000000000000 00 02 09 00 ff 00",
    ),
]


@pytest.mark.parametrize(("version", "value", "data"), GOLDEN)
def test_golden_bytes_both_ways(version: int, value: dict[str, object], data: str) -> None:
    assert interpreter.encode(SCHEMA, version, value).hex() == bytes.fromhex(data).hex()
    assert interpreter.decode(SCHEMA, version, bytes.fromhex(data)) == (value, len(bytes.fromhex(data)))


@pytest.mark.parametrize(("version", "value", "data"), GOLDEN)
def test_every_cut_is_noticed(version: int, value: dict[str, object], data: str) -> None:
    whole = bytes.fromhex(data)
    for size in range(len(whole)):
        with pytest.raises(BadBytesError):
            interpreter.decode(SCHEMA, version, whole[:size])


@pytest.mark.parametrize(
    ("version", "change"),
    [
        (0, {"name": None}),  # not yet nullable
        (0, {"port": 1}),  # not yet there, and not ignorable
        (0, {"total": 0}),
        (0, {"unknown_tags": {9: b""}}),  # not yet flexible
        (2, {"tiny": 128}),
        (2, {"flag": None}),
        (2, {"name": "x" * 32768}),
    ],
)
def test_values_that_the_version_cannot_carry(version: int, change: dict[str, object]) -> None:
    with pytest.raises(BadValueError):
        interpreter.encode(SCHEMA, version, {**BASE, **change})


def test_an_ignorable_field_is_dropped() -> None:
    assert interpreter.encode(SCHEMA, 0, {**BASE, "note": "gone"}) == interpreter.encode(SCHEMA, 0, BASE)


@given(st.floats())
def test_floats_by_arithmetic_are_those_of_the_machine(value: float) -> None:
    packed = int.from_bytes(struct.pack(">d", value), "big")
    back = interpreter._float_from_bits(packed)
    if math.isnan(value):
        assert math.isnan(back)
    else:
        assert interpreter._bits_of_float(value) == packed
        assert struct.pack(">d", back) == struct.pack(">d", value)
