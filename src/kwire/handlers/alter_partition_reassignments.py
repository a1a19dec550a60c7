"""AlterPartitionReassignments: v0-v1.

v1 can forbid that a partition gets more or fewer replicas (KIP-860).

On a single node the only place for a partition is where it is: that is granted, and done. Anything else names a broker
that does not exist, and a reassignment that could be cancelled (replicas null) is never under way.
"""

from __future__ import annotations

from kwire.errors import ErrorCode
from kwire.handlers.context import Context
from kwire.handlers.registry import Call, serves
from kwire.metadata.decision import RefusedError
from kwire.metadata.placement import check_assignment
from kwire.protocol.messages.alter_partition_reassignments_request import (
    AlterPartitionReassignmentsRequest,
    ReassignablePartition,
)
from kwire.protocol.messages.alter_partition_reassignments_response import (
    AlterPartitionReassignmentsResponse,
    ReassignablePartitionResponse,
    ReassignableTopicResponse,
)


@serves(45, 0, 1)
def alter_partition_reassignments(
    context: Context, request: AlterPartitionReassignmentsRequest, call: Call
) -> AlterPartitionReassignmentsResponse:
    return AlterPartitionReassignmentsResponse(
        allow_replication_factor_change=request.allow_replication_factor_change,
        error_message=None,
        responses=[
            ReassignableTopicResponse(topic.name, [_answer(context, topic.name, row) for row in topic.partitions])
            for topic in request.topics
        ],
    )


def _answer(context: Context, topic: str, row: ReassignablePartition) -> ReassignablePartitionResponse:
    try:
        _check(context, topic, row)
    except RefusedError as refused:
        return ReassignablePartitionResponse(row.partition_index, refused.code, refused.message)
    return ReassignablePartitionResponse(row.partition_index, error_message=None)


def _check(context: Context, topic: str, row: ReassignablePartition) -> None:
    known = context.image.topics.get(topic)
    if known is None or row.partition_index not in known.partitions:
        raise RefusedError(
            ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, f"There is no partition {topic}-{row.partition_index}."
        )
    if row.replicas is None:
        raise RefusedError(ErrorCode.NO_REASSIGNMENT_IN_PROGRESS)
    # What is left after this is the partition's present place: it has one replica, and there is one node.
    check_assignment(context.image, row.replicas, None)
