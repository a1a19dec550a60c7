"""What Produce takes and what it refuses, and with which code: the answers of Apache Kafka 4.3 to the same bytes.

Every row of `KAFKA_ANSWERS` was sent to a running broker, with its clock for NOW: so the rows at the very edge of a
window of time were near that edge, not on it. Where our answer differs, the row says so.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kwire.errors import BrokerError, ErrorCode
from kwire.records.batch import (
    CONTROL_FLAG,
    TRANSACTIONAL_FLAG,
    TimestampType,
    check_crc,
    read_header,
)
from kwire.records.builder import BatchBuilder, assemble, encode_fields, encode_record
from kwire.records.compression import CompressionType, DecompressionLimits, compress
from kwire.records.record import iter_records, read_section
from kwire.records.validation import RecordValidationError, ValidationRules, validate_produce

NOW = 1_700_000_000_000
HOUR_MS = 3_600_000

PLAIN = ValidationRules()
COMPACTED = ValidationRules(requires_keys=True)
APPEND_TIME = ValidationRules(timestamp_type=TimestampType.LOG_APPEND_TIME)
WINDOW = ValidationRules(timestamp_before_max_ms=1000)
SMALL = ValidationRules(max_message_bytes=200)
GZIP = ValidationRules(codec=CompressionType.GZIP)


def batch(count: int = 1, key: bytes | None = b"k", timestamp: int = NOW, **settings: object) -> bytearray:
    builder = BatchBuilder(**settings)
    for number in range(count):
        builder.append(timestamp + number, key, b"v%d" % number)
    return builder.build()


def changed(original: bytearray, **fields: int) -> bytearray:
    """The batch with other header fields and a right CRC."""
    return assemble(read_header(original)._replace(**fields), bytes(original[61:]))


def with_byte(original: bytearray, position: int, value: int) -> bytearray:
    copy = bytearray(original)
    copy[position] = value
    return copy


def wrong_crc(original: bytearray) -> bytearray:
    return with_byte(original, len(original) - 1, original[-1] ^ 1)


def old_message(magic: int) -> bytearray:
    body = struct.pack(">Ibb", 0, magic, 0) + (bytes(8) if magic else b"") + struct.pack(">ii", -1, 3) + b"abc"
    return bytearray(struct.pack(">qi", 0, len(body)) + body)


@dataclass(frozen=True)
class Case:
    rules: ValidationRules
    data: bytearray
    answer: ErrorCode


E = ErrorCode
KAFKA_ANSWERS: dict[str, Case] = {
    "as it should be": Case(PLAIN, batch(3), E.NONE),
    "wrong CRC": Case(PLAIN, wrong_crc(batch()), E.CORRUPT_MESSAGE),
    # Kafka's Produce says INVALID_RECORD to these two.
    "magic 0": Case(PLAIN, old_message(0), E.UNSUPPORTED_FOR_MESSAGE_FORMAT),
    "magic 1": Case(PLAIN, old_message(1), E.UNSUPPORTED_FOR_MESSAGE_FORMAT),
    "magic 3": Case(PLAIN, with_byte(batch(), 16, 3), E.CORRUPT_MESSAGE),
    "magic -1": Case(PLAIN, with_byte(batch(), 16, 255), E.CORRUPT_MESSAGE),
    "nothing": Case(PLAIN, bytearray(), E.INVALID_RECORD),
    "all but a byte": Case(PLAIN, batch()[:-1], E.INVALID_RECORD),
    "less than a header": Case(PLAIN, batch()[:50], E.INVALID_RECORD),
    "less than a length": Case(PLAIN, batch()[:5], E.INVALID_RECORD),
    "a few bytes behind": Case(PLAIN, batch() + b"xyz", E.NONE),
    "a partial batch behind": Case(PLAIN, batch() + batch()[:40], E.NONE),
    "zeros behind": Case(PLAIN, batch() + bytes(20), E.CORRUPT_MESSAGE),
    "two batches": Case(PLAIN, batch() + batch(), E.INVALID_RECORD),
    "two batches, the second corrupt": Case(PLAIN, batch() + wrong_crc(batch()), E.INVALID_RECORD),
    "an old message behind": Case(PLAIN, batch() + old_message(1), E.INVALID_RECORD),
    "more records than offsets": Case(PLAIN, changed(batch(2), last_offset_delta=0), E.INVALID_RECORD),
    "fewer records than offsets": Case(PLAIN, changed(batch(2), last_offset_delta=5), E.INVALID_RECORD),
    "no records": Case(PLAIN, changed(batch(), record_count=0), E.INVALID_RECORD),
    "no records, no offsets": Case(PLAIN, changed(batch(), record_count=0, last_offset_delta=-1), E.INVALID_RECORD),
    "negative count": Case(PLAIN, changed(batch(), record_count=-1), E.INVALID_RECORD),
    "negative delta": Case(PLAIN, changed(batch(), last_offset_delta=-1), E.INVALID_RECORD),
    "control batch": Case(PLAIN, batch(flags=CONTROL_FLAG), E.INVALID_RECORD),
    "base offset 5": Case(PLAIN, batch(base_offset=5), E.INVALID_RECORD),
    "producer without sequence": Case(
        PLAIN, changed(batch(producer_id=7, producer_epoch=0), base_sequence=-1), E.INVALID_RECORD
    ),
    "producer without epoch": Case(PLAIN, batch(producer_id=7, base_sequence=0), E.NONE),
    "sequence without producer": Case(PLAIN, changed(batch(), base_sequence=4), E.NONE),
    "leader epoch set": Case(PLAIN, changed(batch(), leader_epoch=77), E.NONE),
    "unused attributes set": Case(PLAIN, changed(batch(), attributes=0x7F00), E.NONE),
    "delete horizon set": Case(PLAIN, batch(2, delete_horizon_ms=5), E.NONE),
    # Kafka has no answer to these but UNKNOWN_SERVER_ERROR.
    "codec 5": Case(PLAIN, changed(batch(), attributes=5), E.UNSUPPORTED_COMPRESSION_TYPE),
    "codec 7": Case(PLAIN, changed(batch(), attributes=7), E.UNSUPPORTED_COMPRESSION_TYPE),
    "garbage for gzip": Case(COMPACTED, changed(batch(), attributes=1), E.INVALID_RECORD),
    "garbage for snappy": Case(COMPACTED, changed(batch(), attributes=2), E.INVALID_RECORD),
    "garbage for lz4": Case(COMPACTED, changed(batch(), attributes=3), E.INVALID_RECORD),
    "garbage for zstd": Case(COMPACTED, changed(batch(), attributes=4), E.INVALID_RECORD),
    "garbage for a record": Case(COMPACTED, assemble(read_header(batch()), b"\x63" + batch()[62:]), E.INVALID_RECORD),
    "really fewer records": Case(COMPACTED, changed(batch(2), record_count=3, last_offset_delta=2), E.INVALID_RECORD),
    "really more records": Case(COMPACTED, changed(batch(3), record_count=2, last_offset_delta=1), E.INVALID_RECORD),
    "no key on a compacted topic": Case(COMPACTED, batch(2, key=None), E.INVALID_RECORD),
    "empty key on a compacted topic": Case(COMPACTED, batch(2, key=b""), E.NONE),
    "no key elsewhere": Case(PLAIN, batch(2, key=None), E.NONE),
    "too old": Case(WINDOW, batch(2, timestamp=NOW - 100_000), E.INVALID_TIMESTAMP),
    "just old enough": Case(WINDOW, batch(2, timestamp=NOW - 1000), E.NONE),
    "old where that is allowed": Case(PLAIN, batch(2, timestamp=0), E.NONE),
    "too new": Case(PLAIN, batch(2, timestamp=NOW + HOUR_MS), E.INVALID_TIMESTAMP),
    "just new enough": Case(PLAIN, batch(1, timestamp=NOW + HOUR_MS), E.NONE),
    "no timestamp": Case(WINDOW, batch(1, timestamp=-1), E.NONE),
    "append time set on create time": Case(PLAIN, batch(2, log_append_time=NOW), E.NONE),
    "append time set without a timestamp": Case(PLAIN, batch(1, timestamp=-1, log_append_time=-1), E.INVALID_TIMESTAMP),
    "append time set on append time": Case(APPEND_TIME, batch(2, log_append_time=NOW), E.INVALID_TIMESTAMP),
    "any timestamp on append time": Case(APPEND_TIME, batch(2, timestamp=NOW + 10**12), E.NONE),
    "negative timestamp": Case(PLAIN, changed(batch(), base_timestamp=-5, max_timestamp=-5), E.NONE),
    "too large": Case(SMALL, batch(40), E.MESSAGE_TOO_LARGE),
    "too large and corrupt": Case(SMALL, wrong_crc(batch(40)), E.MESSAGE_TOO_LARGE),
    "length 5": Case(PLAIN, bytearray(struct.pack(">qii", 0, 5, 0) + bytes(60)), E.CORRUPT_MESSAGE),
    "length 20": Case(PLAIN, bytearray(struct.pack(">qiib", 0, 20, 0, 2) + bytes(60)), E.CORRUPT_MESSAGE),
    "length -20": Case(PLAIN, bytearray(struct.pack(">qiib", 0, -20, 0, 2) + bytes(60)), E.CORRUPT_MESSAGE),
}


def answer(data: bytearray, rules: ValidationRules) -> ErrorCode:
    try:
        validate_produce(data, rules, NOW)
    except BrokerError as error:
        return error.code
    return ErrorCode.NONE


@pytest.mark.parametrize("name", KAFKA_ANSWERS)
def test_answers(name: str) -> None:
    case = KAFKA_ANSWERS[name]
    assert answer(bytearray(case.data), case.rules) == case.answer


def test_what_is_taken_is_the_clients_own_memory() -> None:
    data = batch(3) + b"xyz"
    before = bytes(data)
    validated = validate_produce(data, PLAIN, NOW)
    assert validated.data.obj is data
    assert bytes(data) == before
    assert len(validated.data) == validated.header.size_bytes == len(data) - 3
    assert validated.header == read_header(before)


@pytest.mark.parametrize("codec", list(CompressionType))
@pytest.mark.parametrize(
    "rules",
    [PLAIN, COMPACTED, WINDOW, APPEND_TIME, ValidationRules(codec=CompressionType.LZ4, requires_keys=True)],
)
def test_every_taken_batch_is_sound(codec: CompressionType, rules: ValidationRules) -> None:
    data = batch(5, codec=codec, flags=TRANSACTIONAL_FLAG, producer_id=5, producer_epoch=1, base_sequence=8)
    records = list(iter_records(data, 0, read_header(data)))
    header, taken = validate_produce(data, rules, NOW + 50)
    assert header == read_header(taken)
    assert len(taken) == header.size_bytes
    check_crc(taken, 0, header)
    is_append_time = rules.timestamp_type is TimestampType.LOG_APPEND_TIME
    assert header.timestamp_type == rules.timestamp_type
    assert header.max_timestamp == (NOW + 50 if is_append_time else NOW + 4)
    assert header.compression == (codec if rules.codec is None else rules.codec)
    assert (header.is_transactional, header.producer_id, header.last_sequence) == (True, 5, 12)
    expected = [record._replace(timestamp=NOW + 50) for record in records] if is_append_time else records
    assert list(iter_records(taken, 0, header)) == expected


def test_the_producers_append_time_bit_is_taken_off() -> None:
    data = batch(2, log_append_time=NOW + 9)
    header, taken = validate_produce(data, PLAIN, NOW)
    check_crc(taken, 0, header)
    assert not header.is_log_append_time
    assert header.max_timestamp == NOW + 9
    assert [record.timestamp for record in iter_records(taken, 0, header)] == [NOW, NOW + 1]


@pytest.mark.parametrize("source", list(CompressionType))
@pytest.mark.parametrize("target", list(CompressionType))
def test_recompression(source: CompressionType, target: CompressionType) -> None:
    data = batch(200, codec=source)
    header, taken = validate_produce(data, ValidationRules(codec=target), NOW)
    assert (taken.obj is data) == (source is target)
    assert header.compression == target
    check_crc(taken, 0, header)
    assert read_section(taken, 0, header) == bytes(batch(200)[61:])


def test_recompression_takes_the_level() -> None:
    low, high = (
        validate_produce(batch(2000), ValidationRules(codec=CompressionType.GZIP, level=level), NOW).data
        for level in (1, 9)
    )
    assert len(high) < len(low)


def test_a_batch_that_grows_beyond_the_limit_is_refused() -> None:
    data = batch(2000, codec=CompressionType.ZSTD)
    rules = ValidationRules(max_message_bytes=len(data), codec=CompressionType.NONE)
    assert answer(data, rules) == ErrorCode.MESSAGE_TOO_LARGE


def test_bombs_are_refused_where_records_are_read() -> None:
    data = BatchBuilder(codec=CompressionType.ZSTD)
    data.append(NOW, b"k", bytes(1 << 22))
    limits = DecompressionLimits(max_bytes=1 << 20, max_ratio=100, free_bytes=1 << 16)
    bomb = data.build()
    assert answer(bytearray(bomb), ValidationRules(requires_keys=True, limits=limits)) == ErrorCode.INVALID_RECORD
    assert answer(bytearray(bomb), ValidationRules(limits=limits)) == ErrorCode.NONE


def shuffled(codec: CompressionType) -> bytearray:
    """A batch whose records have the offset deltas 3, 3, 7, as some old clients sent."""
    section = b"".join(encode_record(at, delta, encode_fields(b"k%d" % at, b"v")) for at, delta in enumerate((3, 3, 7)))
    header = read_header(batch(3))
    return assemble(header._replace(attributes=codec), compress(codec, section))


def test_inner_offsets_of_compressed_batches_are_put_right() -> None:
    header, taken = validate_produce(shuffled(CompressionType.SNAPPY), COMPACTED, NOW)
    records = list(iter_records(taken, 0, header))
    assert [(record.offset, record.key, record.timestamp) for record in records] == [
        (0, b"k0", NOW),
        (1, b"k1", NOW + 1),
        (2, b"k2", NOW + 2),
    ]
    assert header.compression == CompressionType.SNAPPY
    check_crc(taken, 0, header)


def test_a_wrong_largest_timestamp_is_put_right_where_records_are_read() -> None:
    data = changed(batch(3), max_timestamp=NOW - 500)
    header, taken = validate_produce(data, COMPACTED, NOW)
    assert header.max_timestamp == NOW + 2
    check_crc(taken, 0, header)


def test_every_refused_record_is_named() -> None:
    builder = BatchBuilder()
    builder.append(NOW, b"k", b"fine")
    builder.append(NOW, None, b"no key")
    builder.append(NOW, b"k", b"fine")
    builder.append(NOW, None, b"no key")
    with pytest.raises(RecordValidationError) as error:
        validate_produce(builder.build(), COMPACTED, NOW)
    assert error.value.code == ErrorCode.INVALID_RECORD
    assert [record_error.batch_index for record_error in error.value.record_errors] == [1, 3]
    assert all(record_error.message for record_error in error.value.record_errors)


def test_a_wrong_timestamp_among_other_faults_gives_the_code() -> None:
    builder = BatchBuilder()
    builder.append(NOW, None, b"no key")
    builder.append(NOW - 5000, b"k", b"too old")
    with pytest.raises(RecordValidationError) as error:
        validate_produce(builder.build(), ValidationRules(requires_keys=True, timestamp_before_max_ms=1000), NOW)
    assert error.value.code == ErrorCode.INVALID_TIMESTAMP
    assert [record_error.batch_index for record_error in error.value.record_errors] == [0, 1]


@pytest.mark.parametrize("rules", [PLAIN, COMPACTED, WINDOW, APPEND_TIME, GZIP])
def test_every_truncation_is_answered(rules: ValidationRules) -> None:
    data = batch(3)
    for size in range(len(data)):
        assert answer(data[:size], rules) == ErrorCode.INVALID_RECORD, size


@pytest.mark.parametrize("rules", [PLAIN, COMPACTED, WINDOW, APPEND_TIME, GZIP])
@pytest.mark.parametrize("codec", [CompressionType.NONE, CompressionType.LZ4])
def test_every_flipped_bit_is_refused(rules: ValidationRules, codec: CompressionType) -> None:
    data = batch(3, codec=codec)
    for position in range(len(data)):
        for bit in range(8):
            flipped = with_byte(data, position, data[position] ^ 1 << bit)
            # The leader epoch is the broker's to write; nothing covers it.
            is_free = 12 <= position < 16
            assert (answer(flipped, rules) == ErrorCode.NONE) == is_free, (position, bit)


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_garbage_raises_nothing_else(data: bytes) -> None:
    assert answer(bytearray(data), COMPACTED) != ErrorCode.NONE


@settings(deadline=None)
@given(
    st.integers(0, 2**15 - 1),
    st.integers(-1, 4),
    st.integers(-(2**63), 2**63 - 1),
    st.integers(-(2**63), 2**63 - 1),
    st.integers(-1, 4),
    st.binary(max_size=40),
    st.sampled_from([PLAIN, COMPACTED, WINDOW, APPEND_TIME, GZIP]),
)
def test_any_header_with_a_right_crc_raises_nothing_else(
    attributes: int,
    last_offset_delta: int,
    base_timestamp: int,
    max_timestamp: int,
    record_count: int,
    section: bytes,
    rules: ValidationRules,
) -> None:
    header = read_header(batch())._replace(
        attributes=attributes,
        last_offset_delta=last_offset_delta,
        base_timestamp=base_timestamp,
        max_timestamp=max_timestamp,
        record_count=record_count,
    )
    for records in (section, bytes(batch(4)[61:])):
        data = assemble(header, records)
        if answer(data, rules) == ErrorCode.NONE:
            check_crc(data, 0, read_header(data))


def test_a_readable_batch_at_the_edge_of_time_is_answered() -> None:
    """Base and delta that together have more than 64 bits must not reach the header's fields."""
    section = encode_record(2**63 - 1, 0, encode_fields(b"k", b"v"))
    data = assemble(read_header(batch())._replace(base_timestamp=NOW, max_timestamp=NOW), section)
    assert answer(data, COMPACTED) in (ErrorCode.INVALID_RECORD, ErrorCode.INVALID_TIMESTAMP)
    rules = ValidationRules(requires_keys=True, timestamp_after_max_ms=2**63 - 1)
    assert answer(data, rules) == ErrorCode.INVALID_RECORD
