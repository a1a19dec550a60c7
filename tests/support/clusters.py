"""A cluster to decide on: a store, the image that follows it, and bytes in the place of randomness."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any, TypeVar

from kwire.config import BrokerConfig
from kwire.metadata import entries
from kwire.metadata.decision import Decision
from kwire.metadata.embedded import EmbeddedStore
from kwire.metadata.image import MetadataImage
from kwire.metadata.topics import create_topics
from kwire.metadata.values import Endpoint, Node, Topic
from kwire.protocol.messages.create_topics_request import CreatableTopic, CreatableTopicConfig

R = TypeVar("R")

DIRECTORY = bytes(15) + b"\x0d"


def counted_bytes() -> Callable[[int], bytes]:
    """1, 2, 3 … as bytes of the size that is asked for."""
    numbers = count(1)
    return lambda size: next(numbers).to_bytes(size, "big")


class Cluster:
    """Nodes without topics. `commit` is what a broker does with a decision; the store checks what it expects."""

    def __init__(self, *node_ids: int, config: BrokerConfig | None = None) -> None:
        self.config = config or BrokerConfig.resolve({})
        self.random_bytes = counted_bytes()
        endpoints = {"PLAINTEXT": Endpoint("localhost", 9092, "PLAINTEXT")}
        nodes = [entries.node_change(Node(node_id, endpoints, (DIRECTORY,))) for node_id in node_ids or (1,)]
        self.store = EmbeddedStore.in_memory()
        self.store.commit(nodes, {})
        self.image = MetadataImage.of(self.store.snapshot())

    def commit(self, decision: Decision[R]) -> tuple[R, ...]:
        self.store.commit(decision.changes, decision.expected)
        for commit in self.store.watch(self.image.revision):
            self.image = self.image.apply(commit)
        return decision.rows

    def create(self, name: str, partitions: int = 1, **configs: Any) -> Topic:
        """A topic, with configs as in retention_ms=5."""
        given = [CreatableTopicConfig(key.replace("_", "."), str(value)) for key, value in configs.items()]
        asked = [CreatableTopic(name, partitions, -1, (), given)]
        (row,) = self.commit(create_topics(self.image, asked, self.config, self.random_bytes))
        assert not row.error, row.message
        return self.image.topics[name]
