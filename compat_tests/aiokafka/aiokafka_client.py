"""aiokafka in the words of the checks: each of them runs the event loop until it is done."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient, NewPartitions, NewTopic, RecordsToDelete
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType
from aiokafka.errors import KafkaError
from compat_tests.client import DEADLINE_S, REQUEST_BYTES_MAX, Acks, Message, OffsetReset, Received, RefusedError

ACKS: dict[Acks, dict[str, Any]] = {
    "0": {"acks": 0},
    "1": {"acks": 1},
    "all": {"acks": "all"},
    "idempotent": {"enable_idempotence": True},
}


@contextmanager
def refusals() -> Iterator[None]:
    """aiokafka's errors as ours."""
    try:
        yield
    except KafkaError as error:
        raise RefusedError(getattr(error, "errno", -1), repr(error)) from error


class AiokafkaClient:
    def __init__(self, bootstrap: str) -> None:
        self._bootstrap = bootstrap
        self._runner = asyncio.Runner()
        self._admin = self._runner.run(self._start_admin())

    async def _start_admin(self) -> AIOKafkaAdminClient:
        admin = AIOKafkaAdminClient(bootstrap_servers=self._bootstrap, request_timeout_ms=DEADLINE_S * 1000)
        await admin.start()
        return admin

    def close(self) -> None:
        self._runner.run(self._admin.close())
        self._runner.close()

    def run(self, coroutine: Any) -> Any:
        with refusals():
            return self._runner.run(coroutine)

    def produce(
        self, topic: str, messages: Sequence[Message], *, compression: str = "none", acks: Acks = "all"
    ) -> list[int]:
        return self.run(self._produce(topic, messages, compression, acks))

    async def _produce(self, topic: str, messages: Sequence[Message], compression: str, acks: Acks) -> list[int]:
        producer = AIOKafkaProducer(
            bootstrap_servers=self._bootstrap,
            compression_type=None if compression == "none" else compression,
            max_request_size=REQUEST_BYTES_MAX,
            **ACKS[acks],
        )
        await producer.start()
        try:
            futures = [
                await producer.send(
                    topic,
                    one.value,
                    one.key,
                    partition=one.partition,
                    timestamp_ms=one.timestamp_ms,
                    headers=list(one.headers),
                )
                for one in messages
            ]
            delivered = await asyncio.wait_for(asyncio.gather(*futures), DEADLINE_S)
            return [-1 if metadata is None else metadata.offset for metadata in delivered]
        finally:
            await producer.stop()

    @contextmanager
    def reader(
        self, topic: str, partitions: Sequence[int] = (0,), *, reset: OffsetReset = "none"
    ) -> Iterator[AiokafkaReader]:
        consumer = self.run(self._start_consumer(reset))
        try:
            yield AiokafkaReader(self, consumer, [TopicPartition(topic, partition) for partition in partitions])
        finally:
            self.run(consumer.stop())

    async def _start_consumer(self, reset: OffsetReset) -> AIOKafkaConsumer:
        consumer = AIOKafkaConsumer(bootstrap_servers=self._bootstrap, auto_offset_reset=reset)
        await consumer.start()
        return consumer

    def create_topic(self, topic: str, partitions: int = 1, configs: Mapping[str, str] | None = None) -> None:
        new = NewTopic(topic, partitions, 1, topic_configs=dict(configs or {}))
        response = self.run(self._admin.create_topics([new]))
        (row,) = response.to_object()["topic_errors"]
        raise_for(row["error_code"], topic)

    def list_topics(self) -> list[str]:
        return self.run(self._admin.list_topics())

    def describe_topic(self, topic: str) -> list[int]:
        (row,) = self.run(self._admin.describe_topics([topic]))
        raise_for(row["error_code"], topic)
        return sorted(partition["partition"] for partition in row["partitions"])

    def add_partitions(self, topic: str, total: int) -> None:
        self.run(self._admin.create_partitions({topic: NewPartitions(total)}))

    def delete_topic(self, topic: str) -> None:
        response = self.run(self._admin.delete_topics([topic]))
        (row,) = response.to_object()["topic_error_codes"]
        raise_for(row["error_code"], topic)

    def delete_records(self, topic: str, before_offset: int) -> None:
        self.run(self._admin.delete_records({TopicPartition(topic, 0): RecordsToDelete(before_offset)}))

    def describe_configs(self, topic: str) -> dict[str, str | None]:
        (response,) = self.run(self._admin.describe_configs([ConfigResource(ConfigResourceType.TOPIC, topic)]))
        (row,) = response.to_object()["resources"]
        raise_for(row["error_code"], topic)
        return {entry["config_names"]: entry["config_value"] for entry in row["config_entries"]}

    def alter_configs(self, topic: str, configs: Mapping[str, str]) -> None:
        resource = ConfigResource(ConfigResourceType.TOPIC, topic, dict(configs))
        for response in self.run(self._admin.alter_configs([resource])):
            for row in response.to_object()["resources"]:
                raise_for(row["error_code"], topic)


def raise_for(error_code: int, text: str) -> None:
    if error_code:
        raise RefusedError(error_code, text)


class AiokafkaReader:
    def __init__(self, client: AiokafkaClient, consumer: AIOKafkaConsumer, partitions: list[TopicPartition]) -> None:
        self._run = client.run
        self._consumer = consumer
        self._partitions = partitions
        self._run(self._assign())

    async def _assign(self) -> None:
        self._consumer.assign(self._partitions)

    def seek_to_beginning(self) -> None:
        self._run(self._consumer.seek_to_beginning(*self._partitions))

    def seek_to_end(self) -> None:
        self._run(self._consumer.seek_to_end(*self._partitions))

    def seek(self, offset: int) -> None:
        self._run(self._seek(dict.fromkeys(self._partitions, offset)))

    async def _seek(self, offsets: Mapping[TopicPartition, int]) -> None:
        for partition, offset in offsets.items():
            self._consumer.seek(partition, offset)

    def seek_to_time(self, timestamp_ms: int) -> None:
        found = self._run(self._consumer.offsets_for_times(dict.fromkeys(self._partitions, timestamp_ms)))
        self._run(self._seek({partition: at.offset for partition, at in found.items()}))

    def read(self, count: int) -> list[Received]:
        received: list[Received] = []
        deadline = time.monotonic() + DEADLINE_S
        while len(received) < count:
            if time.monotonic() > deadline:
                raise TimeoutError(f"{len(received)} of {count} records")
            polled = self._run(self._consumer.getmany(timeout_ms=500, max_records=count - len(received)))
            for records in polled.values():
                received += [
                    Received(
                        record.partition,
                        record.offset,
                        record.timestamp,
                        record.timestamp_type,
                        record.key,
                        record.value,
                        tuple(record.headers),
                    )
                    for record in records
                ]
        return received
