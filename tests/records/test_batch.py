"""Headers: read, patched, walked; what is not a batch is refused with Kafka's code."""

from __future__ import annotations

import struct

import pytest
from crc32c import crc32c
from hypothesis import given, settings
from hypothesis import strategies as st

from kwire.errors import BrokerError, ErrorCode
from kwire.records.batch import (
    HEADER_SIZE,
    BatchHeader,
    TimestampType,
    check_crc,
    increment_sequence,
    iter_batches,
    patch_max_timestamp,
    patch_offsets,
    read_header,
)

INT32_MAX = 2**31 - 1


def make_batch(
    payload: bytes = b"opaque",
    base_offset: int = 7,
    leader_epoch: int = 3,
    attributes: int = 0,
    last_offset_delta: int = 0,
    base_timestamp: int = 1000,
    max_timestamp: int = 2000,
    producer_id: int = -1,
    producer_epoch: int = -1,
    base_sequence: int = -1,
    record_count: int = 1,
) -> bytearray:
    """A batch written field by field, independent of the code under test."""
    covered = struct.pack(
        ">hiqqqhii",
        attributes,
        last_offset_delta,
        base_timestamp,
        max_timestamp,
        producer_id,
        producer_epoch,
        base_sequence,
        record_count,
    )
    covered += payload
    return bytearray(struct.pack(">qiibI", base_offset, len(covered) + 9, leader_epoch, 2, crc32c(covered)) + covered)


def code_of(error: pytest.ExceptionInfo[BrokerError]) -> ErrorCode:
    return error.value.code


def test_fields_are_read_in_wire_order() -> None:
    batch = make_batch(b"x" * 5, 1 << 40, 9, 0x7A, 4, 11, 22, 33, 44, 55, 5)
    header = read_header(bytes(3) + batch, 3)
    crc = struct.unpack_from(">I", batch, 17)[0]
    assert header == BatchHeader(1 << 40, 54, 9, 2, crc, 0x7A, 4, 11, 22, 33, 44, 55, 5)
    assert header.size_bytes == len(batch) == 66
    assert (header.last_offset, header.next_offset) == ((1 << 40) + 4, (1 << 40) + 5)


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_every_kind_of_buffer_is_read(kind: type) -> None:
    assert read_header(kind(make_batch())).base_offset == 7


@pytest.mark.parametrize("bit", range(16))
def test_every_attribute_bit_means_one_thing(bit: int) -> None:
    attributes = 1 << bit if bit < 15 else -(1 << 15)
    header = read_header(make_batch(attributes=attributes))
    assert header.compression == (attributes & 7 if bit < 3 else 0)
    assert header.is_log_append_time == (bit == 3)
    assert header.timestamp_type == (TimestampType.LOG_APPEND_TIME if bit == 3 else TimestampType.CREATE_TIME)
    assert header.is_transactional == (bit == 4)
    assert header.is_control == (bit == 5)
    assert header.has_delete_horizon == (bit == 6)
    assert header.delete_horizon_ms == (1000 if bit == 6 else None)


@pytest.mark.parametrize(
    ("base_sequence", "last_offset_delta", "last_sequence"),
    [
        (-1, 5, -1),
        (0, 0, 0),
        (10, 5, 15),
        (INT32_MAX, 0, INT32_MAX),
        (INT32_MAX, 1, 0),
        (INT32_MAX - 2, 5, 2),
        (INT32_MAX, INT32_MAX, INT32_MAX - 1),
    ],
)
def test_last_sequence_wraps(base_sequence: int, last_offset_delta: int, last_sequence: int) -> None:
    header = read_header(make_batch(base_sequence=base_sequence, last_offset_delta=last_offset_delta))
    assert header.last_sequence == last_sequence


def test_sequences_wrap_to_zero() -> None:
    assert increment_sequence(INT32_MAX, 1) == 0


def test_producer_id_minus_one_is_none() -> None:
    assert not read_header(make_batch(producer_id=-1)).has_producer_id
    assert read_header(make_batch(producer_id=0)).has_producer_id


@pytest.mark.parametrize("size", range(HEADER_SIZE))
def test_every_cut_header_is_refused(size: int) -> None:
    with pytest.raises(BrokerError) as error:
        read_header(make_batch()[:size])
    assert code_of(error) == ErrorCode.CORRUPT_MESSAGE


@pytest.mark.parametrize("magic", [0, 1])
@pytest.mark.parametrize("size", [17, 26, 34, 61, 100])
def test_old_formats_are_recognised_however_short(magic: int, size: int) -> None:
    message = struct.pack(">qiIb", 0, max(size - 12, 14), 0xDEAD, magic).ljust(size, b"\0")
    for read in (read_header, lambda buffer: list(iter_batches(buffer))):
        with pytest.raises(BrokerError) as error:
            read(message)
        assert code_of(error) == ErrorCode.UNSUPPORTED_FOR_MESSAGE_FORMAT


