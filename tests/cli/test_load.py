"""What `kwire bench` measures, against a scripted broker that takes a known time under a virtual clock."""

from __future__ import annotations

import io
from random import Random
from typing import Any

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from kwire.cli import load
from kwire.cli.bench import latency_rows, throughput_row
from kwire.cli.load import (
    Latencies,
    Throughput,
    consume_load,
    encode_batch,
    latency_load,
    percentile,
    produce_load,
)
from kwire.cli.progress import Progress
from kwire.client.cluster import Cluster, ClusterSettings
from kwire.client.errors import ClientError
from kwire.client.topology import TopicPartition
from kwire.protocol.messages.fetch_request import FetchRequest
from kwire.protocol.messages.fetch_response import FetchableTopicResponse, FetchResponse, PartitionData
from kwire.protocol.messages.list_offsets_request import ListOffsetsRequest
from kwire.protocol.messages.list_offsets_response import (
    ListOffsetsPartitionResponse,
    ListOffsetsResponse,
    ListOffsetsTopicResponse,
)
from kwire.protocol.messages.produce_request import ProduceRequest
from kwire.protocol.messages.produce_response import PartitionProduceResponse, ProduceResponse, TopicProduceResponse
from kwire.records.batch import patch_offsets, read_header
from kwire.records.compression import CompressionType
from kwire.records.record import iter_records
from scripted_broker import ScriptedNetwork, metadata, run

PARTITIONS = [TopicPartition("bench", 0), TopicPartition("bench", 1)]


class SlowBroker:
    """Stores batches after `produce_s`, and has readers wait until there is something."""

    def __init__(self, produce_s: float) -> None:
        self.produce_s = produce_s
        self.logs: dict[int, list[bytes]] = {0: [], 1: []}
        self.grown = trio.Event()
        self.loses = 0

    def network(self) -> ScriptedNetwork:
        network = ScriptedNetwork()
        broker = network.broker("one")
        broker.on("Metadata", lambda request: metadata({"bench": [1, 1]}))
        broker.on("Produce", self.produce).on("Fetch", self.fetch).on("ListOffsets", self.list_offsets)
        return network

    def end(self, partition: int) -> int:
        return sum(read_header(batch).record_count for batch in self.logs[partition])

    async def produce(self, request: ProduceRequest) -> ProduceResponse:
        await trio.sleep(self.produce_s)
        [topic] = request.topic_data
        [row] = topic.partition_data
        data: Any = row.records
        batch = bytearray(data)
        offset = self.end(row.index)
        patch_offsets(batch, 0, offset, 0)
        if self.loses:
            self.loses -= 1
        else:
            self.logs[row.index].append(bytes(batch))
        self.grown.set()
        self.grown = trio.Event()
        answer = PartitionProduceResponse(row.index, 0, offset)
        return ProduceResponse([TopicProduceResponse(topic.name, topic.topic_id, [answer])])

    async def fetch(self, request: FetchRequest) -> FetchResponse:
        with trio.move_on_after(request.max_wait_ms / 1000):
            while not any(self.read(row) for row in request.topics[0].partitions):
                await self.grown.wait()
        rows = [
            PartitionData(row.partition, 0, self.end(row.partition), records=self.read(row))
            for row in request.topics[0].partitions
        ]
        return FetchResponse(responses=[FetchableTopicResponse("bench", request.topics[0].topic_id, rows)])

    def read(self, row: Any) -> bytes:
        return b"".join(b for b in self.logs[row.partition] if read_header(b).last_offset >= row.fetch_offset)

    def list_offsets(self, request: ListOffsetsRequest) -> ListOffsetsResponse:
        rows = [
            ListOffsetsPartitionResponse(row.partition_index, 0, -1, self.end(row.partition_index))
            for row in request.topics[0].partitions
        ]
        return ListOffsetsResponse(topics=[ListOffsetsTopicResponse("bench", rows)])


def progress() -> Progress:
    return Progress("test", None, io.StringIO())


