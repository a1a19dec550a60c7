"""`kwire dump-log` on files made here, sound and broken. That its lines are Kafka's is shown in test_cli_on_kafka."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kwire.cli.main import main
from kwire.records.batch import TRANSACTIONAL_FLAG
from kwire.records.builder import BatchBuilder
from kwire.records.compression import CompressionType
from kwire.records.control import ControlType, EndTransactionMarker, build_marker
from kwire.storage.producer_snapshots import encode_snapshot
from kwire.storage.producer_state import BatchMetadata, ProducerState

NAME = "00000000000000000100"


def dump(*args: object) -> Result:
    return CliRunner().invoke(main, ["dump-log", *map(str, args)])


def batch(base_offset: int, *values: bytes | None) -> bytes:
    builder = BatchBuilder(
        base_offset=base_offset,
        leader_epoch=2,
        codec=CompressionType.ZSTD,
        flags=TRANSACTIONAL_FLAG,
        producer_id=7,
        producer_epoch=1,
        base_sequence=40,
    )
    for value in values:
        builder.append(1000, b"\xff", value, [("h", b"1"), ("i", None)])
    return bytes(builder.build())


@pytest.fixture
def log(tmp_path: Path) -> Path:
    marker = build_marker(
        EndTransactionMarker(ControlType.ABORT, 3),
        producer_id=7,
        producer_epoch=1,
        timestamp=1001,
        base_offset=102,
        leader_epoch=2,
    )
    path = tmp_path / f"{NAME}.log"
    path.write_bytes(batch(100, b"one", None) + bytes(marker))
    return path


def test_batches(log: Path) -> None:
    result = dump(log)
    assert result.exit_code == 0
    head, starting, first, second = result.stdout.splitlines()
    assert (head, starting) == (f"Dumping {log}", "Log starting offset: 100")
    assert first.startswith(
        "baseOffset: 100 lastOffset: 101 count: 2 baseSequence: 40 lastSequence: 41 producerId: 7 producerEpoch: 1 "
        "partitionLeaderEpoch: 2 isTransactional: true isControl: false deleteHorizonMs: OptionalLong.empty "
        "position: 0 CreateTime: 1000 size: "
    )
    assert " magic: 2 compresscodec: zstd crc: " in first
    assert first.endswith(" isvalid: true")
    assert second.startswith("baseOffset: 102 ")


def test_records_and_their_data(log: Path) -> None:
    deep = dump(log, "--deep").stdout.splitlines()
    assert deep[3:5] == [
        "| offset: 100 CreateTime: 1000 keySize: 1 valueSize: 3 sequence: 40 headerKeys: [h,i]",
        "| offset: 101 CreateTime: 1000 keySize: 1 valueSize: -1 sequence: 41 headerKeys: [h,i]",
    ]
    assert deep[6] == (
        "| offset: 102 CreateTime: 1001 keySize: 4 valueSize: 6 sequence: -1 headerKeys: []"
        " endTxnMarker: ABORT coordinatorEpoch: 3"
    )
    data = dump(log, "--print-data").stdout_bytes.splitlines()
    assert data[3].endswith(b"headerKeys: [h,i] key: \xff payload: one")
    assert data[4].endswith(b"headerKeys: [h,i] key: \xff")


def test_json(log: Path) -> None:
    rows = [json.loads(line) for line in dump(log, "--json", "--print-data").stdout.splitlines()]
    assert [row["kind"] for row in rows] == ["batch", "record", "record", "batch", "record"]
    assert {row["file"] for row in rows} == {str(log)}
    assert (rows[0]["baseOffset"], rows[0]["deleteHorizonMs"], rows[0]["isvalid"]) == (100, None, True)
    assert (rows[1]["key_base64"], rows[1]["payload"], rows[1]["headerKeys"]) == ("/w==", "one", ["h", "i"])


def test_only_so_many_bytes(log: Path) -> None:
    assert len(dump(log, "--max-bytes", 1).stdout.splitlines()) == 3


def test_an_empty_segment_has_nothing_to_show(tmp_path: Path) -> None:
    (tmp_path / f"{NAME}.log").touch()
    result = dump(tmp_path)
    assert (result.exit_code, len(result.stdout.splitlines())) == (0, 2)


def test_a_batch_with_a_wrong_checksum_is_shown_and_told(log: Path) -> None:
    data = bytearray(log.read_bytes())
    data[70] ^= 1
    log.write_bytes(data)
    result = dump(log, "--deep")
    assert result.exit_code == 1
    assert "isvalid: false" in result.stdout
    assert "isvalid: true" in result.stdout  # and what comes behind it is shown all the same
    told = result.stderr.splitlines()
    assert told[0].startswith(f"kwire: {log}: batch at position 0: CRC-32C is ")
    assert told[1] == "kwire: faults found: 1"


@pytest.mark.parametrize(
    ("tail", "reason"),
    [
        (batch(103, b"x")[:-1], "a batch that is cut off"),
        (batch(103, b"x")[:50], "a batch header is 61 bytes, there are 50"),
        (bytes(100), "unknown magic 0"),
        (b"\xff" * 100, "unknown magic -1"),
    ],
    ids=["cut off", "part of a header", "zeros", "ones"],
)
def test_bytes_at_the_end_that_are_no_batch(log: Path, tail: bytes, reason: str) -> None:
    log.write_bytes(log.read_bytes() + tail)
    result = dump(log)
    assert result.exit_code == 1
    assert f"found {len(tail)} invalid bytes at the end: " in result.stderr
    assert reason in result.stderr
    assert len(result.stdout.splitlines()) == 4


def test_offsets_that_go_back_are_told(log: Path) -> None:
    log.write_bytes(log.read_bytes() + batch(100, b"again"))
    result = dump(log)
    assert result.exit_code == 1
    assert "offset 100 at position" in result.stderr


def test_the_offset_index_is_compared_with_its_log(log: Path) -> None:
    second = len(batch(100, b"one", None))
    index = log.with_suffix(".index")
    index.write_bytes(struct.pack(">ii", 2, second) + bytes(16))  # and two entries that are kept free
    result = dump(index)
    assert (result.exit_code, result.stdout) == (0, f"Dumping {index}\noffset: 102 position: {second}\n")
    index.write_bytes(struct.pack(">iiii", 1, second, 5, second) + b"odd")
    result = dump(index)
    assert result.exit_code == 1
    assert [line.split(": ", 2)[2] for line in result.stderr.splitlines()[:-1]] == [
        f"index offset 101 at position {second}, log offset 102",
        f"entry 105 -> {second} does not ascend",
        f"index offset 105 at position {second}, log offset 102",
        "19 bytes are no whole number of entries of 8",
    ]
    log.unlink()
    assert "log offset" not in dump(index).stderr


def test_time_and_transaction_indexes(tmp_path: Path) -> None:
    time_index = tmp_path / f"{NAME}.timeindex"
    time_index.write_bytes(struct.pack(">qiqi", 1000, 2, 900, 5) + bytes(12))
    result = dump(time_index)
    assert result.stdout.splitlines()[1:] == ["timestamp: 1000 offset: 102", "timestamp: 900 offset: 105"]
    assert "entry 900 -> 105 does not ascend" in result.stderr
    transactions = tmp_path / f"{NAME}.txnindex"
    transactions.write_bytes(struct.pack(">hqqqq", 0, 7, 100, 102, 103) + struct.pack(">hqqqq", 5, 7, 1, 2, 3))
    result = dump(transactions)
    assert result.stdout.splitlines()[1] == (
        "version: 0 producerId: 7 firstOffset: 100 lastOffset: 102 lastStableOffset: 103"
    )
    assert "version 5 is not known" in result.stderr


def test_producer_snapshots(tmp_path: Path) -> None:
    path = tmp_path / f"{NAME}.snapshot"
    busy = ProducerState(7, 1, 3, 1000, 100)
    busy.batches.append(BatchMetadata(1, 102, 4, 1000))
    path.write_bytes(encode_snapshot([busy, ProducerState(8)]))
    first, second = dump(path).stdout.splitlines()[1:]
    assert first == (
        "producerId: 7 producerEpoch: 1 coordinatorEpoch: 3 currentTxnFirstOffset: OptionalLong[100]"
        " lastTimestamp: 1000 firstSequence: 2147483645 lastSequence: 1 lastOffset: 102 offsetDelta: 4 timestamp: 1000"
    )
    assert second == (
        "producerId: 8 producerEpoch: -1 coordinatorEpoch: -1 currentTxnFirstOffset: OptionalLong.empty"
        " lastTimestamp: -1"
    )
    path.write_bytes(path.read_bytes()[:-1])
    result = dump(path)
    assert result.exit_code == 1
    assert "CRC-32C" in result.stderr


def test_epochs_and_checkpoints(tmp_path: Path) -> None:
    epochs = tmp_path / "leader-epoch-checkpoint"
    epochs.write_text("0\n2\n0 0\n3 4711\n")
    assert dump(epochs).stdout.splitlines()[1:] == [
        "leaderEpoch: 0 startOffset: 0",
        "leaderEpoch: 3 startOffset: 4711",
    ]
    offsets = tmp_path / "replication-offset-checkpoint"
    offsets.write_text("0\n1\norders 3 17\n")
    assert dump(offsets).stdout.splitlines()[1:] == ["topic: orders partition: 3 offset: 17"]
    offsets.write_text("0\n2\norders 3 17\n")
    result = dump(offsets)
    assert result.exit_code == 1
    assert "line 3: 2 entries expected, 1 found" in result.stderr


def test_of_a_directory_every_file_of_a_log_is_shown(log: Path) -> None:
    for name in (f"{NAME}.index.deleted", "leader-epoch-checkpoint", "partition.metadata", "README"):
        (log.parent / name).touch()
    (log.parent / f"{NAME}.timeindex").mkdir()
    shown = [line.rpartition("/")[2] for line in dump(log.parent).stdout.splitlines() if line.startswith("Dumping")]
    assert shown == [f"{NAME}.index.deleted", f"{NAME}.log", "leader-epoch-checkpoint"]


@pytest.mark.parametrize("name", ["notes.txt", "build.log", "123.index"])
def test_a_file_of_another_kind_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).touch()
    result = dump(tmp_path / name)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"kwire: {tmp_path}/{name}: not a file of a log (")
