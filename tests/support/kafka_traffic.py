"""Producing to and reading from a broker with confluent-kafka, as tests of whole directories need it: all of it."""

from __future__ import annotations

from collections.abc import Iterable

from confluent_kafka import OFFSET_BEGINNING, Consumer, Message, Producer
from confluent_kafka import KafkaError as KafkaErrors
from confluent_kafka import TopicPartition as TopicAndPartition
from confluent_kafka.admin import AdminClient, NewTopic

from kwire.records.record import Record
from kwire.storage.checkpoints import TopicPartition
from real_logs import Fields

WAIT_S = 30


def create_topics(bootstrap: str, topics: dict[str, tuple[int, dict[str, str]]]) -> None:
    """Topics by name, with their number of partitions and their configs."""
    admin = AdminClient({"bootstrap.servers": bootstrap})
    new = [NewTopic(name, count, 1, config=config) for name, (count, config) in topics.items()]
    for created in admin.create_topics(new).values():
        created.result(WAIT_S)


def delete_records(bootstrap: str, partition: TopicPartition, offset: int) -> None:
    admin = AdminClient({"bootstrap.servers": bootstrap})
    for deleted in admin.delete_records([TopicAndPartition(*partition, offset)]).values():
        deleted.result(WAIT_S)


def new_producer(bootstrap: str, **settings: str | int | bool) -> Producer:
    """A producer with these settings, their dots as underscores."""
    config = {name.replace("_", "."): value for name, value in settings.items()}
    return Producer({"bootstrap.servers": bootstrap, "linger.ms": 5, **config})


def send(producer: Producer, partition: TopicPartition, records: Iterable[Fields]) -> None:
    """Sends records and waits until each is acknowledged."""
    failed: list[object] = []
    for key, value, headers in records:
        producer.produce(
            partition.topic,
            key=key,
            value=value,
            headers=list(headers),
            partition=partition.partition,
            on_delivery=lambda error, _: failed.append(error) if error else None,
        )
    assert producer.flush(WAIT_S) == 0
    assert not failed


def read_topics(
    bootstrap: str, partitions: Iterable[TopicPartition], isolation: str
) -> dict[TopicPartition, list[Record]]:
    """Every record of these partitions, up to where the isolation level lets a consumer read."""
    consumer = Consumer(
        {
            "bootstrap.servers": bootstrap,
            "group.id": "reader",
            "enable.auto.commit": False,
            "enable.partition.eof": True,
            "isolation.level": isolation,
            "fetch.wait.max.ms": 50,
        }
    )
    found: dict[TopicPartition, list[Record]] = {partition: [] for partition in partitions}
    unread = set(found)
    consumer.assign([TopicAndPartition(*partition, OFFSET_BEGINNING) for partition in found])
    try:
        while unread:
            message = consumer.poll(WAIT_S)
            assert message is not None, f"nothing more to read, yet not at the end of {unread}"
            partition = TopicPartition(message.topic() or "", message.partition() or 0)
            error = message.error()
            if error is None:
                found[partition].append(_record(message))
            else:
                assert error.code() == KafkaErrors._PARTITION_EOF, error
                unread.discard(partition)
    finally:
        consumer.close()
    return found


def _record(message: Message) -> Record:
    headers = tuple(message.headers() or ())
    return Record(message.offset(), message.timestamp()[1], message.key(), message.value(), headers)
