"""confluent-kafka (librdkafka) in the words of the checks."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

from compat_tests.client import (
    CREATE_TIME,
    DEADLINE_S,
    LOG_APPEND_TIME,
    REQUEST_BYTES_MAX,
    Acks,
    Message,
    OffsetReset,
    Received,
    RefusedError,
)
from confluent_kafka import (
    OFFSET_BEGINNING,
    OFFSET_END,
    TIMESTAMP_CREATE_TIME,
    Consumer,
    KafkaError,
    KafkaException,
    Producer,
    TopicCollection,
    TopicPartition,
)
from confluent_kafka import (
    Message as ConfluentMessage,
)
from confluent_kafka.admin import (
    AdminClient,
    AlterConfigOpType,
    ConfigEntry,
    ConfigResource,
    NewPartitions,
    NewTopic,
    ResourceType,
)

ACKS: dict[Acks, dict[str, object]] = {
    "0": {"acks": "0"},
    "1": {"acks": "1"},
    "all": {"acks": "all"},
    "idempotent": {"enable.idempotence": True},
}
OFFSET_OUT_OF_RANGE = 1


def refused(error: KafkaError) -> RefusedError:
    # librdkafka tells of an offset out of range with the code of what it could not do about it.
    is_out_of_range = error.code() == KafkaError._AUTO_OFFSET_RESET and "out of range" in error.str()
    return RefusedError(OFFSET_OUT_OF_RANGE if is_out_of_range else error.code(), error.str())


@contextmanager
def refusals() -> Iterator[None]:
    """librdkafka's errors as ours."""
    try:
        yield
    except KafkaException as error:
        raise refused(error.args[0]) from error


def outcome(futures: Mapping[Any, Future[Any]]) -> Any:
    """The result of the one thing that was asked."""
    (future,) = futures.values()
    with refusals():
        return future.result(DEADLINE_S)


class ConfluentClient:
    def __init__(self, bootstrap: str) -> None:
        self._bootstrap = bootstrap
        self._admin = AdminClient({"bootstrap.servers": bootstrap})

    def produce(
        self, topic: str, messages: Sequence[Message], *, compression: str = "none", acks: Acks = "all"
    ) -> list[int]:
        settings = {
            "bootstrap.servers": self._bootstrap,
            "compression.type": compression,
            "message.max.bytes": REQUEST_BYTES_MAX,
            "linger.ms": 5,
            **ACKS[acks],
        }
        producer = Producer(settings)
        offsets: list[int] = [-1] * len(messages)
        errors: list[KafkaError] = []

        def delivered(index: int, error: KafkaError | None, message: ConfluentMessage) -> None:
            if error is not None:
                errors.append(error)
            else:
                offsets[index] = message.offset()

        for index, one in enumerate(messages):
            options: dict[str, Any] = {} if one.partition is None else {"partition": one.partition}
            if one.timestamp_ms is not None:
                options["timestamp"] = one.timestamp_ms
            producer.produce(
                topic,
                one.value,
                one.key,
                headers=list(one.headers),
                on_delivery=lambda error, message, index=index: delivered(index, error, message),
                **options,
            )
        if producer.flush(DEADLINE_S):
            raise TimeoutError("not all was delivered")
        if errors:
            raise refused(errors[0])
        return offsets

    @contextmanager
    def reader(
        self, topic: str, partitions: Sequence[int] = (0,), *, reset: OffsetReset = "none"
    ) -> Iterator[ConfluentReader]:
        consumer = Consumer(
            {
                "bootstrap.servers": self._bootstrap,
                "group.id": "not used",  # it will not start without one
                "enable.auto.commit": False,
                "enable.partition.eof": True,
                "fetch.wait.max.ms": 50,  # a seek waits for the fetch that is under way
                "auto.offset.reset": {"none": "error"}.get(reset, reset),
            }
        )
        try:
            yield ConfluentReader(consumer, topic, partitions)
        finally:
            consumer.close()

    def create_topic(self, topic: str, partitions: int = 1, configs: Mapping[str, str] | None = None) -> None:
        new = NewTopic(topic, partitions, 1, config=dict(configs or {}))
        outcome(self._admin.create_topics([new], operation_timeout=DEADLINE_S, request_timeout=DEADLINE_S))

    def list_topics(self) -> list[str]:
        return list(self._admin.list_topics(timeout=DEADLINE_S).topics)

    def describe_topic(self, topic: str) -> list[int]:
        described = outcome(self._admin.describe_topics(TopicCollection([topic])))
        return sorted(partition.id for partition in described.partitions)

    def add_partitions(self, topic: str, total: int) -> None:
        outcome(self._admin.create_partitions([NewPartitions(topic, total)]))

    def delete_topic(self, topic: str) -> None:
        outcome(self._admin.delete_topics([topic]))

    def delete_records(self, topic: str, before_offset: int) -> None:
        outcome(self._admin.delete_records([TopicPartition(topic, 0, before_offset)]))

    def describe_configs(self, topic: str) -> dict[str, str | None]:
        found = outcome(self._admin.describe_configs([ConfigResource(ResourceType.TOPIC, topic)]))
        return {key: entry.value for key, entry in found.items()}

    def alter_configs(self, topic: str, configs: Mapping[str, str]) -> None:
        entries = [
            ConfigEntry(key, value, incremental_operation=AlterConfigOpType.SET) for key, value in configs.items()
        ]
        resource = ConfigResource(ResourceType.TOPIC, topic, incremental_configs=entries)
        outcome(self._admin.incremental_alter_configs([resource]))


class ConfluentReader:
    def __init__(self, consumer: Consumer, topic: str, partitions: Sequence[int]) -> None:
        self._consumer = consumer
        self._topic = topic
        self._partitions = partitions

    def _at(self, offset: int) -> list[TopicPartition]:
        return [TopicPartition(self._topic, partition, offset) for partition in self._partitions]

    def seek_to_beginning(self) -> None:
        self._consumer.assign(self._at(OFFSET_BEGINNING))

    def seek_to_end(self) -> None:
        self._consumer.assign(self._at(OFFSET_END))
        # It looks for the end in the background, and says so once it is there.
        for _ in self._partitions:
            message = self._consumer.poll(DEADLINE_S)
            assert message is not None
            assert message.error().code() == KafkaError._PARTITION_EOF

    def seek(self, offset: int) -> None:
        self._consumer.assign(self._at(offset))

    def seek_to_time(self, timestamp_ms: int) -> None:
        with refusals():
            self._consumer.assign(self._consumer.offsets_for_times(self._at(timestamp_ms), timeout=DEADLINE_S))

    def read(self, count: int) -> list[Received]:
        received: list[Received] = []
        deadline = time.monotonic() + DEADLINE_S
        while len(received) < count:
            message = self._consumer.poll(max(0.0, deadline - time.monotonic()))
            if message is None:
                raise TimeoutError(f"{len(received)} of {count} records")
            error = message.error()
            if error is None:
                received.append(as_received(message))
            elif error.code() != KafkaError._PARTITION_EOF:
                raise refused(error)
        return received


def as_received(message: ConfluentMessage) -> Received:
    timestamp_type, timestamp_ms = message.timestamp()
    return Received(
        message.partition(),
        message.offset(),
        timestamp_ms,
        CREATE_TIME if timestamp_type == TIMESTAMP_CREATE_TIME else LOG_APPEND_TIME,
        message.key(),
        message.value(),
        tuple(message.headers() or ()),
    )
