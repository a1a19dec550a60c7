"""What metadata consists of: nodes, topics, partitions, the configs of a resource, features. Frozen, as all images are.

Every value that is an entry of the store carries the `revision` of that entry, so that a decision can demand that what
it was based on is still so when it is committed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

NO_LEADER = -1

INTERNAL_TOPICS = frozenset({"__consumer_offsets", "__share_group_state", "__transaction_state"})
"""Topics that the coordinators write and clients only read."""


class ResourceType(IntEnum):
    """What a configuration belongs to, by Kafka's wire value."""

    TOPIC = 2
    BROKER = 4
    BROKER_LOGGER = 8
    CLIENT_METRICS = 16
    GROUP = 32


class Resource(NamedTuple):
    """One thing that has a configuration. A broker's name is its id in digits; the default of all brokers is ""."""

    type: ResourceType
    name: str


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where clients reach a node through one of its listeners."""

    host: str
    port: int
    security_protocol: str


@dataclass(frozen=True, slots=True)
class Node:
    """A broker: its advertised endpoints by listener name, the ids of its log directories, and where it stands."""

    id: int
    endpoints: Mapping[str, Endpoint]
    directories: tuple[bytes, ...] = ()
    rack: str | None = None
    revision: int = 0


@dataclass(frozen=True, slots=True)
class Partition:
    """One partition's place in the cluster. `directories` are the log directories' ids, in the order of `replicas`."""

    index: int
    leader: int
    leader_epoch: int
    partition_epoch: int
    replicas: tuple[int, ...]
    isr: tuple[int, ...]
    directories: tuple[bytes, ...]
    offline: tuple[int, ...] = ()
    revision: int = 0


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic; `partitions` by index, in ascending order and without gaps. The id has 16 bytes and is never zero."""

    name: str
    id: bytes
    partitions: Mapping[int, Partition]
    revision: int = 0

    @property
    def internal(self) -> bool:
        return self.name in INTERNAL_TOPICS


@dataclass(frozen=True, slots=True)
class ResourceConfig:
    """What was set for one resource, as text."""

    values: Mapping[str, str]
    revision: int = 0


@dataclass(frozen=True, slots=True)
class Features:
    """The finalized feature levels. `epoch` grows with every change."""

    levels: Mapping[str, int]
    """Those above 0: what ApiVersions tells."""
    disabled: frozenset[str] = frozenset()
    """Those that were set to 0. A feature in neither was not known to the kwire that wrote this."""
    epoch: int = -1
    """The revision of the entry, or -1 (Kafka's "unknown") while there is none."""

    @property
    def revision(self) -> int:
        return max(self.epoch, 0)


@dataclass(frozen=True, slots=True)
class ProducerIds:
    """The first producer id that no block has taken yet."""

    next_id: int = 0
    revision: int = 0
