"""Bad input on a real socket: what Kafka answers to it, while another client's requests go on.

Every row of the table of bad input is here as far as its API is served. A bystander produces and fetches on a
connection of its own all the time, and checks every record; each test sees it get on after the bad input.
"""

from __future__ import annotations

import socket
import struct
import threading
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from batches import TIMESTAMP_MS, batch, values_in
from kwire.errors import ErrorCode
from kwire.protocol.messages.api_versions_request import ApiVersionsRequest
from kwire.protocol.messages.create_topics_request import (
    CreatableReplicaAssignment,
    CreatableTopic,
    CreatableTopicConfig,
    CreateTopicsRequest,
)
from kwire.protocol.messages.fetch_request import FetchPartition, FetchRequest, FetchTopic
from kwire.protocol.messages.init_producer_id_request import InitProducerIdRequest
from kwire.protocol.messages.list_offsets_request import ListOffsetsPartition, ListOffsetsRequest, ListOffsetsTopic
from kwire.protocol.messages.metadata_request import MetadataRequest, MetadataRequestTopic
from kwire.protocol.messages.produce_request import PartitionProduceData, ProduceRequest, TopicProduceData
from kwire.records.batch import CONTROL_FLAG, patch_crc, read_header
from kwire.records.compression import CompressionType
from kwire.testing import Broker
from wire_client import ConnectionEndedError, WireClient

DEADLINE_S = 30.0
NOW_MS = TIMESTAMP_MS


def create(name: str, partitions: int = 1, replicas: int = 1, **config: str) -> CreateTopicsRequest:
    configs = [CreatableTopicConfig(key.replace("_", "."), value) for key, value in config.items()]
    return CreateTopicsRequest([CreatableTopic(name, partitions, replicas, (), configs)], 5000)


def produce(topic: str, records: bytes | None, acks: int = -1) -> ProduceRequest:
    data = [TopicProduceData(name=topic, partition_data=[PartitionProduceData(0, records)])]
    return ProduceRequest(None, acks, 5000, data)


def fetch(topic: str | bytes, offset: int = 0, index: int = 0, **fields: Any) -> FetchRequest:
    named = {"topic": topic} if isinstance(topic, str) else {"topic_id": topic}
    asked = FetchPartition(partition=index, fetch_offset=offset, partition_max_bytes=1 << 20, **fields)
    return FetchRequest(
        max_wait_ms=0,
        min_bytes=1,
        max_bytes=1 << 20,
        session_epoch=-1,
        topics=[FetchTopic(partitions=[asked], **named)],
    )


class Bystander(threading.Thread):
    """A well-behaved client. Whatever goes wrong for it fails the test that looks at it next."""

    def __init__(self, address: tuple[str, int]) -> None:
        super().__init__(name="bystander", daemon=True)
        self.rounds = 0
        self.trouble: BaseException | None = None
        self._address = address
        self._moved = threading.Condition()
        self._ends = False

    def run(self) -> None:
        try:
            with WireClient(self._address, "bystander") as client:
                assert client.ask(create("bystander"), 7).topics[0].error_code == 0
                while not self._ends:
                    self._round(client)
        except BaseException as error:
            self.trouble = error
        finally:
            with self._moved:
                self._moved.notify_all()

    def _round(self, client: WireClient) -> None:
        value = b"%d" % self.rounds
        row = client.ask(produce("bystander", batch(value)), 9).responses[0].partition_responses[0]
        assert (row.error_code, row.base_offset) == (0, self.rounds)
        found = client.ask(fetch("bystander", self.rounds), 12).responses[0].partitions[0]
        assert values_in(found.records) == [(self.rounds, value)]
        with self._moved:
            self.rounds += 1
            self._moved.notify_all()

    def gets_on(self) -> None:
        """Waits until two more rounds have gone well, one of which has begun after this call."""
        with self._moved:
            goal = self.rounds + 2
            assert self._moved.wait_for(lambda: self.trouble or self.rounds >= goal, DEADLINE_S), "nothing moves"
        if self.trouble is not None:
            raise self.trouble

    def end(self) -> None:
        self._ends = True
        self.join(DEADLINE_S)


