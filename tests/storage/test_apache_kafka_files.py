"""A data directory that goes back and forth: written by Apache Kafka, carried on here, carried on there, killed.

Kafka writes and stops cleanly; we open the directory without a scan, append and stop cleanly; Kafka opens it, serves
all of it, writes some more and is killed; we recover it.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from kafka_traffic import create_topics, delete_records, new_producer, read_topics, send
from kwire.errors import BrokerError, ErrorCode
from kwire.records.batch import TRANSACTIONAL_FLAG, read_header
from kwire.records.compression import CompressionType
from kwire.records.control import ControlType, EndTransactionMarker
from kwire.records.record import Record
from kwire.storage import recovery
from kwire.storage.checkpoints import TopicPartition
from kwire.storage.log import Isolation, Log
from kwire.storage.log_config import LogConfig
from kwire.storage.log_manager import LogManager
from kwire.storage.offset_lookup import MAX_TIMESTAMP, find_offset
from kwire.storage.producer_table import ProducerTable
from kwire.storage.replay import reload_producers
from kwire.testing.apache_kafka import ApacheKafka
from kwire.testing.java_toolchain import SHORT_LIVED_JAVA_OPTIONS
from real_logs import Fields, batch_of, committed, open_logs, read_all

SEGMENT_BYTES = 1024 * 1024  # the least that Kafka 4 takes
LARGE = TopicPartition("large", 0)
TRANSACTIONS = TopicPartition("transactions", 0)
IDEMPOTENT = TopicPartition("idempotent", 0)
UNDECIDED = TopicPartition("undecided", 0)
OURS = TopicPartition("ours", 0)
CODECS = {TopicPartition("codecs", codec.value): codec for codec in CompressionType}
MANY = TopicPartition("many", 0)
EVERYTHING = (LARGE, MANY, TRANSACTIONS, IDEMPOTENT, UNDECIDED, OURS, *CODECS)
LARGE_START = 25
"""Up to where DeleteRecords deletes: in the middle of a segment."""

OUR_PRODUCER = 900_001
BROKER = {
    "transaction.state.log.num.partitions": "2",
    "offsets.topic.num.partitions": "2",
    "transaction.max.timeout.ms": "3600000",
    "log.initial.task.delay.ms": "3600000",  # until then no segment is deleted
}


@dataclass
class Expected:
    """What a partition must hold: key, value and headers in the order of the log."""

    uncommitted: list[Fields] = field(default_factory=list)
    aborted: set[int] = field(default_factory=set)
    """Numbers in `uncommitted`."""

    deleted: int = 0
    undecided_from: int | None = None
    """The number of the first record that read_committed must not see yet."""

    def add(self, records: list[Fields], *, is_aborted: bool = False) -> list[Fields]:
        if is_aborted:
            self.aborted.update(range(len(self.uncommitted), len(self.uncommitted) + len(records)))
        self.uncommitted += records
        return records

    @property
    def all(self) -> list[Fields]:
        return self.uncommitted[self.deleted :]

    @property
    def committed(self) -> list[Fields]:
        stable = self.uncommitted[: self.undecided_from]
        return [record for number, record in enumerate(stable) if number >= self.deleted and number not in self.aborted]


def fields_of(records: list[Record]) -> list[Fields]:
    return [(record.key, record.value, record.headers) for record in records]


def some(what: str, count: int = 4) -> list[Fields]:
    """Records of every shape."""
    return [
        (
            None if number % 4 == 3 else f"{what}-{number}".encode(),
            None if number % 5 == 4 else f"{what}:{number}".encode() * 10,
            (("source", what.encode()), ("none", None)) if number % 2 else (),
        )
        for number in range(count)
    ]


@dataclass
class Journey:
    """The directory, the broker that is not running while we have it, and what the directory must hold."""

    directory: Path
    kafka: ApacheKafka
    now_ms: int
    expected: dict[TopicPartition, Expected]

    def open(self) -> LogManager:
        config = LogConfig(segment_bytes=SEGMENT_BYTES)
        return open_logs(self.directory, self.now_ms, lambda partition: config)


def write_with_kafka(kafka: ApacheKafka, expected: dict[TopicPartition, Expected]) -> None:
    """All that Kafka writes before its first stop."""
    bootstrap = kafka.bootstrap
    segments = {"segment.bytes": str(SEGMENT_BYTES)}
    create_topics(bootstrap, {p.topic: (1, segments) for p in EVERYTHING} | {"codecs": (len(CODECS), segments)})
    large = [(b"%d" % number, bytes([number]) * 100_000, ()) for number in range(40)]
    producer = new_producer(bootstrap)
    for record in expected[LARGE].add(large):
        send(producer, LARGE, [record])
    delete_records(bootstrap, LARGE, LARGE_START)
    expected[LARGE].deleted = LARGE_START
    for number in range(60):
        send(producer, MANY, expected[MANY].add(some(f"many{number}", 40)))
    for partition, codec in CODECS.items():
        producer = new_producer(bootstrap, compression_type=codec.name.lower())
        send(producer, partition, expected[partition].add(some(codec.name, 50)))
    producer = new_producer(bootstrap, enable_idempotence=True)
    for number in range(7):
        send(producer, IDEMPOTENT, expected[IDEMPOTENT].add(some(f"idempotent{number}", 3)))
    outcomes = {f"kafka{number}": ControlType(number % 3 != 1) for number in range(6)}
    write_transactions(bootstrap, expected[TRANSACTIONS], outcomes)
    producer = new_producer(bootstrap, transactional_id="undecided", transaction_timeout_ms=3_600_000)
    producer.init_transactions(30)
    producer.begin_transaction()
    expected[UNDECIDED].undecided_from = 0
    send(producer, UNDECIDED, expected[UNDECIDED].add(some("undecided")))


def write_transactions(bootstrap: str, expected: Expected, outcomes: dict[str, ControlType]) -> None:
    producer = new_producer(bootstrap, transactional_id="traveller")
    producer.init_transactions(30)
    for what, outcome in outcomes.items():
        is_aborted = outcome is ControlType.ABORT
        producer.begin_transaction()
        send(producer, TRANSACTIONS, expected.add(some(what), is_aborted=is_aborted))
        (producer.abort_transaction if is_aborted else producer.commit_transaction)(30)


def append_here(log: Log, expected: Expected, now_ms: int) -> None:
    """Batches of every codec, and two transactions of a producer that Kafka has never heard of."""
    epoch = max(log.leader_epochs.latest_epoch, 0)
    for codec in CompressionType:
        log.append_as_leader(batch_of(expected.add(some(f"our {codec.name}")), now_ms, codec=codec), epoch, now_ms)
    for sequence, outcome in enumerate((ControlType.ABORT, ControlType.COMMIT)):
        records = expected.add(some(f"our {outcome.name}"), is_aborted=outcome is ControlType.ABORT)
        producer = (OUR_PRODUCER, 0, sequence * len(records))
        batch = batch_of(records, now_ms, producer=producer, flags=TRANSACTIONAL_FLAG)
        log.append_as_leader(batch, epoch, now_ms)
        log.append_marker(
            EndTransactionMarker(outcome, 0),
            producer_id=OUR_PRODUCER,
            producer_epoch=0,
            leader_epoch=epoch,
            transaction_version=1,
            now_ms=now_ms,
        )
    log.advance_high_watermark(log.log_end_offset)


def check_directory(manager: LogManager, journey: Journey) -> None:
    """Every record, the leader epochs, the offsets, the producers."""
    for partition, expected in journey.expected.items():
        log = manager.get(partition)
        log.advance_high_watermark(log.log_end_offset)
        assert fields_of(read_all(log)) == expected.all, partition
        assert log.log_start_offset == (LARGE_START if partition == LARGE else 0)
        if expected.undecided_from is None:
            assert fields_of(committed(log)) == expected.committed, partition
        headers = [header for segment in log.local.segments for _, header in segment.iter_headers(0)]
        assert [segment.find_fault() for segment in log.local.segments] == [None] * len(log.local.segments)
        for offset in range(log.log_start_offset, log.log_end_offset):
            found = read_header(log.read(offset, 0, Isolation.LOG_END).regions[0].read())
            assert found.base_offset <= offset <= found.last_offset, partition
        for header in headers:
            if header.base_offset >= log.log_start_offset:
                assert log.leader_epochs.epoch_for_offset(header.base_offset) == header.leader_epoch, partition
    assert len(manager.get(LARGE).local.segments) > 3


def check_indexes(log: Log) -> None:
    """Every entry that Kafka made is where our rule puts it, and timestamps are found."""
    for segment in log.local.segments:
        expected: list[tuple[int, int]] = []
        bytes_since_entry = 0
        for position, header in segment.iter_headers(0):
            if bytes_since_entry > log.config.index_interval_bytes:
                expected.append((header.last_offset, position))
                bytes_since_entry = 0
            bytes_since_entry += header.size_bytes
        index = segment.offset_index
        assert [index.entry(number) for number in range(index.entries)] == expected, segment
    records = read_all(log)
    for record in records[:: len(records) // 10]:
        found = find_offset(log, record.timestamp, Isolation.LOG_END)
        assert found is not None
        assert found.offset == next(r.offset for r in records if r.timestamp >= record.timestamp)
    largest = find_offset(log, MAX_TIMESTAMP, Isolation.LOG_END)
    assert largest is not None
    assert largest.timestamp == max(record.timestamp for record in records)


def check_producers(log: Log) -> None:
    """Kafka's snapshot says what the batches say."""
    replayed = ProducerTable(log.local.file_system, log.directory, [])
    reload_producers(replayed, log.local.segments, log.log_end_offset, 0)
    summaries = [
        {s.producer_id: (s.epoch, s.last_sequence, s.last_offset, s.coordinator_epoch) for s in table}
        for table in (log.producers, replayed)
    ]
    assert summaries[0] == summaries[1], log


