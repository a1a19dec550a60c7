"""Records: round trips, the same bytes and readings as other clients, and strictness in every byte."""

from __future__ import annotations

import struct
import warnings

import pytest
from aiokafka.record.default_records import DefaultRecordBatch as AiokafkaReader
from aiokafka.record.default_records import DefaultRecordBatchBuilder as AiokafkaBuilder
from hypothesis import given, settings
from hypothesis import strategies as st

from kwire.errors import BrokerError, ErrorCode
from kwire.records.batch import TRANSACTIONAL_FLAG, check_crc, patch_offsets, read_header
from kwire.records.builder import BatchBuilder, assemble, encode_fields, encode_record
from kwire.records.compression import CompressionType, DecompressionLimits, compress
from kwire.records.record import (
    Record,
    iter_records,
    iter_spans,
    iter_timestamps,
    read_section,
    search_timestamp,
)

with warnings.catch_warnings():
    # Importing kafka-python reads its schemas with a function that Python 3.11 deprecates.
    warnings.simplefilter("ignore", DeprecationWarning)
    from kafka.record.default_records import DefaultRecordBatch as KafkaPythonReader
    from kafka.record.default_records import DefaultRecordBatchBuilder as KafkaPythonBuilder

NOW = 1_700_000_000_000

optional_bytes = st.none() | st.binary(max_size=20) | st.integers(60, 9000).map(bytes)
header_lists = st.lists(st.tuples(st.text(max_size=5), st.none() | st.binary(max_size=70)), max_size=3)
timestamps = st.integers(-1, NOW) | st.integers(NOW - 100, NOW + 10_000)
payloads = st.lists(st.tuples(timestamps, optional_bytes, optional_bytes, header_lists), min_size=1, max_size=8)
codecs = st.sampled_from(list(CompressionType))
Payload = tuple[int, bytes | None, bytes | None, list[tuple[str, bytes | None]]]

every_foreign_builder = pytest.mark.parametrize("foreign", [KafkaPythonBuilder, AiokafkaBuilder])
every_foreign_reader = pytest.mark.parametrize("foreign", [KafkaPythonReader, AiokafkaReader])
every_codec = pytest.mark.parametrize("codec", list(CompressionType))


def build(payload: list[Payload], **settings: object) -> bytearray:
    builder = BatchBuilder(**settings)
    for timestamp, key, value, headers in payload:
        builder.append(timestamp, key, value, headers)
    return builder.build()


def expected(payload: list[Payload], base_offset: int = 0) -> list[Record]:
    return [
        Record(base_offset + at, timestamp, key, value, tuple(headers))
        for at, (timestamp, key, value, headers) in enumerate(payload)
    ]


def outcome(batch: bytes | bytearray) -> list[Record] | ErrorCode:
    """What every reader makes of a batch: the records, or the code it was refused with. Nothing else may escape."""
    try:
        header = read_header(batch)
        records = list(iter_records(batch, 0, header))
        list(iter_timestamps(read_section(batch, 0, header), header))
    except BrokerError as error:
        return error.code
    return records


@settings(deadline=None)
@given(payloads, codecs, st.integers(0, 2**62), st.integers(0, 5))
def test_round_trip(payload: list[Payload], codec: CompressionType, base_offset: int, position: int) -> None:
    batch = build(payload, base_offset=base_offset, codec=codec)
    buffer = memoryview(bytes(position) + batch + b"behind")
    header = read_header(buffer, position)
    check_crc(buffer, position, header)
    records = expected(payload, base_offset)
    assert list(iter_records(buffer, position, header)) == records
    section = read_section(buffer, position, header)
    assert list(iter_timestamps(section, header)) == [(record.offset, record.timestamp) for record in records]
    spans = list(iter_spans(section, header))
    assert [(span.key, span.is_tombstone, span.offset_delta) for span in spans] == [
        (record.key, record.value is None, at) for at, record in enumerate(records)
    ]
    assert header.max_timestamp == max(record.timestamp for record in records)
    assert header.base_timestamp == records[0].timestamp
    assert (header.record_count, header.last_offset) == (len(records), records[-1].offset)


@settings(deadline=None)
@given(payloads)
def test_spans_rebuild_the_section(payload: list[Payload]) -> None:
    batch = build(payload)
    header = read_header(batch)
    section = read_section(batch, 0, header)
    spans = list(iter_spans(section, header))
    assert b"".join(section[span.start : span.end] for span in spans) == section
    assert section == b"".join(
        encode_record(span.timestamp_delta, span.offset_delta, section[span.fields_start : span.end]) for span in spans
    )
    assert [section[span.fields_start : span.end] for span in spans] == [
        encode_fields(key, value, headers) for _, key, value, headers in payload
    ]


