"""Apache Kafka's own tools on files that we wrote, and its files opened here and given back.

Needs a Java runtime and Kafka's jars: KWIRE_KAFKA_LIBS names the directory that holds them (`mvn
dependency:copy-dependencies` of org.apache.kafka:kafka_2.13 and kafka-tools, 4.3).
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import struct
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from kwire.records.batch import TRANSACTIONAL_FLAG, check_crc, iter_batches, read_header
from kwire.records.builder import BatchBuilder
from kwire.records.compression import CompressionType
from kwire.records.control import ControlType, EndTransactionMarker
from kwire.records.record import Record, iter_records
from kwire.records.validation import ValidatedBatch
from kwire.storage.checkpoints import CLEAN_SHUTDOWN, RECOVERY_POINT_CHECKPOINT, TopicPartition, encode_id
from kwire.storage.files import RealFileSystem
from kwire.storage.log import Isolation, Log
from kwire.storage.log_config import LogConfig
from kwire.storage.log_dirs import LogDirs
from kwire.storage.log_manager import LogManager
from kwire.storage.offset_lookup import MAX_TIMESTAMP, find_offset
from kwire.storage.offset_map import OffsetMap
from kwire.storage.producer_table import ProducerTable
from kwire.storage.recovery import LogSettings
from kwire.storage.replay import reload_producers

LIBS = os.environ.get("KWIRE_KAFKA_LIBS", "")

pytestmark = [
    pytest.mark.skipif(shutil.which("java") is None, reason="needs a Java runtime"),
    pytest.mark.skipif(not LIBS, reason="needs Apache Kafka's jars: set KWIRE_KAFKA_LIBS to their directory"),
]

NOW_MS = 1_800_000_000_000
NODE_ID = 1
CONFIG = LogConfig(segment_bytes=40_000, index_interval_bytes=1000, segment_index_bytes=8192, retention_ms=-1)


def open_manager(path: Path, now_ms: int = NOW_MS, config: LogConfig = CONFIG) -> LogManager:
    files = RealFileSystem()
    dirs = LogDirs.open(files, [str(path)], node_id=NODE_ID, new_id=lambda: os.urandom(16), now_ms=now_ms)
    settings = LogSettings(files, lambda below: 0, producer_expiration_ms=2**62)
    return LogManager.open(settings, dirs, lambda partition: config, now_ms)


def append(log: Log, builder: BatchBuilder, now_ms: int = NOW_MS) -> None:
    data = builder.build()
    log.append_as_leader(ValidatedBatch(read_header(data), memoryview(data)), 0, now_ms)


def read_records(log: Log) -> list[Record]:
    found: list[Record] = []
    offset = log.log_start_offset
    while offset < log.log_end_offset:
        data = b"".join(region.read() for region in log.read(offset, 1 << 20, Isolation.LOG_END).regions)
        for position, header in iter_batches(data):
            check_crc(data, position, header)
            found += iter_records(data, position, header)
            offset = header.next_offset
    return found


# What we write, read by Kafka's DumpLogSegments.


def dump(*arguments: str) -> str:
    command = ["java", "-cp", f"{LIBS}/*", "org.apache.kafka.tools.DumpLogSegments", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def our_directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Logs of every kind, rolled many times, some compacted, and closed."""
    path = tmp_path_factory.mktemp("ours")
    manager = open_manager(path)
    for name in ("plain", "codecs", "transactions", "compacted"):
        policy = frozenset({"compact"}) if name == "compacted" else frozenset({"delete"})
        config = LogConfig(
            segment_bytes=CONFIG.segment_bytes,
            index_interval_bytes=CONFIG.index_interval_bytes,
            segment_index_bytes=CONFIG.segment_index_bytes,
            retention_ms=-1,
            cleanup_policy=policy,
        )
        manager.create(TopicPartition(name, 0), os.urandom(16), config, NOW_MS)
    logs = {partition.topic: log for partition, log in manager.logs.items()}
    for number in range(600):
        builder = BatchBuilder()
        for record in range(1 + number % 4):
            builder.append(NOW_MS + number - record, b"key-%d" % record, b"v" * (number % 300), [("header", b"x")])
        append(logs["plain"], builder)
        builder = BatchBuilder(codec=list(CompressionType)[number % len(CompressionType)])
        for record in range(10):
            builder.append(NOW_MS + number, b"key-%d" % record, b"value" * 30)
        append(logs["codecs"], builder)
        builder = BatchBuilder()
        builder.append(NOW_MS + number, b"key-%d" % (number % 50), None if number % 9 == 0 else b"v" * 300)
        append(logs["compacted"], builder)
    sequence = 0
    for number in range(120):
        for _ in range(3):
            builder = BatchBuilder(producer_id=9, producer_epoch=0, base_sequence=sequence, flags=TRANSACTIONAL_FLAG)
            builder.append(NOW_MS + number, b"k", b"v" * 300)
            append(logs["transactions"], builder)
            sequence += 1
        logs["transactions"].append_marker(
            EndTransactionMarker(ControlType.ABORT if number % 3 == 0 else ControlType.COMMIT, 0),
            producer_id=9,
            producer_epoch=0,
            leader_epoch=0,
            transaction_version=1,
            now_ms=NOW_MS + number,
        )
    for log in logs.values():
        log.advance_high_watermark(log.log_end_offset)
        ticket = log.begin_flush(NOW_MS)
        assert ticket is not None
        ticket.sync()
        log.finish_flush(ticket)
    size_before = logs["compacted"].size_bytes
    cleaning = manager.begin_cleaning(OffsetMap(1 << 20), NOW_MS + 10_000)
    assert cleaning is not None
    for _ in cleaning.steps():
        pass
    manager.finish_cleaning(cleaning, NOW_MS + 10_000)
    assert logs["compacted"].size_bytes < size_before / 4
    for log in logs.values():
        log.remove_dropped(NOW_MS + 10**9)
    manager.shutdown(NOW_MS, broker_epoch=1)
    return path


