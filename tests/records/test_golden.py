"""Batches that Apache Kafka wrote, and Apache Kafka's reading of ours.

Golden files: tests/records/golden (see its README). The other direction runs Java with Apache Kafka 4.3's jars.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from kwire.records.batch import TRANSACTIONAL_FLAG, check_crc, iter_batches, read_header
from kwire.records.builder import BatchBuilder, empty_batch
from kwire.records.compression import LEVELS, CompressionType
from kwire.records.control import ControlType, EndTransactionMarker, build_marker, read_marker
from kwire.records.record import Record, iter_records, iter_timestamps, read_section

HERE = Path(__file__).parent
GOLDEN = HERE / "golden"
CODECS = [codec.name.lower() for codec in CompressionType]
PRODUCER_ID = 4_000_000_001

FEW: list[Record] = [
    Record(42, 1700000000000, b"key", b"value", ()),
    Record(43, 1699999999000, None, b"no key", ()),
    Record(44, 1700000100000, b"tombstone", None, ()),
    Record(45, 1700000000001, b"", b"", (("h", b"1"), ("h", b"2"), ("null", None), ("", b""), ("ü世", b"unicode"))),
    Record(46, 1700000000002, b"long", bytes(300), ()),
]


def many_records() -> list[Record]:
    """The 500 records of WriteGolden.many, from the same generator of numbers."""
    state = 1
    records: list[Record] = []
    for number in range(500):
        value = bytearray()
        for _ in range(400):
            state = (state * 1103515245 + 12345) & 0xFFFFFFFF
            value.append((state >> 16 if number % 5 == 0 else number) & 0xFF)
        records.append(Record(42 + number, 1700000000000 + number * 7, b"key-%d" % number, bytes(value), ()))
    return records


MANY = many_records()


def build(records: list[Record], **settings: object) -> bytes:
    builder = BatchBuilder(base_offset=42, leader_epoch=5, **settings)
    for record in records:
        builder.append(record.timestamp, record.key, record.value, record.headers)
    return bytes(builder.build())


OURS: dict[str, bytes] = {
    **{f"few-{codec.name.lower()}": build(FEW, codec=codec) for codec in CompressionType},
    **{f"many-{codec.name.lower()}": build(MANY, codec=codec) for codec in CompressionType if codec},
    **{
        f"few-{codec.name.lower()}-level-{levels.maximum}": build(FEW, codec=codec, level=levels.maximum)
        for codec, levels in LEVELS.items()
    },
    "log-append-time": build(FEW, log_append_time=1700000999999),
    "delete-horizon": build(FEW, delete_horizon_ms=1700086400000),
    "transactional": build(
        FEW, flags=TRANSACTIONAL_FLAG, producer_id=PRODUCER_ID, producer_epoch=3, base_sequence=2147483646
    ),
    "commit": bytes(
        build_marker(
            EndTransactionMarker(ControlType.COMMIT, 9),
            producer_id=PRODUCER_ID,
            producer_epoch=3,
            timestamp=1700000000000,
            base_offset=42,
            leader_epoch=5,
        )
    ),
    "abort": bytes(
        build_marker(
            EndTransactionMarker(ControlType.ABORT, 9),
            producer_id=PRODUCER_ID,
            producer_epoch=3,
            timestamp=1700000000000,
            base_offset=42,
            leader_epoch=5,
        )
    ),
    "empty": bytes(
        empty_batch(
            read_header(
                build(
                    [Record(42, 1700000000000, b"k", b"v", ())],
                    flags=TRANSACTIONAL_FLAG,
                    producer_id=PRODUCER_ID,
                    producer_epoch=3,
                    base_sequence=17,
                )
            )._replace(last_offset_delta=8)
        )
    ),
}
RECORDS = {
    name: MANY
    if name.startswith("many")
    else [record._replace(timestamp=1700000999999) for record in FEW]
    if name == "log-append-time"
    else FEW
    for name in OURS
    if name not in ("commit", "abort", "empty")
}


def test_every_golden_file_is_accounted_for() -> None:
    assert {path.stem for path in GOLDEN.glob("*.batch")} == set(OURS)


@pytest.mark.parametrize("name", OURS)
def test_kafka_and_we_write_the_same(name: str) -> None:
    golden = (GOLDEN / f"{name}.batch").read_bytes()
    header, ours = read_header(golden), read_header(OURS[name])
    check_crc(golden, 0, header)
    assert list(iter_batches(golden)) == [(0, header)]
    if header.compression:
        # The same stream may be compressed differently by another version of a library.
        assert ours._replace(batch_length=0, crc=0) == header._replace(batch_length=0, crc=0)
        assert read_section(OURS[name], 0, ours) == read_section(golden, 0, header)
    else:
        assert OURS[name] == golden


@pytest.mark.parametrize("name", RECORDS)
def test_records_are_read_as_they_were_written(name: str) -> None:
    golden = (GOLDEN / f"{name}.batch").read_bytes()
    header = read_header(golden)
    assert list(iter_records(golden, 0, header)) == RECORDS[name]
    assert list(iter_timestamps(read_section(golden, 0, header), header)) == [
        (record.offset, record.timestamp) for record in RECORDS[name]
    ]


@pytest.mark.parametrize(("name", "control_type"), [("commit", ControlType.COMMIT), ("abort", ControlType.ABORT)])
def test_markers_are_read(name: str, control_type: ControlType) -> None:
    golden = (GOLDEN / f"{name}.batch").read_bytes()
    header = read_header(golden)
    assert (header.is_control, header.is_transactional, header.base_sequence) == (True, True, -1)
    assert read_marker(golden, 0, header) == EndTransactionMarker(control_type, 9)


def test_an_empty_batch_has_no_records() -> None:
    golden = (GOLDEN / "empty.batch").read_bytes()
    header = read_header(golden)
    assert (header.base_offset, header.last_offset, header.last_sequence) == (42, 50, 25)
    assert list(iter_records(golden, 0, header)) == []
    assert read_marker(golden, 0, header) is None


def text(content: bytes | None) -> str:
    return "null" if content is None else "x" + content.hex()


def expected_lines(name: str, batch: bytes) -> list[str]:
    """What DecodeBatches.java prints for a batch, from our own reading of it."""
    header = read_header(batch)
    fields = (
        name,
        header.base_offset,
        header.last_offset,
        header.leader_epoch,
        CODECS[header.compression],
        "LogAppendTime" if header.is_log_append_time else "CreateTime",
        header.max_timestamp,
        header.producer_id,
        header.producer_epoch,
        header.last_sequence,
        str(header.is_transactional).lower(),
        str(header.is_control).lower(),
        "none" if header.delete_horizon_ms is None else header.delete_horizon_ms,
    )
    lines = [" ".join(map(str, ("batch", *fields)))]
    for record in iter_records(batch, 0, header):
        headers = "".join(f" {text(key.encode())}={text(value)}" for key, value in record.headers)
        lines.append(f"record {record.offset} {record.timestamp} {text(record.key)} {text(record.value)}{headers}")
    return lines


def test_kafka_reads_what_we_write(tmp_path: Path, kafka_libs: Path) -> None:
    for name, batch in OURS.items():
        (tmp_path / name).write_bytes(batch)
    run = subprocess.run(
        ["java", "-cp", f"{kafka_libs}/*", str(HERE / "java" / "DecodeBatches.java"), str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines() == [line for name in sorted(OURS) for line in expected_lines(name, OURS[name])]