@every_foreign_builder
@settings(deadline=None)
@given(payload=payloads, with_producer=st.booleans())
def test_same_bytes_as_other_clients(foreign: type, payload: list[Payload], with_producer: bool) -> None:
    # aiokafka takes a first timestamp of -1 for "not set yet" and the second as the base.
    payload = [(max(timestamp, 0), key, value, headers) for timestamp, key, value, headers in payload]
    producer = (12345, 7, 99) if with_producer else (-1, -1, -1)
    theirs = foreign(2, 0, int(with_producer), *producer, 1 << 30)
    for at, (timestamp, key, value, headers) in enumerate(payload):
        theirs.append(at, timestamp, key, value, headers)
    built = bytearray(theirs.build())
    ours = build(
        payload,
        flags=TRANSACTIONAL_FLAG if with_producer else 0,
        producer_id=producer[0],
        producer_epoch=producer[1],
        base_sequence=producer[2],
    )
    # The leader epoch is the broker's to fill in; aiokafka sends 0 there.
    patch_offsets(built, 0, 0, -1)
    assert ours == built


@every_codec
@every_foreign_builder
def test_compressed_batches_of_other_clients_are_read(foreign: type, codec: CompressionType) -> None:
    payload: list[Payload] = [(NOW + at, b"key", bytes(500), [("h", b"v")]) for at in range(300)]
    theirs = foreign(2, int(codec), 0, -1, -1, -1, 1 << 30)
    for at, (timestamp, key, value, headers) in enumerate(payload):
        theirs.append(at, timestamp, key, value, headers)
    batch = bytes(theirs.build())
    assert read_header(batch).compression == codec
    assert outcome(batch) == expected(payload)


@every_codec
@every_foreign_reader
def test_other_clients_read_our_batches(foreign: type, codec: CompressionType) -> None:
    payload: list[Payload] = [
        (NOW + 3, b"key", b"value" * 40_000, []),
        (NOW, None, b"", [("h", b"1"), ("h", None), ("ü", b"")]),
        (NOW + 1, b"", None, []),
    ]
    theirs = foreign(build(payload, codec=codec, base_offset=9))
    assert theirs.validate_crc()
    assert [
        Record(record.offset, record.timestamp, record.key, record.value, tuple(record.headers)) for record in theirs
    ] == expected(payload, 9)


def test_log_append_time_is_that_of_every_record() -> None:
    payload: list[Payload] = [(5, b"a", b"b", []), (1, b"a", b"b", [])]
    batch = build(payload, log_append_time=NOW)
    header = read_header(batch)
    assert [record.timestamp for record in iter_records(batch, 0, header)] == [NOW, NOW]
    assert [timestamp for _, timestamp in iter_timestamps(read_section(batch, 0, header), header)] == [NOW, NOW]


def test_header_keys_that_are_not_utf8_survive() -> None:
    fields = encode_fields(None, None, ())[:-1] + b"\x02\x04\xff\xfe\x02v"
    batch = assemble(read_header(build([(1, None, None, [])])), encode_record(0, 0, fields))
    (record,) = iter_records(batch, 0, read_header(batch))
    assert record.headers == (("\udcff\udcfe", b"v"),)
    assert encode_fields(record.key, record.value, record.headers) == fields


# --- strictness -------------------------------------------------------------------------------------------------------

SAMPLE: list[Payload] = [
    (NOW, b"key", b"value", [("name", b"content"), ("none", None)]),
    (NOW + 70, None, b"x" * 70, []),
    (NOW - 1, b"k", None, [("", b"")]),
]


@every_codec
def test_every_truncation_of_a_batch_is_refused(codec: CompressionType) -> None:
    batch = build(SAMPLE, codec=codec)
    for size in range(len(batch)):
        assert outcome(batch[:size]) == ErrorCode.CORRUPT_MESSAGE, size


def test_every_truncation_of_the_records_is_refused() -> None:
    batch = build(SAMPLE)
    header, section = read_header(batch), bytes(batch[61:])
    for size in range(len(section)):
        assert outcome(assemble(header, section[:size])) == ErrorCode.INVALID_RECORD, size
    assert outcome(assemble(header, section + b"\0")) == ErrorCode.INVALID_RECORD


@every_codec
def test_every_flipped_bit_is_noticed(codec: CompressionType) -> None:
    batch = build(SAMPLE, codec=codec)
    for position in range(16, len(batch)):
        for bit in range(8):
            flipped = bytearray(batch)
            flipped[position] ^= 1 << bit
            with pytest.raises(BrokerError):
                check_crc(flipped, 0, read_header(flipped))