@pytest.fixture(scope="module")
def broker() -> Iterator[Broker]:
    properties = {"socket.request.max.bytes": str(4 << 20), "log.message.timestamp.after.max.ms": str(2**62)}
    with Broker(properties=properties) as broker:
        with WireClient((broker.host, broker.port)) as client:
            for request in (
                create("t"),
                create("compacted", cleanup_policy="compact"),
                create("small", max_message_bytes="1000"),
                create("segments", max_message_bytes=str(2 << 20), segment_bytes=str(1 << 20)),
                create("recent", message_timestamp_before_max_ms="1000", message_timestamp_after_max_ms="1000"),
                create("lz4", compression_type="lz4"),
                create("__consumer_offsets"),
            ):
                assert client.ask(request, 7).topics[0].error_code == 0
            assert client.ask(produce("t", batch("zero", "one")), 9).responses[0].partition_responses[0].error_code == 0
        yield broker


@pytest.fixture(scope="module")
def bystander(broker: Broker) -> Iterator[Bystander]:
    bystander = Bystander((broker.host, broker.port))
    bystander.start()
    yield bystander
    bystander.end()
    assert bystander.trouble is None


@pytest.fixture
def client(broker: Broker, bystander: Bystander) -> Iterator[WireClient]:
    with WireClient((broker.host, broker.port)) as client:
        yield client
        bystander.gets_on()


# ---- what is answered by closing -------------------------------------------------------------------------------------


def frame(key: int, version: int, body: bytes = b"") -> bytes:
    head = struct.pack(">hhih", key, version, 7, 3) + b"bad"
    return struct.pack(">i", len(head) + len(body)) + head + body


CLOSED = {
    "size negative": struct.pack(">i", -1),
    "size above the limit": struct.pack(">i", (4 << 20) + 1),
    "size of 2 GiB": struct.pack(">i", 2**31 - 1),
    "http": b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "tls": bytes.fromhex("1603010200010001fc0303") + bytes(40),
    "empty frame": struct.pack(">i", 0),
    "header cut off": struct.pack(">i", 5) + b"\0\3\0\0\0",
    "unknown api": frame(12345, 0),
    "api that is not served": frame(4, 0),
    "version too new": frame(3, 99),
    "version negative": frame(3, -1),
    "produce below its oldest version": frame(0, 2, struct.pack(">hii", 1, 1000, 0)),
    "array of two thousand million topics": frame(3, 1, struct.pack(">i", 2**31 - 1)),
    "array of fewer than null": frame(19, 2, struct.pack(">i", -2)),
    "compact array beyond the frame": frame(3, 9, b"\0\xff\xff\xff\xff\x07"),
    "varint without end": frame(3, 9, b"\0" + b"\xff" * 12),
    "string beyond the frame": frame(3, 1, struct.pack(">ih", 1, 32767) + b"abc"),
    "string of negative length where null is not allowed": frame(3, 1, struct.pack(">ih", 1, -1)),
    "text that is not utf-8": frame(3, 1, struct.pack(">ih", 1, 2) + b"\xff\xfe"),
    "records beyond the frame": frame(
        0, 3, struct.pack(">hhii", -1, 1, 1000, 1) + struct.pack(">h1sii", 1, b"t", 1, 0) + struct.pack(">i", 10**9)
    ),
    "body cut off": frame(1, 12, b"\0\0\0"),
    "tags beyond the frame": frame(18, 3, b"\x05\x01\xff\xff\x03"),
}


@pytest.mark.parametrize("bad", CLOSED)
def test_what_is_not_the_protocol_closes_the_connection(broker: Broker, bystander: Bystander, bad: str) -> None:
    with socket.create_connection((broker.host, broker.port), timeout=DEADLINE_S) as sock:
        sock.sendall(CLOSED[bad])
        with_answer = b""
        try:
            while data := sock.recv(1 << 16):
                with_answer += data
        except ConnectionResetError:
            pass
        assert with_answer == b""
    bystander.gets_on()


def test_an_error_under_acks_0_closes_the_connection(client: WireClient) -> None:
    client.send(produce("nope", batch("x"), acks=0), 9)
    with pytest.raises(ConnectionEndedError):
        client.ask(ApiVersionsRequest(), 0)


# ---- what is answered ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "version", "code"),
    [
        ("kwire", "1.0", 0),
        ("a", "0", 0),
        ("", "1.0", 42),
        ("kwire", "", 42),
        ("-kwire", "1.0", 42),
        ("kwire-", "1.0", 42),
        ("kw ire", "1.0", 42),
        ("kwire", "1.0\n", 42),
        ("kwirë", "1.0", 42),
    ],
)
def test_the_name_and_version_of_a_client(client: WireClient, name: str, version: str, code: int) -> None:
    assert client.ask(ApiVersionsRequest(name, version), 4).error_code == code


