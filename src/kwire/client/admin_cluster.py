"""The cluster itself: its brokers, what they support, and where they keep their data."""

from __future__ import annotations

from dataclasses import dataclass

from kwire.client.cluster import Cluster
from kwire.client.errors import check
from kwire.client.topology import Node
from kwire.protocol.messages import APIS
from kwire.protocol.messages.describe_log_dirs_request import DescribeLogDirsRequest
from kwire.protocol.messages.describe_log_dirs_response import DescribeLogDirsResponse
from kwire.protocol.schema import Versions


@dataclass(frozen=True, slots=True)
class ClusterDescription:
    cluster_id: str | None
    controller_id: int
    nodes: tuple[Node, ...]  # by id


@dataclass(frozen=True, slots=True)
class Feature:
    """A feature level (KIP-584). `finalized` is the level in force, None while the feature is off."""

    name: str
    supported: Versions
    finalized: int | None


@dataclass(frozen=True, slots=True)
class ServedApi:
    key: int
    name: str  # of an API that we do not know: its key
    served: Versions
    known: Versions | None  # to this client


@dataclass(frozen=True, slots=True)
class LogPartition:
    topic: str
    partition: int
    size_bytes: int
    offset_lag: int
    is_future: bool  # being moved here from another directory


@dataclass(frozen=True, slots=True)
class LogDir:
    node_id: int
    path: str
    total_bytes: int  # -1 from brokers that do not tell
    usable_bytes: int
    partitions: tuple[LogPartition, ...]


async def describe_cluster(cluster: Cluster) -> ClusterDescription:
    topology = await cluster.refresh(())
    return ClusterDescription(
        topology.cluster_id,
        topology.controller_id,
        tuple(sorted(topology.nodes.values(), key=lambda node: node.node_id)),
    )


async def describe_features(cluster: Cluster) -> list[Feature]:
    """What one broker says: which levels it supports, and which the whole cluster has agreed on."""
    answer = (await cluster.any_connection()).api_versions
    finalized = {row.name: row.max_version_level for row in answer.finalized_features}
    features = [
        Feature(row.name, Versions(row.min_version, row.max_version), finalized.get(row.name))
        for row in answer.supported_features
    ]
    return sorted(features, key=lambda feature: feature.name)


async def describe_apis(cluster: Cluster, node_id: int | None = None) -> list[ServedApi]:
    """What a broker serves, and what this client knows of it."""
    connection = await (cluster.any_connection() if node_id is None else cluster.connection_to(node_id))
    rows: list[ServedApi] = []
    for row in sorted(connection.api_versions.api_keys, key=lambda row: row.api_key):
        api = APIS.get(row.api_key)
        name = str(row.api_key) if api is None else api.name
        known = None if api is None else api.versions
        rows.append(ServedApi(row.api_key, name, Versions(row.min_version, row.max_version), known))
    return rows


async def describe_log_dirs(cluster: Cluster, node_id: int) -> list[LogDir]:
    """The directories of one broker, and what lies in them."""
    answer = await cluster.call_node(node_id, DescribeLogDirsRequest(None), DescribeLogDirsResponse)
    check(f"log directories of broker {node_id}", answer.error_code)
    dirs: list[LogDir] = []
    for result in answer.results:
        check(f"log directory {result.log_dir} of broker {node_id}", result.error_code)
        partitions = [
            LogPartition(topic.name, row.partition_index, row.partition_size, row.offset_lag, row.is_future_key)
            for topic in result.topics
            for row in topic.partitions
        ]
        partitions.sort(key=lambda row: (row.topic, row.partition))
        dirs.append(LogDir(node_id, result.log_dir, result.total_bytes, result.usable_bytes, tuple(partitions)))
    return dirs