def test_a_batch_is_what_was_asked_for() -> None:
    batch = encode_batch(20, 50, CompressionType.LZ4, 1234, Random(1))
    header = read_header(batch)
    assert (header.record_count, header.compression, header.max_timestamp) == (20, CompressionType.LZ4, 1234)
    values = {record.value for record in iter_records(batch, 0, header)}
    assert len(values) == 20
    assert {len(value or b"") for value in values} == {50}


def test_producing_and_consuming_count_records_time_and_bytes() -> None:
    broker = SlowBroker(produce_s=0.5)
    batch = encode_batch(10, 30, CompressionType.NONE, 0, Random(1))

    async def scenario(cluster: Cluster) -> None:
        produced = await produce_load(cluster, PARTITIONS, batch, 10, 30, 8, 1, 1, progress())
        assert (produced.records, produced.size_bytes, produced.elapsed_s) == (80, 2400, pytest.approx(4))
        assert produced.latencies_s == [pytest.approx(0.5)] * 8
        assert (broker.end(0), broker.end(1)) == (40, 40)
        ends = dict.fromkeys(PARTITIONS, 40)
        counted = progress()
        consumed = await consume_load(cluster, dict.fromkeys(PARTITIONS, 0), ends, counted)
        assert (consumed.records, consumed.size_bytes) == (80, 8 * len(batch))
        assert (counted.records, counted.size_bytes) == (80, 8 * len(batch))

    run(broker.network(), scenario)


def test_single_records_are_timed_to_the_ack_and_to_the_consumer() -> None:
    broker = SlowBroker(produce_s=0.02)

    async def scenario(cluster: Cluster) -> None:
        measured = await latency_load(cluster, PARTITIONS, 100, 40, 10, -1, progress())
        assert measured.acknowledged_s == [pytest.approx(0.02)] * 40
        assert len(measured.received_s) == 40
        assert max(measured.received_s) <= 0.03
        assert trio.current_time() == pytest.approx(39 / 10 + 0.02)

    run(broker.network(), scenario)


def test_a_slow_broker_sets_the_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "LATE_MAX", 2)
    broker = SlowBroker(produce_s=1)  # one after the other, since they come on one connection

    async def scenario(cluster: Cluster) -> None:
        measured = await latency_load(cluster, PARTITIONS, 100, 6, 1000, -1, progress())
        assert trio.current_time() == pytest.approx(6, abs=0.1)
        assert max(measured.acknowledged_s) <= 2.1

    run(broker.network(), scenario)


def test_records_that_do_not_arrive_are_told() -> None:
    broker = SlowBroker(produce_s=0.02)
    broker.loses = 3

    async def scenario(cluster: Cluster) -> None:
        with pytest.raises(ClientError, match="3 of 20 records did not arrive in time"):
            await latency_load(cluster, PARTITIONS, 100, 20, 10, -1, progress())

    run(broker.network(), scenario, ClusterSettings(deadline_s=5))


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=50), st.floats(0, 100))
def test_a_percentile_is_one_of_the_values_and_enough_do_not_exceed_it(values: list[float], percent: float) -> None:
    found = percentile(values, percent)
    assert found in values
    assert sum(value <= found for value in values) >= len(values) * percent / 100
    assert sum(value < found for value in values) <= len(values) * percent / 100


def test_rows() -> None:
    row = throughput_row("produce", Throughput(1000, 2_000_000, 0.5, [0.001] * 99 + [0.1]))
    assert row == {
        "phase": "produce",
        "records": 1000,
        "seconds": 0.5,
        "records_per_s": 2000,
        "mb_per_s": 4.0,
        "p50_ms": 1.0,
        "p99_ms": 1.0,
        "p99.9_ms": 100.0,
        "max_ms": 100.0,
    }
    assert throughput_row("consume", Throughput(0, 0, 0, ()))["p50_ms"] is None
    assert [each["phase"] for each in latency_rows(Latencies([0.1], [0.2]))] == ["ack", "end to end"]