@every_codec
def test_flipped_bits_past_the_crc_raise_nothing_else(codec: CompressionType) -> None:
    batch = build(SAMPLE, codec=codec)
    refused = 0
    for position in range(len(batch)):
        for bit in range(8):
            flipped = bytearray(batch)
            flipped[position] ^= 1 << bit
            result = outcome(flipped)
            assert isinstance(result, list) or result in (
                ErrorCode.CORRUPT_MESSAGE,
                ErrorCode.INVALID_RECORD,
                ErrorCode.UNSUPPORTED_COMPRESSION_TYPE,
                ErrorCode.UNSUPPORTED_FOR_MESSAGE_FORMAT,
            )
            refused += not isinstance(result, list)
    assert refused > 100


@settings(deadline=None)
@given(st.binary(max_size=60), st.integers(-2, 4))
def test_garbage_for_records_raises_nothing_else(section: bytes, count: int) -> None:
    batch = assemble(read_header(build(SAMPLE))._replace(record_count=count), section)
    result = outcome(batch)
    assert isinstance(result, list) or result == ErrorCode.INVALID_RECORD


def record_with(**lengths: bytes) -> bytes:
    """One record, every varint of which can be replaced by other bytes."""
    body = b"\x00" + lengths.get("timestamp", b"\x00") + lengths.get("offset", b"\x00")
    body += lengths.get("key", b"\x02") + b"k"
    body += lengths.get("value", b"\x02") + b"v"
    body += lengths.get("headers", b"\x02") + lengths.get("header_key", b"\x02") + b"h"
    body += lengths.get("header_value", b"\x02") + b"d"
    return lengths.get("length", struct.pack("B", len(body) * 2)) + body


@pytest.mark.parametrize("field", ["length", "key", "value", "headers", "header_key", "header_value"])
@pytest.mark.parametrize(
    "encoded",
    ["01", "03", "04", "7e", "7f", "8001", "feffffff0f", "ffffffff0f", "ffffffffff", "ffffffff1f", "8080808000"],
)
def test_every_wrong_length_is_refused(field: str, encoded: str) -> None:
    header = read_header(build([(NOW, b"k", b"v", [])]))
    assert outcome(assemble(header, record_with())) == [Record(0, NOW, b"k", b"v", (("h", b"d"),))]
    wrong = assemble(header, record_with(**{field: bytes.fromhex(encoded)}))
    assert outcome(wrong) == ErrorCode.INVALID_RECORD


@pytest.mark.parametrize("count", [-1, -(2**31), 0, 2, 2**31 - 1])
def test_a_wrong_count_is_refused(count: int) -> None:
    header = read_header(build([(NOW, b"k", b"v", [])]))
    assert outcome(assemble(header._replace(record_count=count), record_with())) == ErrorCode.INVALID_RECORD


def test_a_timestamp_beyond_64_bits_is_refused() -> None:
    header = read_header(build([(NOW, b"k", b"v", [])]))
    largest = bytes.fromhex("feffffffffffffffff01")
    assert outcome(assemble(header, record_with(timestamp=largest))) == ErrorCode.INVALID_RECORD
    # One that fits with its base is a timestamp like any other.
    assert outcome(assemble(header._replace(base_timestamp=0), record_with(timestamp=largest))) == [
        Record(0, 2**63 - 1, b"k", b"v", (("h", b"d"),))
    ]


def test_decompression_is_capped() -> None:
    batch = build([(NOW, None, bytes(1 << 20), [])], codec=CompressionType.ZSTD)
    header = read_header(batch)
    limits = DecompressionLimits(max_bytes=1 << 19, max_ratio=10, free_bytes=0)
    with pytest.raises(BrokerError) as error:
        list(iter_records(batch, 0, header, limits))
    assert error.value.code == ErrorCode.INVALID_RECORD


def test_an_unknown_codec_is_refused() -> None:
    batch = build(SAMPLE)
    for codec in (5, 6, 7):
        changed = assemble(read_header(batch)._replace(attributes=codec), bytes(batch[61:]))
        assert outcome(changed) == ErrorCode.UNSUPPORTED_COMPRESSION_TYPE


def test_bytes_behind_the_compressed_records_are_refused() -> None:
    batch = build(SAMPLE)
    section = compress(CompressionType.GZIP, bytes(batch[61:]) + b"\0")
    assert outcome(assemble(read_header(batch)._replace(attributes=1), section)) == ErrorCode.INVALID_RECORD


# --- search -----------------------------------------------------------------------------------------------------------


@settings(deadline=None)
@given(payloads, codecs, st.integers(-2, NOW + 20_000), st.integers(0, 12))
def test_search_by_timestamp_finds_the_first(
    payload: list[Payload], codec: CompressionType, timestamp: int, starting_offset: int
) -> None:
    batch = build(payload, codec=codec, base_offset=2)
    found = search_timestamp(batch, 0, read_header(batch), timestamp, starting_offset)
    matches = [
        (record.offset, record.timestamp)
        for record in expected(payload, 2)
        if record.timestamp >= timestamp and record.offset >= starting_offset
    ]
    assert found == (matches[0] if matches else None)