def state_of_the_idempotent(log: Log) -> tuple[int, int, int]:
    """Id, epoch and next sequence of the producer that wrote last."""
    state = max(log.producers, key=lambda state: state.batches[-1].last_offset if state.batches else -1)
    return state.producer_id, state.epoch, state.next_sequence


def check_sequences(log: Log, expected: Expected, now_ms: int) -> None:
    """The producer's retry is known, a gap is refused, and what continues is taken."""
    producer_id, epoch, sequence = state_of_the_idempotent(log)
    leader_epoch = log.leader_epochs.latest_epoch
    last = expected.uncommitted[-3:]
    retry = batch_of(last, now_ms, producer=(producer_id, epoch, sequence - 3))
    info = log.append_as_leader(retry, leader_epoch, now_ms)
    assert (info.is_duplicate, info.last_offset) == (True, log.log_end_offset - 1)
    with pytest.raises(BrokerError) as refused:
        log.append_as_leader(
            batch_of(some("gap"), now_ms, producer=(producer_id, epoch, sequence + 1)), leader_epoch, now_ms
        )
    assert refused.value.code is ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    continued = batch_of(expected.add(some("continued", 3)), now_ms, producer=(producer_id, epoch, sequence))
    assert log.append_as_leader(continued, leader_epoch, now_ms).is_duplicate is False
    log.advance_high_watermark(log.log_end_offset)


