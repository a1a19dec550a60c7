"""Control records: markers written and read, and what is not one."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kwire.errors import BrokerError, ErrorCode
from kwire.records.batch import CONTROL_FLAG, TRANSACTIONAL_FLAG, check_crc, read_header
from kwire.records.builder import BatchBuilder, empty_batch
from kwire.records.control import (
    ControlType,
    EndTransactionMarker,
    build_marker,
    parse_control_type,
    read_control_type,
    read_marker,
)


@settings(deadline=None)
@given(
    st.sampled_from([ControlType.ABORT, ControlType.COMMIT]),
    st.integers(-1, 2**31 - 1),
    st.integers(0, 2**63 - 1),
    st.integers(0, 2**15 - 1),
)
def test_round_trip(control_type: ControlType, coordinator_epoch: int, producer_id: int, producer_epoch: int) -> None:
    marker = EndTransactionMarker(control_type, coordinator_epoch)
    batch = build_marker(
        marker,
        producer_id=producer_id,
        producer_epoch=producer_epoch,
        timestamp=5,
        base_offset=3,
        leader_epoch=2,
    )
    header = read_header(batch)
    check_crc(batch, 0, header)
    assert read_marker(batch, 0, header) == marker
    assert read_control_type(batch, 0, header) is control_type
    assert (header.is_control, header.is_transactional, header.last_sequence) == (True, True, -1)
    assert (header.producer_id, header.producer_epoch, header.base_offset, header.leader_epoch) == (
        producer_id,
        producer_epoch,
        3,
        2,
    )


def control_batch(key: bytes | None, value: bytes | None) -> bytearray:
    builder = BatchBuilder(flags=CONTROL_FLAG | TRANSACTIONAL_FLAG, producer_id=1, producer_epoch=0)
    builder.append(1, key, value)
    return builder.build()


def test_later_versions_are_read_as_far_as_known() -> None:
    batch = control_batch(struct.pack(">hhi", 3, 1, 77), struct.pack(">hiq", 9, 5, 1))
    assert read_marker(batch, 0, read_header(batch)) == EndTransactionMarker(ControlType.COMMIT, 5)


@pytest.mark.parametrize(
    ("number", "control_type"),
    [(0, "ABORT"), (1, "COMMIT"), (2, "LEADER_CHANGE"), (6, "KRAFT_VOTERS"), (7, "UNKNOWN"), (-1, "UNKNOWN")],
)
def test_types(number: int, control_type: str) -> None:
    key = struct.pack(">hh", 0, number)
    assert parse_control_type(key).name == control_type
    batch = control_batch(key, struct.pack(">hi", 0, 1))
    assert (read_marker(batch, 0, read_header(batch)) is not None) == (number in (0, 1))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (None, b""),
        (b"\0\0\0", b""),
        (b"\xff\xff\0\0", struct.pack(">hi", 0, 1)),
        (b"\0\0\0\0", None),
        (b"\0\0\0\0", b"\0\0\0\0\0"),
        (b"\0\0\0\0", struct.pack(">hi", -1, 1)),
    ],
)
def test_malformed_markers_are_refused(key: bytes | None, value: bytes | None) -> None:
    batch = control_batch(key, value)
    with pytest.raises(BrokerError) as error:
        read_marker(batch, 0, read_header(batch))
    assert error.value.code == ErrorCode.INVALID_RECORD


def test_a_batch_that_compaction_emptied_has_no_type() -> None:
    batch = empty_batch(read_header(control_batch(struct.pack(">hh", 0, 1), struct.pack(">hi", 0, 1))))
    header = read_header(batch)
    assert read_control_type(batch, 0, header) is None
    assert read_marker(batch, 0, header) is None
