"""The builder: what goes into the header, and what it does not take."""

from __future__ import annotations

import pytest

from kwire.errors import BrokerError, ErrorCode
from kwire.records.batch import CONTROL_FLAG, TRANSACTIONAL_FLAG, check_crc, read_header
from kwire.records.builder import BatchBuilder, empty_batch, encode_fields
from kwire.records.compression import CompressionType, compress
from kwire.records.record import iter_records


def test_offsets_are_given_out_in_order() -> None:
    builder = BatchBuilder(base_offset=10)
    assert builder.next_offset == 10
    assert [builder.append(1, None, b"v") for _ in range(3)] == [10, 11, 12]
    assert (builder.next_offset, builder.record_count) == (13, 3)
    assert builder.section_bytes == len(builder.build()) - 61


def test_gaps_and_a_later_end_are_kept() -> None:
    builder = BatchBuilder(base_offset=10)
    builder.append_at(12, 5, encode_fields(b"k", b"v"))
    builder.append_at(15, 6, encode_fields(b"k", None))
    batch = builder.build(last_offset=20)
    header = read_header(batch)
    assert (header.base_offset, header.last_offset, header.record_count) == (10, 20, 2)
    assert [record.offset for record in iter_records(batch, 0, header)] == [12, 15]


@pytest.mark.parametrize("offset", [9, 11, 10 + 2**31])
def test_offsets_that_do_not_follow_are_refused(offset: int) -> None:
    builder = BatchBuilder(base_offset=10)
    builder.append_at(11, 5, b"")
    with pytest.raises(BrokerError) as error:
        builder.append_at(offset, 5, b"")
    assert error.value.code == ErrorCode.INVALID_RECORD


@pytest.mark.parametrize("timestamp", [-2, -(2**63), 2**63])
def test_timestamps_that_are_none_are_refused(timestamp: int) -> None:
    with pytest.raises(BrokerError) as error:
        BatchBuilder().append(timestamp, None, None)
    assert error.value.code == ErrorCode.INVALID_TIMESTAMP


@pytest.mark.parametrize("codec", list(CompressionType))
@pytest.mark.parametrize("flags", [0, TRANSACTIONAL_FLAG, CONTROL_FLAG, TRANSACTIONAL_FLAG | CONTROL_FLAG])
@pytest.mark.parametrize("append_time", [None, 77])
@pytest.mark.parametrize("horizon", [None, 88])
def test_attributes(codec: CompressionType, flags: int, append_time: int | None, horizon: int | None) -> None:
    builder = BatchBuilder(codec=codec, flags=flags, log_append_time=append_time, delete_horizon_ms=horizon)
    builder.append(5, b"k", b"v")
    builder.append(9, b"k", b"v")
    batch = builder.build()
    header = read_header(batch)
    check_crc(batch, 0, header)
    assert header.compression == codec
    assert header.is_transactional == bool(flags & TRANSACTIONAL_FLAG)
    assert header.is_control == bool(flags & CONTROL_FLAG)
    assert header.is_log_append_time == (append_time is not None)
    assert header.delete_horizon_ms == horizon
    assert header.base_timestamp == (5 if horizon is None else 88)
    assert header.max_timestamp == (9 if append_time is None else 77)
    times = [record.timestamp for record in iter_records(batch, 0, header)]
    assert times == ([5, 9] if append_time is None else [77, 77])


def test_levels_reach_the_codec() -> None:
    value = b"".join(b"%d" % (number * number) for number in range(5000))
    plain = BatchBuilder()
    plain.append(1, None, value)
    sections: set[bytes] = set()
    for level in (1, 6, 9):
        builder = BatchBuilder(codec=CompressionType.GZIP, level=level)
        builder.append(1, None, value)
        section = bytes(builder.build()[61:])
        assert section == compress(CompressionType.GZIP, plain.build()[61:], level)
        sections.add(section)
    assert len(sections) == 3


@pytest.mark.parametrize("flags", [0, TRANSACTIONAL_FLAG, TRANSACTIONAL_FLAG | CONTROL_FLAG])
def test_an_empty_batch_keeps_what_the_log_needs(flags: int) -> None:
    builder = BatchBuilder(
        base_offset=5,
        leader_epoch=3,
        codec=CompressionType.ZSTD,
        flags=flags,
        producer_id=1,
        producer_epoch=2,
        base_sequence=4,
        delete_horizon_ms=99,
    )
    for _ in range(4):
        builder.append(8, b"k", b"v")
    full = read_header(builder.build())
    batch = empty_batch(full)
    header = read_header(batch)
    check_crc(batch, 0, header)
    assert len(batch) == header.size_bytes == 61
    assert header.attributes == flags
    assert (header.base_timestamp, header.record_count) == (-1, 0)
    kept = {"attributes": 0, "base_timestamp": 0, "record_count": 0, "batch_length": 0, "crc": 0}
    assert header._replace(**kept) == full._replace(**kept)
    assert list(iter_records(batch, 0, header)) == []
