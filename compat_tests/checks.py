"""The checks that every client passes: a class to inherit from, with `connect` to say which client it is.

Each is one row of docs/COMPATIBILITY.md, by its `feature` mark. Every check has topics of its own, so that all share
one broker.
"""

from __future__ import annotations

import random
import time
import uuid
from collections.abc import Iterator
from contextlib import AbstractContextManager

import pytest
from compat_tests.client import CREATE_TIME, DEADLINE_S, LOG_APPEND_TIME, Acks, Client, Message, Received, RefusedError

from kwire.records.batch import BatchHeader, iter_batches
from kwire.testing import Broker

OFFSET_OUT_OF_RANGE, UNKNOWN_TOPIC_OR_PARTITION, MESSAGE_TOO_LARGE, INVALID_TOPIC = 1, 3, 10, 17
TOPIC_ALREADY_EXISTS = 36
CODECS = ("none", "gzip", "snappy", "lz4", "zstd")  # by their number in a batch's attributes


def new_topic(kind: str) -> str:
    """A name that no other test has."""
    return f"{kind}-{uuid.uuid4().hex[:12]}"


def batches_on_disk(broker: Broker, topic: str) -> list[BatchHeader]:
    """The headers of what lies in partition 0: what the client has really sent."""
    (segment,) = (broker.data_dir / f"{topic}-0").glob("*.log")
    return [header for _, header in iter_batches(segment.read_bytes())]


def read_from_beginning(client: Client, topic: str, count: int) -> list[Received]:
    with client.reader(topic) as reader:
        reader.seek_to_beginning()
        return reader.read(count)


