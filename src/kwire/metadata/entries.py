"""The keys and values under which metadata is stored: compact JSON, readable in any SQLite shell or with etcdctl.

    /cluster                       {"id":"kGhvE2DqTTiPyV5WJmsH1A"}
    /nodes/1                       {"endpoints":{"PLAINTEXT":["localhost",9092,"PLAINTEXT"]},
                                    "directories":["4nuXEDeVTp6TaUDCtgf4fQ"],"rack":null}
    /topics/orders                 {"id":"l-2O0Cc8TYGlJKfVSn9Gtw"}
    /partitions/<topic id>/0       {"leader":1,"leader_epoch":0,"partition_epoch":0,"replicas":[1],"isr":[1],
                                    "directories":["4nuXEDeVTp6TaUDCtgf4fQ"]}           and "offline" if any are
    /configs/topic/orders          {"retention.ms":"5000"}
    /configs/broker/1              likewise; /configs/broker/ is the default of all brokers
    /configs/group/<group id>      likewise; a group's id may contain slashes, and is therefore last
    /configs/client-metrics/<name> likewise
    /features                      {"group.version":1,"metadata.version":29}
    /producer-ids                  {"next":1000}

Ids of topics, directories and clusters are written as Kafka prints them: base64, url-safe, without padding. A topic's
entry, its partitions' and its configs' are written and deleted in one commit.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from kwire.metadata.store import Change
from kwire.metadata.values import Endpoint, Features, Node, Partition, ProducerIds, Resource, ResourceType, Topic

CLUSTER = "/cluster"
NODES = "/nodes/"
TOPICS = "/topics/"
PARTITIONS = "/partitions/"
CONFIGS = "/configs/"
FEATURES = "/features"
PRODUCER_IDS = "/producer-ids"

_RESOURCE_NAMES = {
    ResourceType.TOPIC: "topic",
    ResourceType.BROKER: "broker",
    ResourceType.GROUP: "group",
    ResourceType.CLIENT_METRICS: "client-metrics",
}
_RESOURCE_TYPES = {name: type_ for type_, name in _RESOURCE_NAMES.items()}

_dumps = json.JSONEncoder(separators=(",", ":")).encode
_loads = json.JSONDecoder().decode


def id_text(id_: bytes) -> str:
    """An id as Kafka prints it."""
    return base64.urlsafe_b64encode(id_)[:22].decode()


@lru_cache(maxsize=1024)  # a topic's id is in each of its partitions' keys, a directory's id in each of their values
def id_bytes(text: str) -> bytes:
    """The 16 bytes of an id that Kafka printed."""
    return binascii.a2b_base64(text.replace("-", "+").replace("_", "/") + "==")  # a third of base64's own time


# Keys


def topic_key(name: str) -> str:
    return TOPICS + name


def partition_key(topic_id: bytes, index: int) -> str:
    return f"{PARTITIONS}{id_text(topic_id)}/{index}"


def config_key(resource: Resource) -> str:
    return f"{CONFIGS}{_RESOURCE_NAMES[resource.type]}/{resource.name}"


def node_key(node_id: int) -> str:
    return f"{NODES}{node_id}"


def parse_topic_key(key: str) -> str:
    return key[len(TOPICS) :]


def parse_node_key(key: str) -> int:
    return int(key[len(NODES) :])


def parse_partition_key(key: str) -> tuple[bytes, int]:
    """(topic id, index)."""
    text, _, index = key[len(PARTITIONS) :].partition("/")
    return id_bytes(text), int(index)


def parse_config_key(key: str) -> Resource | None:
    """The resource, or None if it is of a type that this version does not know."""
    text, _, name = key[len(CONFIGS) :].partition("/")
    type_ = _RESOURCE_TYPES.get(text)
    return None if type_ is None else Resource(type_, name)


# Writing: a value as the change that stores it


def cluster_change(cluster_id: str) -> Change:
    return Change(CLUSTER, _dumps({"id": cluster_id}))


def node_change(node: Node) -> Change:
    endpoints = {name: [at.host, at.port, at.security_protocol] for name, at in node.endpoints.items()}
    directories = [id_text(directory) for directory in node.directories]
    fields = {"endpoints": endpoints, "directories": directories, "rack": node.rack}
    return Change(node_key(node.id), _dumps(fields))


def topic_change(topic: Topic) -> Change:
    """The topic's own entry; its partitions have theirs."""
    return Change(topic_key(topic.name), _dumps({"id": id_text(topic.id)}))


def partition_change(topic_id: bytes, partition: Partition) -> Change:
    fields: dict[str, Any] = {
        "leader": partition.leader,
        "leader_epoch": partition.leader_epoch,
        "partition_epoch": partition.partition_epoch,
        "replicas": partition.replicas,
        "isr": partition.isr,
        "directories": [id_text(directory) for directory in partition.directories],
    }
    if partition.offline:
        fields["offline"] = partition.offline
    return Change(partition_key(topic_id, partition.index), _dumps(fields))


def config_change(resource: Resource, values: Mapping[str, str]) -> Change:
    """A resource's whole configuration; an empty one has no entry."""
    return Change(config_key(resource), _dumps(dict(sorted(values.items()))) if values else None)


def features_change(levels: Mapping[str, int]) -> Change:
    """The finalized levels, with a 0 for a feature that is turned off."""
    return Change(FEATURES, _dumps(dict(sorted(levels.items()))))


def producer_ids_change(next_id: int) -> Change:
    return Change(PRODUCER_IDS, _dumps({"next": next_id}))


# Reading: an entry as a value


def parse_cluster(value: str) -> str:
    return _loads(value)["id"]


def parse_node(node_id: int, value: str, revision: int) -> Node:
    fields = _loads(value)
    endpoints = {name: Endpoint(*parts) for name, parts in fields["endpoints"].items()}
    return Node(node_id, endpoints, tuple(map(id_bytes, fields["directories"])), fields["rack"], revision)


def parse_topic_id(value: str) -> bytes:
    return id_bytes(_loads(value)["id"])


def parse_partition(index: int, value: str, revision: int) -> Partition:
    fields = _loads(value)
    replicas = tuple(fields["replicas"])
    isr = tuple(fields["isr"])
    return Partition(
        index,
        fields["leader"],
        fields["leader_epoch"],
        fields["partition_epoch"],
        replicas,
        replicas if isr == replicas else isr,  # nearly always the same: one tuple for both
        tuple(map(id_bytes, fields["directories"])),
        tuple(fields.get("offline", ())),
        revision,
    )


def parse_config(value: str) -> Mapping[str, str]:
    return _loads(value)


def parse_features(value: str, revision: int) -> Features:
    levels: dict[str, int] = _loads(value)
    disabled = frozenset(name for name, level in levels.items() if not level)
    return Features({name: level for name, level in levels.items() if level}, disabled, revision)


def parse_producer_ids(value: str, revision: int) -> ProducerIds:
    return ProducerIds(_loads(value)["next"], revision)
