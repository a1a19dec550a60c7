"""A partition as clients are told of it: who leads it, who has it, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kwire.errors import ErrorCode
from kwire.handlers.context import Context
from kwire.metadata.values import NO_LEADER, Partition, Topic


class PartitionState(NamedTuple):
    """What Metadata and DescribeTopicPartitions have in common."""

    error: ErrorCode
    partition_index: int
    leader: int
    leader_epoch: int
    replicas: Sequence[int]
    isr: Sequence[int]
    offline: Sequence[int]


def partition_states(context: Context, topic: Topic) -> list[PartitionState]:
    """All partitions of a topic, by index."""
    served = context.partitions.by_id.get(topic.id)
    node_id = context.node_id
    states: list[PartitionState] = []
    for partition in topic.partitions.values():
        if partition.leader == node_id and (served is None or partition.index not in served):
            states.append(_offline(partition, node_id))
        else:
            error = ErrorCode.LEADER_NOT_AVAILABLE if partition.leader == NO_LEADER else ErrorCode.NONE
            states.append(
                PartitionState(
                    error,
                    partition.index,
                    partition.leader,
                    partition.leader_epoch,
                    partition.replicas,
                    partition.isr,
                    partition.offline,
                )
            )
    return states


def _offline(partition: Partition, node_id: int) -> PartitionState:
    """A partition that is ours to lead, but whose log directory has failed: nobody leads it."""
    return PartitionState(
        ErrorCode.LEADER_NOT_AVAILABLE,
        partition.index,
        NO_LEADER,
        partition.leader_epoch,
        partition.replicas,
        partition.isr,
        tuple({*partition.offline, node_id}),
    )