def files_of(path: Path, topic: str, suffix: str) -> str:
    found = sorted(str(file) for file in (path / f"{topic}-0").glob(f"*.{suffix}"))
    assert found, f"{topic} has no .{suffix}"
    return ",".join(found)


@pytest.mark.parametrize("topic", ["plain", "codecs", "transactions", "compacted"])
def test_dump_log_iterates_over_our_segments(our_directory: Path, topic: str) -> None:
    output = dump("--deep-iteration", "--print-data-log", "--files", files_of(our_directory, topic, "log"))
    assert "isvalid: true" in output
    assert "isvalid: false" not in output
    assert "Found" not in output, "bytes that are no batches, offsets that do not follow"
    manager = open_manager(our_directory)
    try:
        expected = len(read_records(manager.logs[TopicPartition(topic, 0)]))
    finally:
        manager.shutdown(NOW_MS, broker_epoch=1)
    assert output.count("| offset: ") == expected


@pytest.mark.parametrize("topic", ["plain", "codecs", "transactions", "compacted"])
def test_dump_log_verifies_our_indexes(our_directory: Path, topic: str) -> None:
    for suffix in ("index", "timeindex"):
        names = files_of(our_directory, topic, suffix)
        sane = dump("--index-sanity-check", "--files", names)
        filled = [name for name in names.split(",") if Path(name).stat().st_size]
        assert filled
        assert [name for name in filled if f"{name} passed sanity check." not in sane] == []
        verified = dump("--verify-index-only", "--files", names)
        assert "Mismatches" not in verified, verified
        assert "Found timestamp mismatch" not in verified, verified
        assert "out of order" not in verified, verified


def test_dump_log_reads_our_transaction_index_and_snapshots(our_directory: Path) -> None:
    output = dump("--files", files_of(our_directory, "transactions", "txnindex"))
    assert output.count("producerId: 9 ") == 40
    output = dump("--files", files_of(our_directory, "transactions", "snapshot"))
    assert "producerId: 9 producerEpoch: 0" in output


