"""Directories that we wrote, as Kafka's DumpLogSegments sees them: batches, records, index entries, snapshots."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from dump_log import Dump, FileDump, dump_log_segments
from kwire.records.batch import TRANSACTIONAL_FLAG
from kwire.records.compression import CompressionType
from kwire.records.control import ControlType, EndTransactionMarker
from kwire.storage.checkpoints import TopicPartition
from kwire.storage.log import Log
from kwire.storage.log_config import LogConfig
from kwire.storage.offset_map import OffsetMap
from kwire.testing.apache_kafka import ApacheKafkaError
from real_logs import Fields, batch_of, open_logs

NOW = 1_700_000_000_000
INTERVAL_BYTES = 300
DELETES = LogConfig(segment_bytes=4000, index_interval_bytes=INTERVAL_BYTES, segment_index_bytes=1200)
COMPACTS = LogConfig(
    segment_bytes=4000,
    index_interval_bytes=INTERVAL_BYTES,
    segment_index_bytes=1200,
    cleanup_policy=frozenset({"compact"}),
)
TOPIC_ID = bytes(range(16))

Row = dict[str, str]


@dataclass
class Written:
    """A log, and what the tool is to print of it."""

    log: Log
    batches: list[Row] = field(default_factory=list)
    records: list[Row] = field(default_factory=list)
    leader_epoch: int = 0

    def append(
        self,
        records: list[Fields],
        *,
        codec: CompressionType = CompressionType.NONE,
        producer: tuple[int, int, int] = (-1, -1, -1),
        flags: int = 0,
    ) -> None:
        now = NOW + self.log.log_end_offset
        info = self.log.append_as_leader(
            batch_of(records, now, codec=codec, producer=producer, flags=flags), self.leader_epoch, now
        )
        sequence = producer[2]
        self._note(len(records), producer, sequence, flags, codec.name.lower(), now)
        for number, (key, value, headers) in enumerate(records):
            self.records.append(
                {
                    "offset": str(info.first_offset + number),
                    "CreateTime": str(now),
                    "keySize": str(-1 if key is None else len(key)),
                    "valueSize": str(-1 if value is None else len(value)),
                    "sequence": str(sequence + number if sequence >= 0 else -1),
                    "headerKeys": "[" + ",".join(name for name, _ in headers) + "]",
                }
                | ({} if key is None else {"key": key.decode()})
                | ({} if value is None else {"payload": value.decode()})
            )
        self.log.advance_high_watermark(self.log.log_end_offset)

    def end_transaction(self, producer_id: int, epoch: int, control_type: ControlType) -> None:
        now = NOW + self.log.log_end_offset
        info = self.log.append_marker(
            EndTransactionMarker(control_type, 3),
            producer_id=producer_id,
            producer_epoch=epoch,
            leader_epoch=self.leader_epoch,
            transaction_version=1,
            now_ms=now,
        )
        self._note(1, (producer_id, epoch, -1), -1, TRANSACTIONAL_FLAG, "none", now, is_control="true")
        self.records.append(
            {
                "offset": str(info.first_offset),
                "CreateTime": str(now),
                "keySize": "4",
                "valueSize": "6",
                "sequence": "-1",
                "headerKeys": "[]",
                "endTxnMarker": control_type.name,
                "coordinatorEpoch": "3",
            }
        )
        self.log.advance_high_watermark(self.log.log_end_offset)

    def _note(
        self,
        count: int,
        producer: tuple[int, int, int],
        sequence: int,
        flags: int,
        codec: str,
        timestamp: int,
        is_control: str = "false",
    ) -> None:
        end = self.log.log_end_offset
        self.batches.append(
            {
                "baseOffset": str(end - count),
                "lastOffset": str(end - 1),
                "count": str(count),
                "baseSequence": str(sequence),
                "lastSequence": str(sequence + count - 1 if sequence >= 0 else -1),
                "producerId": str(producer[0]),
                "producerEpoch": str(producer[1]),
                "partitionLeaderEpoch": str(self.leader_epoch),
                "isTransactional": "true" if flags & TRANSACTIONAL_FLAG else "false",
                "isControl": is_control,
                "CreateTime": str(timestamp),
                "compresscodec": codec,
                "isvalid": "true",
            }
        )


def fill_plain(written: Written) -> None:
    """Records with and without key, value and headers, under three leader epochs."""
    for number in range(120):
        written.leader_epoch = number // 40 * 2
        headers = (("trace", b"1"), ("empty", None)) if number % 3 == 0 else ()
        written.append([(b"k%d" % number, b"v" * (number % 50), headers), (None, b"keyless", ()), (b"gone", None, ())])


def fill_codecs(written: Written) -> None:
    for number in range(60):
        records: list[Fields] = [(b"key%d" % n, b"%d" % (number * n) * 20, ()) for n in range(number % 7 + 1)]
        written.append(records, codec=CompressionType(number % 5))


def fill_transactions(written: Written) -> None:
    """Three producers at once: one that only is idempotent, one that commits, one that aborts; one stays open."""
    for number in range(60):
        written.append([(b"a", b"idempotent", ())], producer=(11, 0, number))
        written.append([(b"b", b"committed", ())] * 2, producer=(12, 4, number * 2), flags=TRANSACTIONAL_FLAG)
        written.append([(b"c", b"aborted", ())], producer=(13, 1, number), flags=TRANSACTIONAL_FLAG)
        if number % 10 == 4:
            written.end_transaction(12, 4, ControlType.COMMIT)
        if number % 10 == 9:
            written.end_transaction(13, 1, ControlType.ABORT)


def fill_keys(written: Written) -> None:
    """Twenty keys, over and over; some become tombstones; what is aborted must not replace anything."""
    sequence = 0
    for number in range(200):
        written.append([(b"key%d" % (number * 7 % 20), None if number % 31 == 30 else b"value%d" % number, ())])
        if number % 20 == 0:
            records: list[Fields] = [(b"key%d" % (number // 20), b"aborted", ())]
            written.append(records, producer=(21, 0, sequence), flags=TRANSACTIONAL_FLAG)
            sequence += 1
            written.end_transaction(21, 0, ControlType.ABORT)


FILLS = {
    TopicPartition("plain", 0): (DELETES, fill_plain),
    TopicPartition("codecs", 0): (DELETES, fill_codecs),
    TopicPartition("transactions", 0): (DELETES, fill_transactions),
    TopicPartition("compacted", 0): (COMPACTS, fill_keys),
}


@dataclass
class Inspected:
    """What was written, and what the tool has to say."""

    written: dict[str, Written]
    dump: Dump
    cleaned_end: int

    def files(self, topic: str, suffix: str) -> list[tuple[Path, FileDump]]:
        found = self.dump.files.items()
        return [(path, file) for path, file in found if path.parent.name == f"{topic}-0" and path.suffix == suffix]

    def batches(self, topic: str) -> list[Row]:
        return [line for _, file in self.files(topic, ".log") for line in file.lines]

    def records(self, topic: str) -> list[Row]:
        return [record for _, file in self.files(topic, ".log") for record in file.records]


def log_files(directory: Path, *suffixes: str) -> list[Path]:
    return [path for path in sorted(directory.glob("*/*")) if path.suffix in suffixes]


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("written") / "data"


@pytest.fixture(scope="module")
def inspected(directory: Path, kafka_libs: Path) -> Inspected:
    manager = open_logs(directory, NOW)
    written: dict[str, Written] = {}
    for partition, (config, fill) in FILLS.items():
        written[partition.topic] = Written(manager.create(partition, TOPIC_ID, config, NOW))
        fill(written[partition.topic])
    for flush in manager.flushes_due(NOW):
        flush.ticket.sync()
        manager.finish_flushes([flush])
    cleaning = manager.begin_cleaning(OffsetMap(24 * 1000), NOW)
    assert cleaning is not None
    for _ in cleaning.steps():
        pass
    manager.finish_cleaning(cleaning, NOW)
    manager.shutdown(NOW, broker_epoch=1)
    suffixes = (".log", ".index", ".timeindex", ".txnindex", ".snapshot")
    dump = dump_log_segments(kafka_libs, log_files(directory, *suffixes), "--deep-iteration", "--print-data-log")
    return Inspected(written, dump, cleaning.cleaned_offset)


@pytest.mark.parametrize("topic", ["plain", "codecs", "transactions"])
def test_every_batch_and_record_is_there(inspected: Inspected, topic: str) -> None:
    written = inspected.written[topic]
    keys = written.batches[0].keys()
    assert [{key: batch[key] for key in keys} for batch in inspected.batches(topic)] == written.batches
    assert inspected.records(topic) == written.records
    assert len(inspected.files(topic, ".log")) > 2


def test_a_compacted_log_has_the_latest_record_of_every_key(inspected: Inspected) -> None:
    end = inspected.cleaned_end
    written = inspected.written["compacted"].records
    is_cleaned = {row["offset"]: int(row["offset"]) < end for row in written}
    latest = {
        row["key"]: row["offset"]
        for row in written
        if is_cleaned[row["offset"]] and "key" in row and row.get("payload") != "aborted"
    }
    kept = [
        row
        for row in written
        if not is_cleaned[row["offset"]] or "endTxnMarker" in row or latest[row["key"]] == row["offset"]
    ]
    assert inspected.records("compacted") == kept
    assert len(kept) < len(written) / 2
    assert all(batch["isvalid"] == "true" for batch in inspected.batches("compacted"))


def test_the_tool_has_nothing_to_complain_about(inspected: Inspected) -> None:
    assert inspected.dump.complaints == []
    for path, gaps in inspected.dump.gaps.items():
        # The tool starts to count at -1, and so says this of every first batch but that of offset 0.
        if path.parent.name != "compacted-0":
            assert gaps == [(-1, int(path.stem))]


def test_index_entries_point_at_the_batches_they_name(inspected: Inspected) -> None:
    for topic in inspected.written:
        logs = dict(inspected.files(topic, ".log"))
        for path, index in inspected.files(topic, ".index"):
            batches = {batch["lastOffset"]: batch["position"] for batch in logs[path.with_suffix(".log")].lines}
            assert all(batches[entry["offset"]] == entry["position"] for entry in index.lines)
            size = path.with_suffix(".log").stat().st_size
            assert len(index.lines) >= size // (2 * INTERVAL_BYTES) - 1, "entries are as dense as is asked for"


def test_aborted_transactions_are_indexed(inspected: Inspected) -> None:
    rows = [line for _, file in inspected.files("transactions", ".txnindex") for line in file.lines]
    markers = [row["offset"] for row in inspected.written["transactions"].records if "endTxnMarker" in row]
    aborts = markers[1::2]
    assert [row["lastOffset"] for row in rows] == aborts
    assert {row["producerId"] for row in rows} == {"13"}
    written = inspected.written["transactions"].batches
    firsts: list[str] = []
    start = 0
    for abort in map(int, aborts):
        of_producer = (row["baseOffset"] for row in written if row["producerId"] == "13")
        firsts.append(next(offset for offset in of_producer if start <= int(offset) < abort))
        start = abort + 1
    assert [row["firstOffset"] for row in rows] == firsts


def test_the_last_snapshot_has_every_producer(inspected: Inspected) -> None:
    path, snapshot = inspected.files("transactions", ".snapshot")[-1]
    log = inspected.written["transactions"].log
    assert int(path.stem) == log.log_end_offset
    batches = inspected.written["transactions"].batches
    found = {row["producerId"]: row for row in snapshot.lines}
    assert found.keys() == {"11", "12", "13"}
    for producer_id, row in found.items():
        last = next(b for b in reversed(batches) if b["producerId"] == producer_id and b["isControl"] == "false")
        assert (row["producerEpoch"], row["lastSequence"], row["lastOffset"]) == (
            last["producerEpoch"],
            last["lastSequence"],
            last["lastOffset"],
        )
    open_since = found["12"]["currentTxnFirstOffset"]
    assert open_since == f"OptionalLong[{log.producers.first_undecided_offset}]"
    assert found["13"]["currentTxnFirstOffset"] == "OptionalLong.empty"


@pytest.mark.parametrize("option", ["--index-sanity-check", "--verify-index-only"])
def test_indexes_pass_the_checks_of_the_broker(
    inspected: Inspected, directory: Path, kafka_libs: Path, option: str, tmp_path: Path
) -> None:
    """Beside ours, a copy with one damaged entry: the check is one that finds something."""
    shutil.copytree(directory / "plain-0", tmp_path / "damaged-0")
    damaged = tmp_path / "damaged-0" / f"{0:020}.index"
    content = damaged.read_bytes()
    damaged.write_bytes({"--index-sanity-check": content + b"\0" * 3}.get(option, bytes([0, 0, 0, 1]) + content[4:]))
    indexes = log_files(directory, ".index", ".timeindex")
    assert len(indexes) > 20
    assert dump_log_segments(kafka_libs, indexes, option).complaints == []
    try:
        complaints = dump_log_segments(kafka_libs, [damaged], option).complaints
    except ApacheKafkaError as error:
        complaints = [str(error)]
    assert any(damaged.name in line for line in complaints)
