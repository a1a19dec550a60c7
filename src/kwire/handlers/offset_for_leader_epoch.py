"""OffsetForLeaderEpoch: v2-v4.

v2 checks the current leader epoch and adds the throttle time. v3 names the replica that asks. v4 is flexible.

A consumer that comes back with the epoch of its last record learns up to where the log still is what it has read
(KIP-320).
"""

from __future__ import annotations

from kwire.errors import ErrorCode
from kwire.handlers.context import Context
from kwire.handlers.fetch import check_leader_epoch
from kwire.handlers.registry import Call, serves
from kwire.protocol.messages.offset_for_leader_epoch_request import (
    OffsetForLeaderEpochRequest,
    OffsetForLeaderPartition,
)
from kwire.protocol.messages.offset_for_leader_epoch_response import (
    EpochEndOffset,
    OffsetForLeaderEpochResponse,
    OffsetForLeaderTopicResult,
)


@serves(23, 2, 4)
def offset_for_leader_epoch(
    context: Context, request: OffsetForLeaderEpochRequest, call: Call
) -> OffsetForLeaderEpochResponse:
    return OffsetForLeaderEpochResponse(
        topics=[
            OffsetForLeaderTopicResult(topic.topic, [_answer(context, topic.topic, row) for row in topic.partitions])
            for topic in request.topics
        ]
    )


def _answer(context: Context, topic: str, row: OffsetForLeaderPartition) -> EpochEndOffset:
    partition = context.partitions.get(topic, row.partition)
    if partition is None:
        return EpochEndOffset(context.absence_of(topic, row.partition), row.partition)
    code = check_leader_epoch(row.current_leader_epoch, partition.leader_epoch)
    if code:
        return EpochEndOffset(code, row.partition)
    log = partition.log
    end = log.leader_epochs.end_offset_for(row.leader_epoch, log.log_end_offset)
    return EpochEndOffset(ErrorCode.NONE, row.partition, end.epoch, end.end_offset)