# What Kafka writes, opened here and given back.


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@contextmanager
def kafka(path: Path) -> Iterator[str]:
    """Apache Kafka on that directory; its address. Stopped cleanly at the end."""
    port, controller_port = free_port(), free_port()
    properties = path / "server.properties"
    properties.write_text(
        "process.roles=broker,controller\n"
        f"node.id={NODE_ID}\n"
        f"controller.quorum.voters={NODE_ID}@127.0.0.1:{controller_port}\n"
        f"listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller_port}\n"
        f"advertised.listeners=PLAINTEXT://127.0.0.1:{port}\n"
        "controller.listener.names=CONTROLLER\n"
        f"log.dirs={path / 'data'}\n"
        "offsets.topic.replication.factor=1\n"
        "offsets.topic.num.partitions=1\n"
        "transaction.state.log.num.partitions=1\n"
        "transaction.state.log.replication.factor=1\n"
        "transaction.state.log.min.isr=1\n"
        "group.initial.rebalance.delay.ms=0\n"
    )
    java = ["java", "-Xmx400m", "-cp", f"{LIBS}/*"]
    if not (path / "data" / "meta.properties").exists():
        cluster = encode_id(bytes(range(16)))
        command = [*java, "kafka.tools.StorageTool", "format", "-t", cluster, "-c", str(properties)]
        subprocess.run(command, check=True, capture_output=True)
    broker = subprocess.Popen(
        [*java, "kafka.Kafka", str(properties)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        wait_until_up(port, broker)
        yield f"127.0.0.1:{port}"
        broker.send_signal(signal.SIGTERM)
        assert broker.wait(60) in (0, 143)
    finally:
        broker.kill()
        broker.wait(60)


def wait_until_up(port: int, broker: subprocess.Popen[bytes]) -> None:
    request = struct.pack(">ihhih", 11, 18, 0, 1, 1) + b"x"
    while broker.poll() is None:
        try:
            with socket.create_connection(("127.0.0.1", port), 1) as connection:
                connection.sendall(request)
                if connection.recv(4):
                    return
        except OSError:
            time.sleep(0.05)  # until a process of another program listens: there is nothing to wait on
    pytest.fail(f"Apache Kafka ended with {broker.returncode}")


def produce_everything(address: str) -> None:
    from confluent_kafka import Producer
    from confluent_kafka.admin import AdminClient, NewTopic

    admin = AdminClient({"bootstrap.servers": address})
    created = admin.create_topics(
        [
            NewTopic("plain", 1, 1, config={"segment.bytes": "1048576"}),
            NewTopic("transactions", 1, 1),
            *(NewTopic(codec, 1, 1) for codec in ("gzip", "snappy", "lz4", "zstd")),
        ]
    )
    for future in created.values():
        future.result(30)
    producer = Producer({"bootstrap.servers": address, "enable.idempotence": True, "linger.ms": 2})
    for number in range(12_000):
        producer.produce("plain", key=b"%d" % number, value=b"v" * 200)
        if number % 500 == 0:
            producer.flush()
    producer.flush()
    for codec in ("gzip", "snappy", "lz4", "zstd"):
        producer = Producer({"bootstrap.servers": address, "compression.type": codec})
        for number in range(500):
            producer.produce(codec, key=b"%d" % number, value=b"value" * 40, headers=[("header", b"x")])
        producer.flush()
    producer = Producer({"bootstrap.servers": address, "transactional.id": "test"})
    producer.init_transactions()
    for number in range(6):
        producer.begin_transaction()
        for record in range(10):
            producer.produce("transactions", value=b"%d-%d" % (number, record))
        producer.flush()
        if number % 2:
            producer.abort_transaction()
        else:
            producer.commit_transaction()


def consume_everything(address: str, topic: str, count: int) -> list[bytes]:
    from confluent_kafka import Consumer
    from confluent_kafka import TopicPartition as ClientPartition

    consumer = Consumer(
        {"bootstrap.servers": address, "group.id": "test", "isolation.level": "read_committed", "check.crcs": True}
    )
    consumer.assign([ClientPartition(topic, 0, 0)])
    values: list[bytes] = []
    while len(values) < count:
        message = consumer.poll(20)
        assert message is not None, f"{topic}: {len(values)} of {count} records"
        assert message.error() is None, message.error()
        values.append(message.value())
    consumer.close()
    return values


def test_a_directory_goes_from_kafka_to_us_and_back(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with kafka(tmp_path) as address:
        produce_everything(address)
        shutil.copytree(data, tmp_path / "killed")

    # As if Kafka had been killed: indexes not trimmed, no snapshots, nothing noted.
    manager = open_manager(tmp_path / "killed", config=LogConfig())
    log = manager.logs[TopicPartition("plain", 0)]
    assert [record.key for record in read_records(log)] == [b"%d" % number for number in range(12_000)]
    check_indexes(log)
    transactions = manager.logs[TopicPartition("transactions", 0)].local.segments.active.transaction_index.all()
    assert [(t.first_offset, t.last_offset, t.last_stable_offset) for t in transactions] == [
        (11, 21, 22),
        (33, 43, 44),
        (55, 65, 66),
    ]
    manager.shutdown(NOW_MS, broker_epoch=1)

    now_ms = int(time.time() * 1000)
    assert (data / CLEAN_SHUTDOWN).exists()
    manager = open_manager(data, now_ms, LogConfig())
    recovery_points = manager.log_dirs.read_offsets(manager.log_dirs.online[0], RECOVERY_POINT_CHECKPOINT)
    for partition, log in manager.logs.items():
        assert log.log_end_offset == recovery_points[partition] == log.recovery_point
        assert log.high_watermark == log.log_end_offset
    logs = {partition.topic: log for partition, log in manager.logs.items()}

    records = read_records(logs["plain"])
    assert [record.key for record in records] == [b"%d" % number for number in range(12_000)]
    assert len(list(logs["plain"].local.segments)) > 2
    check_indexes(logs["plain"])
    for codec in ("gzip", "snappy", "lz4", "zstd"):
        assert [record.key for record in read_records(logs[codec])] == [b"%d" % number for number in range(500)]
    for log in logs.values():
        check_producers(log)
    aborted = logs["transactions"].read(0, 1 << 20, Isolation.LAST_STABLE).aborted_transactions
    assert [(t.first_offset, t.last_offset) for t in aborted] == [(11, 21), (33, 43), (55, 65)]

    for number in range(100):
        builder = BatchBuilder()
        builder.append(now_ms, b"ours", b"from kwire %d" % number)
        append(logs["plain"], builder, now_ms)
    for log in logs.values():
        log.advance_high_watermark(log.log_end_offset)
    manager.shutdown(now_ms, broker_epoch=1)

    with kafka(tmp_path) as address:
        values = consume_everything(address, "plain", 12_100)
        assert values[:12_000] == [b"v" * 200] * 12_000
        assert values[12_000:] == [b"from kwire %d" % number for number in range(100)]
        committed = [b"%d-%d" % (number, record) for number in (0, 2, 4) for record in range(10)]
        assert consume_everything(address, "transactions", 30) == committed
        assert len(consume_everything(address, "zstd", 500)) == 500


def check_indexes(log: Log) -> None:
    """Every entry that Kafka made is where our rule puts it, and finds what it is for."""
    for segment in log.local.segments:
        entries = [segment.offset_index.entry(number) for number in range(segment.offset_index.entries)]
        expected: list[tuple[int, int]] = []
        since = 0
        for position, header in segment.iter_headers(0):
            if since > log.config.index_interval_bytes:
                expected.append((header.last_offset, position))
                since = 0
            since += header.size_bytes
        assert entries == expected
    largest = find_offset(log, MAX_TIMESTAMP, Isolation.LOG_END)
    records = read_records(log)
    assert largest is not None
    assert largest.timestamp == max(record.timestamp for record in records)
    for record in records[:: len(records) // 20]:
        found = find_offset(log, record.timestamp, Isolation.LOG_END)
        assert found is not None
        assert found.offset == next(r.offset for r in records if r.timestamp >= record.timestamp)


def check_producers(log: Log) -> None:
    """Kafka's snapshot says what the batches say."""
    replayed = ProducerTable(log.local.file_system, log.directory, [])
    reload_producers(replayed, log.local.segments, log.log_end_offset, 0)
    assert len(replayed) == len(log.producers)
    for state in replayed:
        kept = log.producers.get(state.producer_id)
        assert kept is not None
        assert (kept.epoch, kept.last_sequence, kept.last_offset, kept.coordinator_epoch) == (
            state.epoch,
            state.last_sequence,
            state.last_offset,
            state.coordinator_epoch,
        )