@pytest.mark.parametrize("size", [17, 61, 100])
def test_zeros_are_no_old_format(size: int) -> None:
    for read in (read_header, lambda buffer: list(iter_batches(buffer))):
        with pytest.raises(BrokerError) as error:
            read(bytes(size))
        assert code_of(error) == ErrorCode.CORRUPT_MESSAGE


@pytest.mark.parametrize("magic", [3, 4, 127, 128, 255])
def test_unknown_magic_is_corrupt(magic: int) -> None:
    batch = make_batch()
    batch[16] = magic
    for read in (read_header, lambda buffer: list(iter_batches(buffer)), lambda b: list(iter_batches(b[:30]))):
        with pytest.raises(BrokerError) as error:
            read(batch)
        assert code_of(error) == ErrorCode.CORRUPT_MESSAGE


@pytest.mark.parametrize("length", [-(2**31), -1, 0, 48])
def test_length_below_a_header_is_corrupt(length: int) -> None:
    batch = make_batch()
    struct.pack_into(">i", batch, 8, length)
    for read in (read_header, lambda buffer: list(iter_batches(buffer)), lambda b: list(iter_batches(b[:30]))):
        with pytest.raises(BrokerError) as error:
            read(batch)
        assert code_of(error) == ErrorCode.CORRUPT_MESSAGE


def test_crc_covers_everything_from_the_attributes_on() -> None:
    batch = make_batch(b"some records")
    header = read_header(batch)
    check_crc(batch, 0, header)
    for position in range(21, len(batch)):
        for bit in range(8):
            batch[position] ^= 1 << bit
            with pytest.raises(BrokerError) as error:
                check_crc(batch, 0, header)
            assert code_of(error) == ErrorCode.CORRUPT_MESSAGE
            batch[position] ^= 1 << bit


def test_crc_of_a_cut_batch_is_corrupt() -> None:
    batch = make_batch()
    header = read_header(batch)
    with pytest.raises(BrokerError) as error:
        check_crc(batch[:-1], 0, header)
    assert code_of(error) == ErrorCode.CORRUPT_MESSAGE


@settings(deadline=None)
@given(
    st.integers(0, 2**63 - 1),
    st.integers(-1, INT32_MAX),
    st.integers(0, 9),
)
def test_patching_offsets_changes_nothing_else(base_offset: int, leader_epoch: int, position: int) -> None:
    batch = make_batch()
    buffer = memoryview(bytearray(position) + batch + b"behind")
    patch_offsets(buffer, position, base_offset, leader_epoch)
    header = read_header(buffer, position)
    assert header == read_header(batch)._replace(base_offset=base_offset, leader_epoch=leader_epoch)
    check_crc(buffer, position, header)
    assert bytes(buffer[:position]) == bytes(position)
    assert bytes(buffer[position + HEADER_SIZE :]) == b"opaquebehind"


@pytest.mark.parametrize("before", [0x00, 0x08, 0x79, -1])
@pytest.mark.parametrize("timestamp_type", list(TimestampType))
def test_patching_the_timestamp_renews_the_crc(before: int, timestamp_type: TimestampType) -> None:
    batch = make_batch(attributes=before)
    buffer = bytearray(4) + batch + b"behind"
    returned = patch_max_timestamp(buffer, 4, read_header(batch), timestamp_type, 5000)
    header = read_header(buffer, 4)
    check_crc(buffer, 4, header)
    assert returned == header
    assert header.max_timestamp == 5000
    assert header.timestamp_type is timestamp_type
    assert header.attributes | 0x08 == before & 0x7F | 0x08
    assert header._replace(attributes=before, max_timestamp=2000, crc=0) == read_header(batch)._replace(crc=0)


def test_patching_with_the_same_timestamp_writes_nothing() -> None:
    batch = make_batch()
    header = read_header(batch)
    assert patch_max_timestamp(memoryview(batch), 0, header, TimestampType.CREATE_TIME, 2000) is header
    assert batch == make_batch()


@settings(deadline=None)
@given(st.lists(st.binary(max_size=40), max_size=6), st.integers(0, 5))
def test_a_walk_ends_cleanly_at_every_cut(payloads: list[bytes], start: int) -> None:
    batches = [make_batch(payload, base_offset=number) for number, payload in enumerate(payloads)]
    buffer = b"." * start + b"".join(batches)
    ends = [start]
    for batch in batches:
        ends.append(ends[-1] + len(batch))
    for cut in range(start, len(buffer) + 1):
        walked = list(iter_batches(memoryview(buffer)[:cut], start))
        whole = sum(end <= cut for end in ends[1:])
        assert [(position, header.base_offset) for position, header in walked] == [
            (ends[number], number) for number in range(whole)
        ]
