"""Produces records: batches per partition, in order, tried again until they are stored or the time is over.

    async with open_producer(cluster) as producer:
        delivery = await producer.send("orders", b"value", key=b"key")
        offset = await delivery.wait()

Records with a key go where Java's client would send them, those without to one partition until its batch is closed. A
batch is sent when it is full or `linger_s` old, whichever comes first, and while it is on its way the next one fills.

What holds true: records of one partition are stored in the order in which they were sent. With idempotence none of
them is stored twice (the broker knows the batch by producer id and sequence); without, a repetition may do that. The
first batch that cannot be delivered ends the producer: from then on everything fails with that error, and nothing that
was sent later can be stored before it. The block ends when all is delivered.
"""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import trio

from kwire.client.background import background_tasks
from kwire.client.cluster import Cluster, Missing
from kwire.client.errors import ClientError, check, reply_error
from kwire.client.outbox import Delivery, Outbox
from kwire.client.partitioner import StickyPartition, partition_of_key
from kwire.client.topology import TopicPartition
from kwire.errors import ErrorCode
from kwire.protocol.messages.init_producer_id_request import InitProducerIdRequest
from kwire.protocol.messages.init_producer_id_response import InitProducerIdResponse
from kwire.protocol.messages.produce_request import PartitionProduceData, ProduceRequest, TopicProduceData
from kwire.protocol.messages.produce_response import PartitionProduceResponse, ProduceResponse
from kwire.records.batch import NO_PRODUCER_EPOCH, NO_PRODUCER_ID, increment_sequence
from kwire.records.builder import BatchBuilder
from kwire.records.compression import CompressionType
from kwire.records.record import Header

ACKS_ALL = -1
ACKS_NONE = 0
TOPIC_APPEARS_S = 5
"""How long a topic that does not exist yet may take to be created, where the broker creates topics by itself."""


@dataclass(frozen=True, slots=True)
class ProducerSettings:
    acks: int = ACKS_ALL
    compression: CompressionType = CompressionType.NONE
    compression_level: int | None = None
    batch_bytes: int = 128 * 1024  # before compression
    linger_s: float = 0.005
    idempotent: bool = True
    delivery_timeout_s: float = 120  # for a batch with all its attempts

    def __post_init__(self) -> None:
        assert self.acks == ACKS_ALL or not self.idempotent, "idempotence needs acks=all"


def wall_clock_ms() -> int:
    return int(time.time() * 1000)


@asynccontextmanager
async def open_producer(
    cluster: Cluster, settings: ProducerSettings | None = None, *, now_ms: Callable[[], int] = wall_clock_ms
) -> AsyncGenerator[Producer]:
    """A producer for the length of the block, which ends when everything is delivered. `now_ms` stamps the records."""
    settings = settings or ProducerSettings()
    async with background_tasks() as nursery:
        producer = Producer(cluster, settings, nursery, now_ms)
        if settings.idempotent:
            await producer.obtain_id()
        yield producer
        await producer.flush()


