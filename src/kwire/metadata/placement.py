"""Which nodes hold a new partition, and in which of their directories."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from kwire.errors import ErrorCode
from kwire.metadata.decision import RefusedError
from kwire.metadata.image import MetadataImage
from kwire.metadata.values import Partition

UNASSIGNED_DIRECTORY = bytes(16)
"""Written when a node has not said which directories it has (Kafka's DirectoryId.UNASSIGNED)."""


def place(image: MetadataImage, indexes: Iterable[int], replication_factor: int) -> list[Partition]:
    """New partitions with their replicas spread over all nodes in turn, the first of each being leader."""
    nodes = sorted(image.nodes)
    if replication_factor > len(nodes):
        raise RefusedError(
            ErrorCode.INVALID_REPLICATION_FACTOR,
            f"A replication factor of {replication_factor} is not possible with {len(nodes)} broker(s).",
        )
    assignments = [
        (index, [nodes[(index + shift) % len(nodes)] for shift in range(replication_factor)]) for index in indexes
    ]
    return new_partitions(image, assignments)


def check_assignment(image: MetadataImage, replicas: Sequence[int], replication_factor: int | None) -> None:
    """Refuses what cannot hold a partition. `replication_factor` is that of the topic's other partitions, if any."""
    code = ErrorCode.INVALID_REPLICA_ASSIGNMENT
    if not replicas:
        raise RefusedError(code, "The manual assignment has a partition without replicas.")
    for node in replicas:
        if node not in image.nodes:
            raise RefusedError(code, f"The manual assignment names broker {node}, which does not exist.")
        if replicas.count(node) > 1:
            raise RefusedError(code, f"The manual assignment names broker {node} twice for one partition.")
    if replication_factor is not None and len(replicas) != replication_factor:
        raise RefusedError(
            code,
            f"The manual assignment has a partition with {len(replicas)} replica(s), and another with "
            f"{replication_factor}.",
        )


def new_partitions(image: MetadataImage, assignments: Iterable[tuple[int, Sequence[int]]]) -> list[Partition]:
    """Partitions (index, replicas) as they begin: all replicas in sync, epochs at 0."""
    directories = _Directories(image)
    partitions: list[Partition] = []
    for index, nodes in assignments:
        replicas = tuple(nodes)
        held = tuple(map(directories.next_of, replicas))
        partitions.append(Partition(index, replicas[0], 0, 0, replicas, replicas, held))
    return partitions


class _Directories:
    """Hands out the directory with the fewest partitions. It counts only where there is a choice."""

    def __init__(self, image: MetadataImage) -> None:
        self._image = image
        self._counts: Counter[bytes] | None = None

    def next_of(self, node_id: int) -> bytes:
        directories = self._image.nodes[node_id].directories
        if len(directories) < 2:
            return directories[0] if directories else UNASSIGNED_DIRECTORY
        if self._counts is None:
            self._counts = Counter(
                directory
                for topic in self._image.topics.values()
                for partition in topic.partitions.values()
                for directory in partition.directories
            )
        counts = self._counts
        chosen = min(directories, key=lambda directory: counts[directory])
        counts[chosen] += 1
        return chosen