@pytest.fixture
def scans(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The segments that were scanned."""
    scanned: list[str] = []
    scan = recovery.scan_segment

    def spy(segment: recovery.Segment, *arguments: object) -> object:
        scanned.append(segment.log.path)
        return scan(segment, *arguments)

    monkeypatch.setattr(recovery, "scan_segment", spy)
    return scanned


@pytest.fixture
def journey(tmp_path: Path, kafka_libs: Path) -> Iterator[Journey]:
    directory = tmp_path / "data"
    with ApacheKafka(
        data_dir=directory, libs=kafka_libs, java_options=SHORT_LIVED_JAVA_OPTIONS, properties=BROKER
    ) as kafka:
        expected = {partition: Expected() for partition in EVERYTHING}
        write_with_kafka(kafka, expected)
        kafka.stop()
        now_ms = int((directory / "meta.properties").stat().st_mtime * 1000)
        yield Journey(directory, kafka, now_ms, expected)


def written_at(paths: Iterable[Path]) -> dict[Path, int]:
    """When files were last written to: what was rebuilt has another time."""
    return {path: path.stat().st_mtime_ns for path in paths}


def content_of(directory: Path) -> dict[str, bytes]:
    return {str(path.relative_to(directory)): path.read_bytes() for path in directory.rglob("*") if path.is_file()}


def test_a_directory_goes_from_kafka_to_us_and_back_and_is_killed(journey: Journey, scans: list[str]) -> None:
    directory, kafka, expected = journey.directory, journey.kafka, journey.expected
    controller = directory / "__cluster_metadata-0"
    before = content_of(controller), (directory / "meta.properties").read_bytes()

    # Kafka has stopped cleanly: we open and append.
    manager = journey.open()
    assert scans == []
    assert {p.topic for p in manager.logs} == {p.topic for p in EVERYTHING} | {"__transaction_state"}
    check_directory(manager, journey)
    for partition in (LARGE, MANY, IDEMPOTENT):
        check_indexes(manager.get(partition))
    assert sum(segment.offset_index.entries for segment in manager.get(MANY).local.segments) > 20
    for partition in EVERYTHING:
        check_producers(manager.get(partition))
    assert manager.get(UNDECIDED).last_stable_offset == 0
    check_sequences(manager.get(IDEMPOTENT), expected[IDEMPOTENT], journey.now_ms)
    for partition in (LARGE, MANY, TRANSACTIONS, OURS, *CODECS):
        append_here(manager.get(partition), expected[partition], journey.now_ms)
    broker_epoch = manager.log_dirs.online[0].broker_epoch
    assert broker_epoch is not None
    manager.shutdown(journey.now_ms, broker_epoch)
    assert (content_of(controller), (directory / "meta.properties").read_bytes()) == before
    assert scans == []
    closed = sorted((directory / "large-0").glob("*.log"))[:-1]
    indexes = [path.with_suffix(suffix) for path in closed for suffix in (".index", ".timeindex")]
    times = written_at(indexes)

    # Kafka opens it again, takes our indexes as they are, serves all of it, and writes on.
    kafka.start()
    for isolation in ("read_uncommitted", "read_committed"):
        found = read_topics(kafka.bootstrap, EVERYTHING, isolation)
        for partition in EVERYTHING:
            wanted = expected[partition].all if isolation == "read_uncommitted" else expected[partition].committed
            assert fields_of(found[partition]) == wanted, (partition, isolation)
    outcomes = {"late abort": ControlType.ABORT, "late commit": ControlType.COMMIT}
    write_transactions(kafka.bootstrap, expected[TRANSACTIONS], outcomes)
    send(new_producer(kafka.bootstrap), LARGE, expected[LARGE].add(some("late", 9)))
    send(new_producer(kafka.bootstrap, enable_idempotence=True), IDEMPOTENT, expected[IDEMPOTENT].add(some("late", 3)))
    os.kill(kafka.pid, signal.SIGKILL)
    kafka.stop()
    assert written_at(indexes) == times

    # Killed: we recover what lies behind the recovery point, and only that.
    manager = journey.open()
    assert any("/large-0/" in path for path in scans)
    assert not any(path.endswith(f"/large-0/{0:020}.log") for path in scans)
    check_directory(manager, journey)
    check_sequences(manager.get(IDEMPOTENT), expected[IDEMPOTENT], journey.now_ms)
    manager.shutdown(journey.now_ms, broker_epoch)