class Producer:
    def __init__(
        self, cluster: Cluster, settings: ProducerSettings, nursery: trio.Nursery, now_ms: Callable[[], int]
    ) -> None:
        self._cluster = cluster
        self._settings = settings
        self._nursery = nursery
        self._now_ms = now_ms
        self._producer_id = NO_PRODUCER_ID
        self._producer_epoch = NO_PRODUCER_EPOCH
        self._sticky: dict[str, StickyPartition] = {}  # by topic: that it is here means that its partitions are known
        self._outboxes: dict[TopicPartition, Outbox] = {}
        self._failure: ClientError | None = None

    async def obtain_id(self) -> None:
        """Asks for the producer id that lets the broker recognise repetitions."""

        async def attempt() -> InitProducerIdResponse:
            answer = await self._cluster.call_any(InitProducerIdRequest(None, 60_000), InitProducerIdResponse)
            check("producer id", answer.error_code)
            return answer

        answer = await self._cluster.retrying(attempt)
        self._producer_id, self._producer_epoch = answer.producer_id, answer.producer_epoch

    # ---- taking records --------------------------------------------------------------------------------------

    async def send(
        self,
        topic: str,
        value: bytes | None,
        *,
        key: bytes | None = None,
        headers: Iterable[Header] = (),
        partition: int | None = None,
        timestamp: int | None = None,
    ) -> Delivery:
        """Takes a record, when there is room for it. The delivery is that of its batch."""
        if topic not in self._sticky:
            await self._learn(topic)
        while True:
            try:
                return self.send_nowait(
                    topic, value, key=key, headers=headers, partition=partition, timestamp=timestamp
                )
            except trio.WouldBlock:
                await self._outbox(self._place(topic, key, partition)).wait_changed()

    def send_nowait(
        self,
        topic: str,
        value: bytes | None,
        *,
        key: bytes | None = None,
        headers: Iterable[Header] = (),
        partition: int | None = None,
        timestamp: int | None = None,
    ) -> Delivery:
        """`send`, if the topic is known and there is room; `trio.WouldBlock` otherwise."""
        if self._failure is not None:
            raise self._failure
        sticky = self._sticky.get(topic)
        if sticky is None:
            raise trio.WouldBlock
        outbox = self._outbox(self._place(topic, key, partition))
        if not outbox.has_room(key, value):
            if key is not None or partition is not None:
                raise trio.WouldBlock
            outbox = self._outbox(TopicPartition(topic, sticky.move()))
            if not outbox.has_room(key, value):
                raise trio.WouldBlock
        return outbox.append(self._now_ms() if timestamp is None else timestamp, key, value, headers)

    async def flush(self) -> None:
        """Returns when everything sent so far is delivered, or raises because something could not be."""
        for outbox in list(self._outboxes.values()):
            while not outbox.is_idle:
                outbox.close()
                await outbox.wait_changed()
        if self._failure is not None:
            raise self._failure

    async def _learn(self, topic: str) -> None:
        """Finds out how many partitions a topic has, having the broker create it if that is what it does."""

        async def attempt() -> int:
            return len((await self._cluster.topic(topic, Missing.CREATE)).partitions)

        count = await self._cluster.retrying(attempt, TOPIC_APPEARS_S)
        self._sticky[topic] = StickyPartition(count, self._cluster.rng)

    def _place(self, topic: str, key: bytes | None, partition: int | None) -> TopicPartition:
        sticky = self._sticky[topic]
        if partition is None:
            partition = sticky.partition if key is None else partition_of_key(key, sticky.partition_count)
        elif not 0 <= partition < sticky.partition_count:
            hint = f"{topic} has partitions 0 to {sticky.partition_count - 1}"
            raise reply_error(f"partition {topic}-{partition}", ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, hint=hint)
        return TopicPartition(topic, partition)

    def _outbox(self, at: TopicPartition) -> Outbox:
        outbox = self._outboxes.get(at)
        if outbox is None:
            settings = self._settings
            outbox = Outbox(at, settings.batch_bytes, settings.compression, settings.compression_level)
            self._outboxes[at] = outbox
            self._nursery.start_soon(self._empty, outbox)
        return outbox

    # ---- delivering batches ----------------------------------------------------------------------------------

    async def _empty(self, outbox: Outbox) -> None:
        """Sends one partition's batches, one after the other, for as long as the producer lives."""
        sequence = 0
        while True:
            while outbox.is_empty:
                await outbox.wait_changed()
            with trio.move_on_at(outbox.opened_at_s + self._settings.linger_s):
                while not outbox.closed:
                    await outbox.wait_changed()
            builder, delivery = outbox.take()
            self._move_on(outbox.at)
            try:
                if self._failure is not None:
                    raise self._failure
                batch = self._built(builder, sequence)
                delivery.resolve(await self._deliver(outbox.at, batch))
                sequence = increment_sequence(sequence, delivery.record_count)
            except ClientError as error:
                self._failure = self._failure or error
                delivery.reject(error)
            outbox.sent()

    def _move_on(self, at: TopicPartition) -> None:
        """A batch is closed: records without a key go elsewhere from now on."""
        sticky = self._sticky[at.topic]
        if sticky.partition == at.partition:
            sticky.move()

    def _built(self, builder: BatchBuilder, sequence: int) -> bytearray:
        if self._settings.idempotent:
            builder.producer_id = self._producer_id
            builder.producer_epoch = self._producer_epoch
            builder.base_sequence = sequence
        return builder.build()

    async def _deliver(self, at: TopicPartition, batch: bytearray) -> int:
        """The base offset at which a batch was stored. A repetition sends the same bytes."""

        async def attempt() -> int:
            return await produce_batch(self._cluster, at, batch, self._settings.acks)

        return await self._cluster.retrying(attempt, self._settings.delivery_timeout_s)


async def produce_batch(cluster: Cluster, at: TopicPartition, batch: bytes | bytearray, acks: int) -> int:
    """Sends one batch to its leader, once. The base offset at which it was stored, -1 with acks=0."""
    connection = await cluster.connection_to(await cluster.leader_of(at))
    timeout_s = cluster.settings.request_timeout_s
    topic_id = cluster.topology.topics[at.topic].topic_id
    topic = TopicProduceData(at.topic, topic_id, [PartitionProduceData(at.partition, batch)])
    request = ProduceRequest(None, acks, int(timeout_s * 1000), [topic])
    if acks == ACKS_NONE:
        await connection.send(request, timeout_s)
        return -1
    answer = await connection.call(request, ProduceResponse, timeout_s)
    return stored_at(at, next(row for topic in answer.responses for row in topic.partition_responses))


def stored_at(at: TopicPartition, row: PartitionProduceResponse) -> int:
    """The base offset that a reply tells, or its error."""
    if row.error_code == ErrorCode.DUPLICATE_SEQUENCE_NUMBER:
        return row.base_offset  # an earlier attempt was stored and only its answer was lost
    if row.error_code:
        details = [row.error_message, *(error.batch_index_error_message for error in row.record_errors)]
        raise reply_error(f"partition {at}", row.error_code, next(filter(None, details), None))
    return row.base_offset
