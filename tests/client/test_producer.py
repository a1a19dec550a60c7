"""The producer against scripted brokers: batching, order, repetition, idempotence, and how it ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import trio

from kwire.client.cluster import Cluster, ClusterSettings
from kwire.client.errors import ClientError
from kwire.client.partitioner import partition_of_key
from kwire.client.producer import ACKS_ALL, ProducerSettings, open_producer
from kwire.errors import ErrorCode
from kwire.protocol.messages.init_producer_id_response import InitProducerIdResponse
from kwire.protocol.messages.metadata_request import MetadataRequest
from kwire.protocol.messages.metadata_response import MetadataResponse
from kwire.protocol.messages.produce_request import ProduceRequest
from kwire.protocol.messages.produce_response import (
    BatchIndexAndErrorMessage,
    PartitionProduceResponse,
    ProduceResponse,
    TopicProduceResponse,
)
from kwire.protocol.schema import Versions
from kwire.records.batch import BatchHeader, read_header
from kwire.records.compression import CompressionType
from kwire.records.record import Record, iter_records
from scripted_broker import HangUp, ScriptedBroker, ScriptedNetwork, metadata, missing_topic, run, topic_id

PLAIN = ProducerSettings(acks=1, idempotent=False)
NOW_MS = 1_700_000_000_000


class Log:
    """What a scripted broker has stored, and what it answers next instead of storing."""

    def __init__(self) -> None:
        self.batches: list[tuple[int, BatchHeader]] = []
        self.records: dict[int, list[Record]] = {}
        self.refusals: list[int | Exception] = []

    def produce(self, request: ProduceRequest) -> ProduceResponse | None:
        [topic] = request.topic_data
        [row] = topic.partition_data
        data: Any = row.records
        code = 0
        if self.refusals:
            refusal = self.refusals.pop(0)
            if isinstance(refusal, Exception):
                raise refusal
            code = refusal
        offset = len(self.records.setdefault(row.index, []))
        if not code:
            header = read_header(data)
            self.batches.append((row.index, header))
            self.records[row.index] += iter_records(data, 0, header)
        if request.acks == 0:
            return None
        answer = PartitionProduceResponse(row.index, code, offset if not code else -1)
        return ProduceResponse([TopicProduceResponse(topic.name, topic.topic_id, [answer])])

    def values(self, partition: int = 0) -> list[bytes | None]:
        return [record.value for record in self.records.get(partition, [])]


def network_with(log: Log, partitions: int = 1, **versions: Versions) -> tuple[ScriptedNetwork, ScriptedBroker]:
    network = ScriptedNetwork()
    broker = network.broker("one", versions=versions)
    broker.on("Metadata", lambda request: metadata({"orders": [1] * partitions}))
    broker.on("Produce", log.produce)
    broker.on("InitProducerId", lambda request: InitProducerIdResponse(0, 0, 4711, 3))
    return network, broker


def produce(
    network: ScriptedNetwork,
    scenario: Callable[[Any, Cluster], Any],
    settings: ProducerSettings = PLAIN,
    cluster_settings: ClusterSettings | None = None,
) -> None:
    async def main(cluster: Cluster) -> None:
        async with open_producer(cluster, settings, now_ms=lambda: NOW_MS) as producer:
            await scenario(producer, cluster)

    run(network, main, cluster_settings)


# ---- batches ----------------------------------------------------------------------------------------------------


def test_records_are_stored_with_all_they_have() -> None:
    log = Log()
    network, broker = network_with(log)

    async def scenario(producer: Any, cluster: Cluster) -> None:
        await producer.send("orders", b"v", key=b"k", headers=[("a", b"1"), ("a", None)], timestamp=5)
        delivery = await producer.send("orders", None)
        assert await delivery.wait() == 0
        assert (delivery.at.partition, delivery.record_count) == (0, 2)

    produce(network, scenario)
    assert log.records[0] == [
        Record(0, 5, b"k", b"v", (("a", b"1"), ("a", None))),
        Record(1, NOW_MS, None, None, ()),
    ]
    [request] = broker.asked("Produce")
    assert (request.acks, request.topic_data[0].topic_id) == (1, topic_id("orders"))


def test_topics_go_by_name_where_the_broker_knows_no_ids() -> None:
    log = Log()
    network, broker = network_with(log, Produce=Versions(3, 8))

    async def scenario(producer: Any, cluster: Cluster) -> None:
        await producer.send("orders", b"v")

    produce(network, scenario)
    assert broker.asked("Produce")[0].topic_data[0].name == "orders"
    assert log.values() == [b"v"]


def test_a_batch_lingers_and_is_then_sent_whole() -> None:
    log = Log()
    network, _ = network_with(log)

    async def scenario(producer: Any, cluster: Cluster) -> None:
        first = await producer.send("orders", b"1")
        await trio.sleep(0.9)
        second = await producer.send("orders", b"2")
        assert second is first
        await first.wait()
        assert trio.current_time() == pytest.approx(1)
        third = await producer.send("orders", b"3")
        assert await third.wait() == 2

    produce(network, scenario, ProducerSettings(acks=1, idempotent=False, linger_s=1))
    assert [header.record_count for _, header in log.batches] == [2, 1]


def test_a_full_batch_does_not_linger() -> None:
    log = Log()
    network, _ = network_with(log)

    async def scenario(producer: Any, cluster: Cluster) -> None:
        for number in range(100):
            await producer.send("orders", b"%03d" % number, key=b"k")
        assert trio.current_time() == 0

    produce(network, scenario, ProducerSettings(acks=1, idempotent=False, linger_s=60, batch_bytes=200))
    assert log.values() == [b"%03d" % number for number in range(100)]
    assert len(log.batches) > 5


def test_send_waits_when_one_batch_is_full_and_another_under_way() -> None:
    log = Log()
    network, broker = network_with(log)
    release = trio.Event()

    async def slow(request: ProduceRequest) -> ProduceResponse | None:
        await release.wait()
        return log.produce(request)

    broker.on("Produce", slow)

    async def scenario(producer: Any, cluster: Cluster) -> None:
        await producer.send("orders", b"first", partition=0)
        taken = 1
        with trio.move_on_after(10):
            while True:
                await producer.send("orders", bytes(50), partition=0)
                taken += 1
        assert trio.current_time() >= 10
        with pytest.raises(trio.WouldBlock):
            producer.send_nowait("orders", bytes(50), partition=0)
        release.set()
        await producer.send("orders", b"last", partition=0)
        await producer.flush()
        assert len(log.values()) == taken + 1

    produce(network, scenario, ProducerSettings(acks=1, idempotent=False, batch_bytes=200))


@pytest.mark.parametrize("codec", list(CompressionType))
def test_compression(codec: CompressionType) -> None:
    log = Log()
    network, _ = network_with(log)

    async def scenario(producer: Any, cluster: Cluster) -> None:
        await producer.send("orders", bytes(1000))

    produce(network, scenario, ProducerSettings(acks=1, idempotent=False, compression=codec))
    assert log.batches[0][1].compression == codec
    assert log.values() == [bytes(1000)]


# ---- partitions -------------------------------------------------------------------------------------------------


def test_keys_go_where_java_would_send_them_and_explicit_partitions_where_told() -> None:
    log = Log()
    network, _ = network_with(log, partitions=5)
    keys = [b"key-%d" % number for number in range(50)]

    async def scenario(producer: Any, cluster: Cluster) -> None:
        for key in keys:
            await producer.send("orders", b"", key=key)
        await producer.send("orders", b"told", key=keys[0], partition=3)
        with pytest.raises(ClientError, match=r"orders-5: .*has partitions 0 to 4"):
            await producer.send("orders", b"", partition=5)

    produce(network, scenario)
    for partition, records in log.records.items():
        own = [record.key for record in records if record.value == b""]
        assert own == [key for key in keys if partition_of_key(key, 5) == partition]
    assert log.values(3)[-1] == b"told"


def test_records_without_a_key_fill_one_batch_after_the_other() -> None:
    log = Log()
    network, _ = network_with(log, partitions=4)

    async def scenario(producer: Any, cluster: Cluster) -> None:
        for _ in range(400):
            await producer.send("orders", bytes(20))

    produce(network, scenario, ProducerSettings(acks=1, idempotent=False, batch_bytes=1000, linger_s=1))
    assert set(log.records) == {0, 1, 2, 3}
    assert sum(map(len, log.records.values())) == 400
    assert len(log.batches) < 40, "a batch is filled before the next is begun"


def test_the_next_batch_without_a_key_goes_elsewhere() -> None:
    network, _ = network_with(Log(), partitions=2)

    async def scenario(producer: Any, cluster: Cluster) -> None:
        places: list[int] = []
        for _ in range(4):
            delivery = await producer.send("orders", b"v")
            await delivery.wait()
            places.append(delivery.at.partition)
        assert places in ([0, 1, 0, 1], [1, 0, 1, 0])

    produce(network, scenario)


# ---- repetition -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "refusal",
    [ErrorCode.NOT_LEADER_OR_FOLLOWER, ErrorCode.REQUEST_TIMED_OUT, ErrorCode.UNKNOWN_TOPIC_ID, HangUp()],
    ids=str,
)
def test_what_may_pass_is_sent_again_in_order(refusal: int | Exception) -> None:
    log = Log()
    log.refusals = [refusal, refusal]
    network, broker = network_with(log)

    async def scenario(producer: Any, cluster: Cluster) -> None:
        for number in range(20):
            await producer.send("orders", b"%d" % number)
            await trio.sleep(0.004)

    produce(network, scenario)
    assert log.values() == [b"%d" % number for number in range(20)]
    assert len(broker.asked("Metadata")) >= 3, "the leader was looked up anew"


def test_a_partition_that_moves_is_followed() -> None:
    log = Log()
    network, one = network_with(log)
    leaders = [1]
    nodes = {1: "one", 2: "two"}
    one.on("Metadata", lambda request: metadata({"orders": leaders}, nodes))
    two = network.broker("two").on("Produce", log.produce)

    def moved(request: ProduceRequest) -> ProduceResponse | None:
        leaders[0] = 2
        log.refusals.append(ErrorCode.NOT_LEADER_OR_FOLLOWER)
        return log.produce(request)

    one.on("Produce", moved)

    async def scenario(producer: Any, cluster: Cluster) -> None:
        await (await producer.send("orders", b"v")).wait()

    produce(network, scenario)
    assert (len(one.asked("Produce")), len(two.asked("Produce"))) == (1, 1)
    assert log.values() == [b"v"]


def test_a_repetition_is_the_same_bytes_and_sequences_go_on() -> None:
    log = Log()
    log.refusals = [ErrorCode.NETWORK_EXCEPTION]
    network, broker = network_with(log, partitions=2)

    async def scenario(producer: Any, cluster: Cluster) -> None:
        for count in (3, 1, 2):
            for _ in range(count):
                await producer.send("orders", b"v", partition=1)
            await producer.flush()
        await producer.send("orders", b"v", partition=0)

    produce(network, scenario, ProducerSettings())
    first, second, *_ = (request.topic_data[0].partition_data[0].records for request in broker.asked("Produce"))
    assert bytes(first) == bytes(second)
    headers = [header for partition, header in log.batches if partition == 1]
    assert [header.base_sequence for header in headers] == [0, 3, 4]
    assert {(header.producer_id, header.producer_epoch) for _, header in log.batches} == {(4711, 3)}
    assert [header.base_sequence for partition, header in log.batches if partition == 0] == [0]
    assert {request.acks for request in broker.asked("Produce")} == {ACKS_ALL}


def test_a_duplicate_that_the_broker_recognised_is_stored() -> None:
    log = Log()
    log.refusals = [ErrorCode.DUPLICATE_SEQUENCE_NUMBER]
    network, _ = network_with(log)

    async def scenario(producer: Any, cluster: Cluster) -> None:
        await (await producer.send("orders", b"v")).wait()

    produce(network, scenario, ProducerSettings())


# ---- how it ends ------------------------------------------------------------------------------------------------


def test_the_first_batch_that_cannot_be_delivered_ends_the_producer() -> None:
    log = Log()
    log.refusals = [ErrorCode.MESSAGE_TOO_LARGE]
    network, broker = network_with(log)

    async def scenario(producer: Any, cluster: Cluster) -> None:
        bad = await producer.send("orders", b"v")
        with pytest.raises(ClientError, match=r"orders-0: MESSAGE_TOO_LARGE .*max\.message\.bytes"):
            await bad.wait()
        with pytest.raises(ClientError, match="MESSAGE_TOO_LARGE"):
            await producer.send("orders", b"w")
        with pytest.raises(ClientError, match="MESSAGE_TOO_LARGE"):
            await producer.flush()

    with pytest.raises(ClientError, match="MESSAGE_TOO_LARGE"):
        produce(network, scenario)
    assert len(broker.asked("Produce")) == 1


def test_what_waits_behind_a_batch_that_failed_is_not_sent() -> None:
    log = Log()
    log.refusals = [ErrorCode.INVALID_RECORD]
    network, broker = network_with(log)

    async def scenario(producer: Any, cluster: Cluster) -> None:
        deliveries = {
            id(delivery): delivery for delivery in [await producer.send("orders", bytes(50)) for _ in range(6)]
        }
        assert len(deliveries) > 1
        for delivery in deliveries.values():
            with pytest.raises(ClientError, match="INVALID_RECORD"):
                await delivery.wait()

    with pytest.raises(ClientError, match="INVALID_RECORD"):
        produce(network, scenario, ProducerSettings(acks=1, idempotent=False, batch_bytes=200))
    assert len(broker.asked("Produce")) == 1


def test_the_delivery_timeout_ends_all_attempts() -> None:
    log = Log()
    log.refusals = [ErrorCode.NOT_ENOUGH_REPLICAS] * 1000
    network, _ = network_with(log)

    async def scenario(producer: Any, cluster: Cluster) -> None:
        await producer.send("orders", b"v")

    with pytest.raises(ClientError, match=r"NOT_ENOUGH_REPLICAS .*min\.insync\.replicas"):
        produce(network, scenario, ProducerSettings(acks=1, idempotent=False, delivery_timeout_s=9))
    assert len(log.refusals) > 900


def test_the_brokers_reason_is_told() -> None:
    network, broker = network_with(Log())
    reasons = [BatchIndexAndErrorMessage(0, "a record without a key")]
    answer = PartitionProduceResponse(0, ErrorCode.INVALID_RECORD, record_errors=reasons)
    broker.on(
        "Produce", lambda request: ProduceResponse([TopicProduceResponse("orders", partition_responses=[answer])])
    )

    async def scenario(producer: Any, cluster: Cluster) -> None:
        await producer.send("orders", b"v")

    with pytest.raises(ClientError, match="INVALID_RECORD: a record without a key"):
        produce(network, scenario)


def test_acks_0_waits_for_nobody() -> None:
    log = Log()
    network, _ = network_with(log)

    async def scenario(producer: Any, cluster: Cluster) -> None:
        delivery = await producer.send("orders", b"v")
        assert await delivery.wait() == -1
        await cluster.refresh(None)  # the broker has read what came before

    produce(network, scenario, ProducerSettings(acks=0, idempotent=False))
    assert log.values() == [b"v"]


def test_a_topic_that_the_broker_creates_by_itself_is_waited_for() -> None:
    log = Log()
    network, broker = network_with(log)
    tries = 0

    def created_at_the_third_look(request: MetadataRequest) -> MetadataResponse:
        nonlocal tries
        tries += bool(request.topics)
        there = metadata({"orders": [1]})
        if tries < 3:
            return MetadataResponse(brokers=there.brokers, topics=[missing_topic("orders")])
        return there

    broker.on("Metadata", created_at_the_third_look)

    async def scenario(producer: Any, cluster: Cluster) -> None:
        await producer.send("orders", b"v")

    produce(network, scenario)
    assert log.values() == [b"v"]
    assert broker.asked("Metadata")[0].allow_auto_topic_creation


def test_a_topic_that_never_appears_is_an_error_after_a_few_seconds() -> None:
    network, broker = network_with(Log())
    there = metadata({})
    broker.on("Metadata", lambda request: MetadataResponse(brokers=there.brokers, topics=[missing_topic("orders")]))

    async def scenario(producer: Any, cluster: Cluster) -> None:
        with pytest.raises(ClientError, match="topic orders: UNKNOWN_TOPIC_OR_PARTITION"):
            await producer.send("orders", b"v")
        assert trio.current_time() == pytest.approx(5)

    produce(network, scenario)


def test_no_producer_id_no_idempotence() -> None:
    network, broker = network_with(Log())
    broker.on("InitProducerId", lambda request: InitProducerIdResponse(0, ErrorCode.CLUSTER_AUTHORIZATION_FAILED))

    async def scenario(producer: Any, cluster: Cluster) -> None:
        raise AssertionError("the producer is not opened")

    with pytest.raises(ClientError, match="producer id: CLUSTER_AUTHORIZATION_FAILED"):
        produce(network, scenario, ProducerSettings())