BAD_NAMES = ["", ".", "..", "x" * 250, "a b", "a/b", "ü", "a\0b", "../../etc"]


@pytest.mark.parametrize("name", BAD_NAMES)
def test_a_topic_that_cannot_be(client: WireClient, broker: Broker, name: str) -> None:
    before = sorted(path.name for path in Path(broker.data_dir).iterdir())
    assert client.ask(create(name), 7).topics[0].error_code == ErrorCode.INVALID_TOPIC_EXCEPTION
    asked = MetadataRequest([MetadataRequestTopic(name=name)], True)
    assert client.ask(asked, 9).topics[0].error_code == ErrorCode.INVALID_TOPIC_EXCEPTION
    assert sorted(path.name for path in Path(broker.data_dir).iterdir()) == before


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (create("t"), 36),
        (create("new", 0), 37),
        (create("new", -2), 37),
        (create("new", 1, 2), 38),
        (create("new", 1, 0), 38),
        (create("new", no_such_key="1"), 40),
        (create("new", retention_ms="soon"), 40),
        (CreateTopicsRequest([CreatableTopic("new", -1, -1, [CreatableReplicaAssignment(0, [99])])], 1000), 39),
        (CreateTopicsRequest([CreatableTopic("new", -1, -1, [CreatableReplicaAssignment(1, [1])])], 1000), 39),
    ],
)
def test_a_topic_that_is_refused(client: WireClient, request_: CreateTopicsRequest, code: int) -> None:
    assert client.ask(request_, 7).topics[0].error_code == code


def row(client: WireClient, topic: str, records: bytes | None, acks: int = -1, version: int = 9) -> Any:
    return client.ask(produce(topic, records, acks), version).responses[0].partition_responses[0]


def patched(data: bytes, position: int, value: bytes) -> bytes:
    """A batch with some bytes changed, and a CRC that is right again."""
    changed = bytearray(data)
    changed[position : position + len(value)] = value
    patch_crc(changed, 0, len(changed))
    return bytes(changed)


@cache
def bomb() -> bytes:
    """A batch of a hundred kilobytes whose records are a hundred megabytes of zeros."""
    compressor = zlib.compressobj(9, zlib.DEFLATED, 31)
    section = b"".join(compressor.compress(bytes(1 << 20)) for _ in range(100)) + compressor.flush()
    data = bytearray(batch("x", codec=CompressionType.GZIP)[:61]) + section
    struct.pack_into(">i", data, 8, len(data) - 12)
    patch_crc(data, 0, len(data))
    return bytes(data)


PRODUCE: dict[str, tuple[str, Callable[[], bytes | None], int]] = {
    "unknown topic": ("nope", lambda: batch("x"), 3),
    "internal topic": ("__consumer_offsets", lambda: batch("x"), 17),
    "null records": ("t", lambda: None, 87),
    "crc wrong": ("t", lambda: batch("x")[:17] + b"\1\2\3\4" + batch("x")[21:], 2),
    "magic 1": ("t", lambda: batch("x")[:16] + b"\1" + batch("x")[17:], 43),
    "magic 0": ("t", lambda: batch("x")[:16] + b"\0" + batch("x")[17:], 43),
    "batch above max.message.bytes": ("small", lambda: batch("x" * 1000), 10),
    "batch above segment.bytes": ("segments", lambda: batch("x" * (1 << 20)), 18),
    "count above the offsets": ("t", lambda: patched(batch("x"), 57, struct.pack(">i", 2)), 87),
    "last offset delta above the count": ("t", lambda: patched(batch("x"), 23, struct.pack(">i", 9)), 87),
    "last offset delta negative": ("t", lambda: patched(batch("x"), 23, struct.pack(">i", -1)), 87),
    "two batches": ("t", lambda: batch("x") + batch("y"), 87),
    "control batch": (
        "t",
        lambda: patched(batch("x", producer_id=1, epoch=0), 21, struct.pack(">h", CONTROL_FLAG)),
        87,
    ),
    "no key on a compacted topic": ("compacted", lambda: batch("x", key=None), 87),
    "timestamp too old": ("recent", lambda: batch("x", timestamp_ms=1), 32),
    "timestamp too new": ("recent", lambda: batch("x", timestamp_ms=2**61), 32),
    "bytes that are nothing": ("t", lambda: b"\xff" * 200, 2),
    "length beyond the bytes": ("t", lambda: batch("x")[:8] + struct.pack(">i", 10**6) + batch("x")[12:], 87),
    "decompression bomb where records are compressed anew": ("lz4", bomb, 87),
}


