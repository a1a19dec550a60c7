"""kafka-python in the words of the checks."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from compat_tests.client import DEADLINE_S, REQUEST_BYTES_MAX, Acks, Message, OffsetReset, Received, RefusedError
from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer, TopicPartition
from kafka.admin import ConfigResource, ConfigResourceType
from kafka.errors import KafkaError

ACKS: dict[Acks, dict[str, object]] = {
    "0": {"acks": 0, "enable_idempotence": False},
    "1": {"acks": 1, "enable_idempotence": False},
    "all": {"acks": "all", "enable_idempotence": False},
    "idempotent": {"acks": "all", "enable_idempotence": True},
}


@contextmanager
def refusals() -> Iterator[None]:
    """kafka-python's errors as ours."""
    try:
        yield
    except KafkaError as error:
        raise RefusedError(getattr(error, "errno", -1), repr(error)) from error


class KafkaPythonClient:
    def __init__(self, bootstrap: str) -> None:
        self._bootstrap = bootstrap
        self._admin = KafkaAdminClient(bootstrap_servers=bootstrap, request_timeout_ms=DEADLINE_S * 1000)

    def close(self) -> None:
        self._admin.close()

    def produce(
        self, topic: str, messages: Sequence[Message], *, compression: str = "none", acks: Acks = "all"
    ) -> list[int]:
        producer = KafkaProducer(
            bootstrap_servers=self._bootstrap,
            compression_type=None if compression == "none" else compression,
            max_request_size=REQUEST_BYTES_MAX,
            **ACKS[acks],
        )
        try:
            with refusals():
                futures = [
                    producer.send(
                        topic, one.value, one.key, list(one.headers), one.partition, timestamp_ms=one.timestamp_ms
                    )
                    for one in messages
                ]
                producer.flush(timeout=DEADLINE_S)
                return [future.get(timeout=DEADLINE_S).offset for future in futures]
        finally:
            producer.close()

    @contextmanager
    def reader(
        self, topic: str, partitions: Sequence[int] = (0,), *, reset: OffsetReset = "none"
    ) -> Iterator[KafkaPythonReader]:
        consumer = KafkaConsumer(bootstrap_servers=self._bootstrap, group_id=None, auto_offset_reset=reset)
        try:
            yield KafkaPythonReader(consumer, [TopicPartition(topic, partition) for partition in partitions])
        finally:
            consumer.close()

    def create_topic(self, topic: str, partitions: int = 1, configs: Mapping[str, str] | None = None) -> None:
        with refusals():
            self._admin.create_topics({topic: {"num_partitions": partitions, "configs": dict(configs or {})}})

    def list_topics(self) -> list[str]:
        return self._admin.list_topics()

    def describe_topic(self, topic: str) -> list[int]:
        (row,) = self._admin.describe_topics([topic])
        if row["error_code"]:
            raise RefusedError(row["error_code"], topic)
        return sorted(partition["partition_index"] for partition in row["partitions"])

    def add_partitions(self, topic: str, total: int) -> None:
        with refusals():
            self._admin.create_partitions({topic: total})

    def delete_topic(self, topic: str) -> None:
        with refusals():
            self._admin.delete_topics([topic])

    def delete_records(self, topic: str, before_offset: int) -> None:
        with refusals():
            self._admin.delete_records({TopicPartition(topic, 0): before_offset})

    def describe_configs(self, topic: str) -> dict[str, str | None]:
        resource = ConfigResource(ConfigResourceType.TOPIC, topic)
        found = self._admin.describe_configs([resource], config_filter="all")["topic"][topic]
        return {key: config["value"] for key, config in found.items()}

    def alter_configs(self, topic: str, configs: Mapping[str, str]) -> None:
        with refusals():
            self._admin.alter_configs([ConfigResource(ConfigResourceType.TOPIC, topic, dict(configs))])


class KafkaPythonReader:
    def __init__(self, consumer: KafkaConsumer, partitions: list[TopicPartition]) -> None:
        self._consumer = consumer
        self._partitions = partitions
        consumer.assign(partitions)

    def seek_to_beginning(self) -> None:
        self._consumer.seek_to_beginning(*self._partitions)

    def seek_to_end(self) -> None:
        self._consumer.seek_to_end(*self._partitions)
        for partition in self._partitions:
            self._consumer.position(partition)

    def seek(self, offset: int) -> None:
        for partition in self._partitions:
            self._consumer.seek(partition, offset)

    def seek_to_time(self, timestamp_ms: int) -> None:
        found = self._consumer.offsets_for_times(dict.fromkeys(self._partitions, timestamp_ms))
        for partition, at in found.items():
            self._consumer.seek(partition, at.offset)

    def read(self, count: int) -> list[Received]:
        received: list[Received] = []
        deadline = time.monotonic() + DEADLINE_S
        with refusals():
            while len(received) < count:
                if time.monotonic() > deadline:
                    raise TimeoutError(f"{len(received)} of {count} records")
                for records in self._consumer.poll(timeout_ms=500, max_records=count - len(received)).values():
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
