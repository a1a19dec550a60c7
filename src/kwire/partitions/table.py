"""The partitions that this broker leads, found by topic name or id in one step."""

from __future__ import annotations

from collections.abc import Iterator

from kwire.errors import ErrorCode
from kwire.partitions.partition import Partition


class TopicPartitions(dict[int, Partition]):
    """The partitions of one topic, by index."""

    __slots__ = ("id", "name")

    def __init__(self, name: str, topic_id: bytes) -> None:
        super().__init__()
        self.name = name
        self.id = topic_id


class PartitionTable:
    """Topics and their partitions. `by_name` and `by_id` hold the same objects."""

    def __init__(self) -> None:
        self.by_name: dict[str, TopicPartitions] = {}
        self.by_id: dict[bytes, TopicPartitions] = {}

    def __iter__(self) -> Iterator[Partition]:
        for topic in self.by_name.values():
            yield from topic.values()

    def add(self, partition: Partition) -> None:
        topic = self.by_name.get(partition.topic)
        if topic is None or topic.id != partition.topic_id:
            topic = TopicPartitions(partition.topic, partition.topic_id)
            self.by_name[topic.name] = self.by_id[topic.id] = topic
        topic[partition.index] = partition

    def remove_topic(self, topic_id: bytes) -> list[Partition]:
        """Takes a topic out; its partitions, where all who wait are told that it is gone."""
        topic = self.by_id.pop(topic_id, None)
        if topic is None:
            return []
        if self.by_name.get(topic.name) is topic:
            del self.by_name[topic.name]
        for partition in topic.values():
            partition.close(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
        return list(topic.values())

    def remove(self, partition: Partition) -> None:
        """Takes one partition out, because its log directory went offline."""
        topic = self.by_id.get(partition.topic_id)
        if topic is not None and topic.get(partition.index) is partition:
            del topic[partition.index]
            partition.close(ErrorCode.KAFKA_STORAGE_ERROR)

    def get(self, topic: str, index: int) -> Partition | None:
        found = self.by_name.get(topic)
        return None if found is None else found.get(index)