@pytest.mark.parametrize("bad", PRODUCE)
def test_records_that_are_refused(client: WireClient, bad: str) -> None:
    topic, records, code = PRODUCE[bad]
    found = row(client, topic, records())
    assert (found.error_code, found.base_offset) == (code, -1)


def test_a_decompression_bomb_costs_no_memory(client: WireClient) -> None:
    data = bomb()
    assert len(data) < 150_000
    Path("/proc/self/clear_refs").write_text("5")  # the peak is counted from here on
    before = peak_bytes()
    assert row(client, "lz4", data).error_code == ErrorCode.INVALID_RECORD
    assert peak_bytes() - before < 64 << 20


def peak_bytes() -> int:
    """The most that this process, with the broker in it, has used."""
    with open("/proc/self/status") as status:
        (line,) = [line for line in status if line.startswith("VmHWM")]
    return int(line.split()[1]) * 1024


@pytest.mark.parametrize("acks", [2, -2, 32767])
def test_acks_that_are_none(client: WireClient, acks: int) -> None:
    assert row(client, "t", batch("x"), acks).error_code == ErrorCode.INVALID_REQUIRED_ACKS


def test_ids_that_are_unknown(client: WireClient) -> None:
    data = [TopicProduceData(topic_id=b"x" * 16, partition_data=[PartitionProduceData(0, batch("x"))])]
    response = client.ask(ProduceRequest(None, -1, 1000, data), 13)
    assert response.responses[0].partition_responses[0].error_code == ErrorCode.UNKNOWN_TOPIC_ID
    assert client.ask(fetch(b"x" * 16), 13).responses[0].partitions[0].error_code == ErrorCode.UNKNOWN_TOPIC_ID


def test_sequences_and_epochs_of_producers(client: WireClient) -> None:
    started = client.ask(InitProducerIdRequest(None, 1000), 4)
    assert started.error_code == 0

    def send(sequence: int, epoch: int = 1) -> int:
        data = batch("x", producer_id=started.producer_id, epoch=epoch, sequence=sequence)
        return row(client, "t", data).error_code

    assert [send(0), send(1), send(1)] == [0, 0, 0]
    assert send(5) == ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER
    assert send(2, epoch=0) == ErrorCode.INVALID_PRODUCER_EPOCH
    assert send(2) == 0


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (fetch("t", 10**6), 1),
        (fetch("t", -5), 1),
        (fetch("nope"), 3),
        (fetch("t", 0, 99), 3),
        (fetch("t", 0, -1), 3),
        (fetch("t", current_leader_epoch=99), 75),
    ],
)
def test_fetches_that_are_refused(client: WireClient, request_: FetchRequest, code: int) -> None:
    assert client.ask(request_, 12).responses[0].partitions[0].error_code == code


def test_offsets_that_are_refused(client: WireClient) -> None:
    def ask(topic: str, **fields: Any) -> int:
        asked = ListOffsetsPartition(**{"partition_index": 0, "timestamp": -1, **fields})
        response = client.ask(ListOffsetsRequest(topics=[ListOffsetsTopic(topic, [asked])]), 7)
        return response.topics[0].partitions[0].error_code

    assert [ask("nope"), ask("t", partition_index=9), ask("t", current_leader_epoch=9)] == [3, 3, 75]
    assert ask("t", timestamp=-99) == ErrorCode.UNSUPPORTED_VERSION


def test_nothing_that_was_refused_is_in_a_log(client: WireClient) -> None:
    for topic in ("__consumer_offsets", "compacted", "small", "segments", "recent", "lz4"):
        found = client.ask(fetch(topic), 12).responses[0].partitions[0]
        assert (found.error_code, found.high_watermark) == (0, 0), topic


def test_the_batches_above_are_what_they_claim() -> None:
    assert read_header(patched(batch("x"), 23, struct.pack(">i", 9))).last_offset_delta == 9
    assert read_header(patched(batch("x"), 57, struct.pack(">i", 2))).record_count == 2
