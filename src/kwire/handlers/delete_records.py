"""DeleteRecords: v0-v2.

v1 changes nothing. v2 is flexible.

Records before an offset are gone for readers at once; their segments go with the next round of retention. Offset -1
stands for the high watermark. With one replica there is nobody to wait for, so that `timeout_ms` has nothing to bound.
"""

from __future__ import annotations

from kwire.errors import BrokerError, ErrorCode
from kwire.handlers.context import Context
from kwire.handlers.registry import Call, serves
from kwire.metadata.values import INTERNAL_TOPICS
from kwire.protocol.messages.delete_records_request import DeleteRecordsPartition, DeleteRecordsRequest
from kwire.protocol.messages.delete_records_response import (
    DeleteRecordsPartitionResult,
    DeleteRecordsResponse,
    DeleteRecordsTopicResult,
)

NO_LOW_WATERMARK = -1


@serves(21, 0, 2)
def delete_records(context: Context, request: DeleteRecordsRequest, call: Call) -> DeleteRecordsResponse:
    return DeleteRecordsResponse(
        topics=[
            DeleteRecordsTopicResult(topic.name, [_answer(context, topic.name, row) for row in topic.partitions])
            for topic in request.topics
        ]
    )


def _answer(context: Context, topic: str, row: DeleteRecordsPartition) -> DeleteRecordsPartitionResult:
    try:
        return DeleteRecordsPartitionResult(row.partition_index, _delete(context, topic, row))
    except BrokerError as error:
        return DeleteRecordsPartitionResult(row.partition_index, NO_LOW_WATERMARK, error.code)


def _delete(context: Context, topic: str, row: DeleteRecordsPartition) -> int:
    partition = context.partitions.get(topic, row.partition_index)
    if partition is None:
        raise BrokerError(context.absence_of(topic, row.partition_index))
    if topic in INTERNAL_TOPICS:
        raise BrokerError(ErrorCode.INVALID_TOPIC_EXCEPTION)
    if not partition.log.config.deletes:
        raise BrokerError(ErrorCode.POLICY_VIOLATION)
    partition.log.delete_records_before(row.offset)
    return partition.log.log_start_offset
