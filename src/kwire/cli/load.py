"""Load for `kwire bench`: producing, consuming, and single records from producer to consumer.

So that the broker is measured and not this client, batches are encoded once and sent again and again, and what is
consumed is counted by the batches' headers. Time is trio's, so that tests can do without waiting.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from string import ascii_uppercase

import trio

from kwire.cli.progress import Progress
from kwire.client.cluster import Cluster
from kwire.client.consumer import ConsumerSettings, open_consumer
from kwire.client.errors import ClientError
from kwire.client.offsets import LATEST, list_offsets
from kwire.client.producer import produce_batch
from kwire.client.topology import TopicPartition
from kwire.errors import ErrorCode
from kwire.records.builder import BatchBuilder
from kwire.records.compression import CompressionType

NUMBER_BYTES = 8
"""A record of the latency phase begins with its number."""

LATE_MAX = 1000
"""Records of the latency phase that may be under way at once; past that the pace is the broker's, not ours."""


@dataclass(frozen=True, slots=True)
class Throughput:
    """What a phase moved, in how much time, and how long each of its requests took."""

    records: int
    size_bytes: int  # of the records' values
    elapsed_s: float
    latencies_s: Sequence[float]


@dataclass(frozen=True, slots=True)
class Latencies:
    """How long single records took: to be acknowledged, and to reach a consumer."""

    acknowledged_s: Sequence[float]
    received_s: Sequence[float]


def percentile(values: Sequence[float], percent: float) -> float:
    """The smallest value that at least so many percent of them do not exceed (nearest rank)."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(len(ordered) * percent / 100) - 1)]


def encode_batch(record_count: int, record_bytes: int, codec: CompressionType, now_ms: int, rng: Random) -> bytes:
    """A batch of records of random capitals, which compress about as well as text does."""
    builder = BatchBuilder(codec=codec)
    for _ in range(record_count):
        builder.append(now_ms, None, "".join(rng.choices(ascii_uppercase, k=record_bytes)).encode())
    return bytes(builder.build())


async def produce_load(
    cluster: Cluster,
    partitions: Sequence[TopicPartition],
    batch: bytes,
    records_per_batch: int,
    record_bytes: int,
    batch_count: int,
    acks: int,
    in_flight: int,
    progress: Progress,
) -> Throughput:
    """Sends the same batch so many times, to one partition after the other, with so many requests under way."""
    latencies_s: list[float] = []
    numbers = iter(range(batch_count))

    async def keep_sending() -> None:
        for number in numbers:
            began_s = trio.current_time()
            await produce_batch(cluster, partitions[number % len(partitions)], batch, acks)
            latencies_s.append(trio.current_time() - began_s)
            progress.advance(records_per_batch, records_per_batch * record_bytes)

    began_s = trio.current_time()
    async with trio.open_nursery() as nursery:
        for _ in range(in_flight):
            nursery.start_soon(keep_sending)
    records = batch_count * records_per_batch
    return Throughput(records, records * record_bytes, trio.current_time() - began_s, latencies_s)


async def consume_load(
    cluster: Cluster,
    begins: Mapping[TopicPartition, int],
    ends: Mapping[TopicPartition, int],
    progress: Progress,
) -> Throughput:
    """Reads everything between the given offsets. Sizes are those of the batches as they are stored."""
    records = size_bytes = 0
    began_s = trio.current_time()
    async with open_consumer(cluster, begins, ends, ConsumerSettings(partition_max_bytes=4 << 20)) as consumer:
        async for found in consumer:
            count = sum(header.record_count for _, header in found.batches)
            size = sum(header.size_bytes for _, header in found.batches)
            records += count
            size_bytes += size
            progress.advance(count, size)
    return Throughput(records, size_bytes, trio.current_time() - began_s, ())


async def latency_load(
    cluster: Cluster,
    partitions: Sequence[TopicPartition],
    record_bytes: int,
    count: int,
    rate_per_s: float,
    acks: int,
    progress: Progress,
) -> Latencies:
    """Sends single records at a steady rate, and waits for each at a consumer."""
    starts = {at: found.offset for at, found in (await list_offsets(cluster, partitions, LATEST)).items()}
    padding = bytes(max(0, record_bytes - NUMBER_BYTES))
    sent_s = [0.0] * count
    acknowledged_s: list[float] = []
    received_s: list[float] = []
    under_way = trio.Semaphore(LATE_MAX)

    async def send(number: int) -> None:
        builder = BatchBuilder()
        builder.append(0, None, number.to_bytes(NUMBER_BYTES, "big") + padding)
        sent_s[number] = trio.current_time()
        await produce_batch(cluster, partitions[number % len(partitions)], builder.build(), acks)
        acknowledged_s.append(trio.current_time() - sent_s[number])
        under_way.release()

    async def receive(task_status: trio.TaskStatus[None]) -> None:
        async with open_consumer(cluster, starts) as consumer:
            task_status.started()
            async for found in consumer:
                now_s = trio.current_time()
                for record in found.records():
                    number = int.from_bytes((record.value or b"")[:NUMBER_BYTES], "big")
                    if number < count:
                        received_s.append(now_s - sent_s[number])
                        progress.advance(1, record_bytes)
                if len(received_s) >= count:
                    return

    with trio.move_on_after(count / rate_per_s + cluster.settings.deadline_s) as scope:
        async with trio.open_nursery() as nursery:
            await nursery.start(receive)
            began_s = trio.current_time()
            for number in range(count):
                await trio.sleep_until(began_s + number / rate_per_s)
                await under_way.acquire()
                nursery.start_soon(send, number)
    if scope.cancelled_caught:
        message = f"{count - len(received_s)} of {count} records did not arrive in time"
        raise ClientError(ErrorCode.REQUEST_TIMED_OUT, message, "is a lower --rate any better?")
    return Latencies(acknowledged_s, received_s)
