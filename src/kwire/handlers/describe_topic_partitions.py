"""DescribeTopicPartitions: v0.

Topics come in the order of their names, a limited number of partitions at a time. Where the limit is reached, the
cursor says where to go on (KIP-966). An empty list asks for all topics.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kwire.errors import ErrorCode
from kwire.handlers import authorized_operations
from kwire.handlers.context import Context
from kwire.handlers.partition_state import PartitionState, partition_states
from kwire.handlers.registry import Call, serves
from kwire.metadata.topics import invalid_topic_name
from kwire.metadata.values import INTERNAL_TOPICS, Topic
from kwire.protocol.messages.describe_topic_partitions_request import DescribeTopicPartitionsRequest
from kwire.protocol.messages.describe_topic_partitions_response import (
    Cursor,
    DescribeTopicPartitionsResponse,
    DescribeTopicPartitionsResponsePartition,
    DescribeTopicPartitionsResponseTopic,
)


@serves(75, 0, 0)
def describe_topic_partitions(
    context: Context, request: DescribeTopicPartitionsRequest, call: Call
) -> DescribeTopicPartitionsResponse:
    cursor = request.cursor
    asked = [topic.name for topic in request.topics]
    names = sorted(set(asked) if asked else context.image.topics)
    first_index = 0
    if cursor is not None:
        if cursor.partition_index < 0 or (asked and cursor.topic_name not in names):
            return _refused(asked)
        names = [name for name in names if name >= cursor.topic_name]
        first_index = cursor.partition_index if names and names[0] == cursor.topic_name else 0
    left = max(1, min(request.response_partition_limit, context.config.max_request_partition_size_limit))
    rows: list[DescribeTopicPartitionsResponseTopic] = []
    for name in names:
        if left == 0:
            return DescribeTopicPartitionsResponse(topics=rows, next_cursor=Cursor(name, 0))
        topic = context.image.topics.get(name)
        if topic is None:
            rows.append(_unknown(name))
            continue
        states = [state for state in partition_states(context, topic) if state.partition_index >= first_index]
        rows.append(_row(topic, states[:left]))
        if len(states) > left:
            return DescribeTopicPartitionsResponse(topics=rows, next_cursor=Cursor(name, states[left].partition_index))
        left -= len(states)
        first_index = 0
    return DescribeTopicPartitionsResponse(topics=rows)


def _refused(names: Iterable[str]) -> DescribeTopicPartitionsResponse:
    """The answer to a cursor that points nowhere."""
    return DescribeTopicPartitionsResponse(
        topics=[DescribeTopicPartitionsResponseTopic(ErrorCode.INVALID_REQUEST, name) for name in names]
    )


def _unknown(name: str) -> DescribeTopicPartitionsResponseTopic:
    invalid = invalid_topic_name(name) is not None
    return DescribeTopicPartitionsResponseTopic(
        ErrorCode.INVALID_TOPIC_EXCEPTION if invalid else ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        name,
        is_internal=name in INTERNAL_TOPICS,
        topic_authorized_operations=authorized_operations.ON_TOPIC,
    )


def _row(topic: Topic, states: Sequence[PartitionState]) -> DescribeTopicPartitionsResponseTopic:
    return DescribeTopicPartitionsResponseTopic(
        ErrorCode.NONE,
        topic.name,
        topic.id,
        topic.internal,
        [
            # All replicas that may lead are in sync: nobody is eligible beside them.
            DescribeTopicPartitionsResponsePartition(
                state.error,
                state.partition_index,
                state.leader,
                state.leader_epoch,
                state.replicas,
                state.isr,
                eligible_leader_replicas=(),
                last_known_elr=(),
                offline_replicas=state.offline,
            )
            for state in states
        ],
        authorized_operations.ON_TOPIC,
    )