class ClientChecks:
    """See the module."""

    @staticmethod
    def connect(bootstrap: str) -> AbstractContextManager[Client]:
        raise NotImplementedError

    @pytest.fixture(scope="class")
    @classmethod
    def client(cls, broker: Broker) -> Iterator[Client]:
        with cls.connect(broker.bootstrap) as client:
            yield client

    @pytest.fixture
    def header_writer(self, client: Client) -> Client:
        """What writes null headers: the client, or for one that cannot, another whose headers it is to read."""
        return client

    # ---- records ---------------------------------------------------------------------------------------------

    @pytest.mark.parametrize(
        "codec", [pytest.param(codec, marks=pytest.mark.feature(f"compression: {codec}")) for codec in CODECS]
    )
    def test_compression(self, client: Client, broker: Broker, codec: str) -> None:
        topic = new_topic("compression")
        client.create_topic(topic)
        values = [b"%d: all work and no play" % number * 10 for number in range(100)]
        assert client.produce(topic, list(map(Message, values)), compression=codec) == list(range(100))
        received = read_from_beginning(client, topic, 100)
        assert [(record.offset, record.value) for record in received] == list(enumerate(values))
        assert {CODECS[header.attributes & 7] for header in batches_on_disk(broker, topic)} == {codec}

    @pytest.mark.feature("keys")
    def test_keys(self, client: Client) -> None:
        topic = new_topic("keys")
        client.create_topic(topic, 4)
        keys = [b"key-%d" % (number % 10) for number in range(40)]
        client.produce(topic, [Message(b"v%d" % n, key, partition=None) for n, key in enumerate(keys)])
        with client.reader(topic, range(4)) as reader:
            reader.seek_to_beginning()
            received = reader.read(40)
        assert sorted((record.key, record.value) for record in received) == sorted(
            (key, b"v%d" % n) for n, key in enumerate(keys)
        )
        # The client's own partitioner has met our partitions: a key keeps to one, and the keys to more than one.
        homes = {(record.key, record.partition) for record in received}
        assert len(homes) == 10
        assert len({partition for _, partition in homes}) > 1

    @pytest.mark.feature("keys: empty and none")
    def test_empty_is_not_none(self, client: Client) -> None:
        topic = new_topic("empty")
        client.create_topic(topic)
        pairs = [(b"", b""), (None, b""), (b"", b"v"), (None, b"v")]
        client.produce(topic, [Message(value, key) for key, value in pairs])
        assert [(record.key, record.value) for record in read_from_beginning(client, topic, 4)] == pairs

    @pytest.mark.feature("headers, also repeated and empty")
    def test_headers(self, client: Client) -> None:
        topic = new_topic("headers")
        client.create_topic(topic)
        headers = (("trace", b"1"), ("trace", b"2"), ("empty", b""), ("größe", b"\x00\xff"))
        client.produce(topic, [Message(b"with", headers=headers), Message(b"without")])
        received = read_from_beginning(client, topic, 2)
        assert [record.headers for record in received] == [headers, ()]

    @pytest.mark.feature("headers: null values")
    def test_null_headers(self, client: Client, header_writer: Client) -> None:
        topic = new_topic("null-headers")
        client.create_topic(topic)
        headers = (("null", None), ("empty", b""))
        header_writer.produce(topic, [Message(b"v", headers=headers)])
        assert [record.headers for record in read_from_beginning(client, topic, 1)] == [headers]

    @pytest.mark.feature("null values (tombstones)")
    def test_null_values(self, client: Client) -> None:
        topic = new_topic("tombstones")
        client.create_topic(topic, configs={"cleanup.policy": "compact"})
        client.produce(topic, [Message(b"v", b"k"), Message(None, b"k")])
        assert [(record.key, record.value) for record in read_from_beginning(client, topic, 2)] == [
            (b"k", b"v"),
            (b"k", None),
        ]

    @pytest.mark.feature("1 MB records")
    def test_large_records(self, client: Client) -> None:
        topic = new_topic("large")
        client.create_topic(topic)
        values = [random.Random(seed).randbytes(1_000_000) for seed in range(3)]
        client.produce(topic, list(map(Message, values)))
        received = read_from_beginning(client, topic, 3)
        arrived = [record.value == value for record, value in zip(received, values, strict=True)]
        assert arrived == [True] * 3  # and not the values themselves: pytest would print megabytes

    @pytest.mark.feature("1,000 partitions on one topic")
    def test_many_partitions(self, client: Client) -> None:
        topic = new_topic("many")
        client.create_topic(topic, 1000)
        assert client.describe_topic(topic) == list(range(1000))
        client.produce(topic, [Message(b"%d" % partition, partition=partition) for partition in range(1000)])
        with client.reader(topic, range(1000)) as reader:
            reader.seek_to_beginning()
            received = reader.read(1000)
        assert sorted((record.partition, record.offset, record.value) for record in received) == [
            (partition, 0, b"%d" % partition) for partition in range(1000)
        ]
        client.delete_topic(topic)

    # ---- acknowledgements ------------------------------------------------------------------------------------

    @pytest.mark.parametrize(
        "acks", [pytest.param(acks, marks=pytest.mark.feature(f"acks={acks}")) for acks in ("0", "1", "all")]
    )
    def test_acks(self, client: Client, acks: Acks) -> None:
        topic = new_topic("acks")
        client.create_topic(topic)
        values = [b"%d" % number for number in range(20)]
        client.produce(topic, list(map(Message, values)), acks=acks)
        assert [record.value for record in read_from_beginning(client, topic, 20)] == values

    @pytest.mark.feature("idempotent producer")
    def test_idempotent_producer(self, client: Client, broker: Broker) -> None:
        topic = new_topic("idempotent")
        client.create_topic(topic)
        values = [b"%d" % number for number in range(200)]
        offsets = client.produce(topic, list(map(Message, values)), acks="idempotent")
        assert offsets == list(range(200))
        assert [record.value for record in read_from_beginning(client, topic, 200)] == values
        batches = batches_on_disk(broker, topic)
        assert all(header.producer_id >= 0 for header in batches)
        assert [header.base_sequence for header in batches] == [header.base_offset for header in batches]

    # ---- positions -------------------------------------------------------------------------------------------

    @pytest.fixture(scope="class")
    @classmethod
    def ten_records(cls, client: Client) -> str:
        """A topic with offsets 0 to 9, timestamps 1,000 ms apart from 1,000,000."""
        topic = new_topic("seeks")
        client.create_topic(topic)
        client.produce(topic, [Message(b"%d" % n, timestamp_ms=1_000_000 + 1000 * n) for n in range(10)])
        return topic

    @pytest.mark.feature("seek: beginning")
    def test_seek_to_beginning(self, client: Client, ten_records: str) -> None:
        with client.reader(ten_records) as reader:
            reader.seek(8)
            assert [record.offset for record in reader.read(2)] == [8, 9]
            reader.seek_to_beginning()
            assert [record.offset for record in reader.read(10)] == list(range(10))

    @pytest.mark.feature("seek: offset")
    def test_seek_to_offset(self, client: Client, ten_records: str) -> None:
        with client.reader(ten_records) as reader:
            for offset in (7, 3, 9):
                reader.seek(offset)
                assert reader.read(1)[0].offset == offset

    @pytest.mark.feature("seek: timestamp")
    def test_seek_to_time(self, client: Client, ten_records: str) -> None:
        with client.reader(ten_records) as reader:
            for timestamp_ms, offset in ((1_004_000, 4), (1_004_001, 5), (0, 0)):
                reader.seek_to_time(timestamp_ms)
                assert reader.read(1)[0].offset == offset

    @pytest.mark.feature("seek: end")
    def test_seek_to_end(self, client: Client) -> None:
        topic = new_topic("end")
        client.create_topic(topic)
        client.produce(topic, [Message(b"before")] * 3)
        with client.reader(topic) as reader:
            reader.seek_to_end()
            client.produce(topic, [Message(b"after")])
            assert [(record.offset, record.value) for record in reader.read(1)] == [(3, b"after")]

    # ---- timestamps ------------------------------------------------------------------------------------------

    @pytest.mark.feature("timestamps: CreateTime")
    def test_create_time(self, client: Client) -> None:
        topic = new_topic("create-time")
        client.create_topic(topic)
        client.produce(topic, [Message(b"v", timestamp_ms=timestamp) for timestamp in (1_234_567, 1_000_000)])
        received = read_from_beginning(client, topic, 2)
        assert [record.timestamp_ms for record in received] == [1_234_567, 1_000_000]
        assert {record.timestamp_type for record in received} == {CREATE_TIME}

    @pytest.mark.feature("timestamps: LogAppendTime")
    def test_log_append_time(self, client: Client) -> None:
        topic = new_topic("append-time")
        client.create_topic(topic, configs={"message.timestamp.type": "LogAppendTime"})
        before_ms = int(time.time() * 1000)
        client.produce(topic, [Message(b"v", timestamp_ms=1_234_567)] * 2)
        after_ms = int(time.time() * 1000)
        received = read_from_beginning(client, topic, 2)
        assert all(before_ms <= record.timestamp_ms <= after_ms for record in received)
        assert {record.timestamp_type for record in received} == {LOG_APPEND_TIME}

    # ---- topics ----------------------------------------------------------------------------------------------

    @pytest.mark.feature("topics created by producing")
    def test_auto_creation(self, client: Client) -> None:
        topic = new_topic("auto")
        assert topic not in client.list_topics()
        client.produce(topic, [Message(b"v")])
        assert topic in client.list_topics()
        assert [record.value for record in read_from_beginning(client, topic, 1)] == [b"v"]

    @pytest.mark.feature("admin: create, list, describe a topic")
    def test_create_and_describe(self, client: Client) -> None:
        topic = new_topic("created")
        client.create_topic(topic, 3, {"retention.ms": "60000"})
        assert topic in client.list_topics()
        assert client.describe_topic(topic) == [0, 1, 2]

    @pytest.mark.feature("admin: describe and alter configs")
    def test_configs(self, client: Client) -> None:
        topic = new_topic("configs")
        client.create_topic(topic, configs={"retention.ms": "60000"})
        configs = client.describe_configs(topic)
        assert (configs["retention.ms"], configs["max.message.bytes"]) == ("60000", "1048588")
        client.alter_configs(topic, {"retention.ms": "60000", "max.message.bytes": "1000"})
        configs = client.describe_configs(topic)
        assert (configs["retention.ms"], configs["max.message.bytes"]) == ("60000", "1000")
        with pytest.raises(RefusedError) as refused:
            client.produce(topic, [Message(bytes(2000))])
        assert refused.value.error_code == MESSAGE_TOO_LARGE

    @pytest.mark.feature("admin: add partitions")
    def test_add_partitions(self, client: Client) -> None:
        topic = new_topic("growing")
        client.create_topic(topic)
        client.add_partitions(topic, 3)
        assert client.describe_topic(topic) == [0, 1, 2]
        assert client.produce(topic, [Message(b"v", partition=2)]) == [0]

    @pytest.mark.feature("admin: delete records")
    def test_delete_records(self, client: Client) -> None:
        topic = new_topic("shortened")
        client.create_topic(topic)
        client.produce(topic, [Message(b"%d" % number) for number in range(10)])
        client.delete_records(topic, 4)
        assert [record.offset for record in read_from_beginning(client, topic, 6)] == list(range(4, 10))

    @pytest.mark.feature("admin: delete a topic")
    def test_delete_topic(self, client: Client) -> None:
        topic = new_topic("deleted")
        client.create_topic(topic)
        client.delete_topic(topic)
        deadline = time.monotonic() + DEADLINE_S
        while topic in client.list_topics():  # a client may show what it knew for a moment
            assert time.monotonic() < deadline
        client.create_topic(topic)  # the name is free again
        assert client.produce(topic, [Message(b"v")]) == [0]

    # ---- errors ----------------------------------------------------------------------------------------------

    @pytest.mark.feature("error: unknown topic, without auto-creation")
    def test_unknown_topic(self, strict_broker: Broker) -> None:
        topic = new_topic("unknown")
        with self.connect(strict_broker.bootstrap) as client:
            for ask in (client.describe_topic, client.delete_topic):
                with pytest.raises(RefusedError) as refused:
                    ask(topic)
                assert refused.value.error_code == UNKNOWN_TOPIC_OR_PARTITION
            assert client.list_topics() == []

    @pytest.mark.feature("error: topic exists, invalid name")
    def test_bad_topics(self, client: Client) -> None:
        topic = new_topic("exists")
        client.create_topic(topic)
        for name, error_code in ((topic, TOPIC_ALREADY_EXISTS), ("not a name", INVALID_TOPIC)):
            with pytest.raises(RefusedError) as refused:
                client.create_topic(name)
            assert refused.value.error_code == error_code

    @pytest.mark.feature("error: message too large")
    def test_message_too_large(self, client: Client) -> None:
        topic = new_topic("too-large")
        client.create_topic(topic)
        with pytest.raises(RefusedError) as refused:
            client.produce(topic, [Message(random.Random(1).randbytes(2_000_000))])
        assert refused.value.error_code == MESSAGE_TOO_LARGE
        assert client.produce(topic, [Message(b"small enough")]) == [0]

    @pytest.mark.feature("error: offset out of range")
    def test_offset_out_of_range(self, client: Client, ten_records: str) -> None:
        with client.reader(ten_records) as reader:
            reader.seek(1000)
            with pytest.raises(RefusedError) as refused:
                reader.read(1)
        assert refused.value.error_code == OFFSET_OUT_OF_RANGE
        with client.reader(ten_records, reset="earliest") as reader:
            reader.seek(1000)
            assert reader.read(1)[0].offset == 0
