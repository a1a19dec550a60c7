"""ListOffsets: v1-v11.

v1 answers one offset a partition. v2 brings the isolation level. v4 checks the leader epoch and tells the record's.
v6 is flexible. v7 knows the largest timestamp (-3), v8 the earliest local (-4), v9 the latest tiered (-5); v10 may
wait for remote storage, v11 knows the earliest that is not tiered yet (-6).
"""

from __future__ import annotations

from collections import Counter

from kwire.errors import BrokerError, ErrorCode
from kwire.handlers.context import Context
from kwire.handlers.fetch import NO_EPOCH, check_leader_epoch
from kwire.handlers.registry import Call, serves
from kwire.protocol.messages.list_offsets_request import ListOffsetsPartition, ListOffsetsRequest, ListOffsetsTopic
from kwire.protocol.messages.list_offsets_response import (
    ListOffsetsPartitionResponse,
    ListOffsetsResponse,
    ListOffsetsTopicResponse,
)
from kwire.storage.files import StorageError
from kwire.storage.log import Isolation
from kwire.storage.offset_lookup import find_offset

EPOCH_SINCE_VERSION = 4
# The version from which on a special timestamp has a meaning.
SPECIAL_SINCE = {-1: 1, -2: 1, -3: 7, -4: 8, -5: 9, -6: 11}


@serves(2, 1, 11)
def list_offsets(context: Context, request: ListOffsetsRequest, call: Call) -> ListOffsetsResponse:
    isolation = Isolation.LAST_STABLE if request.isolation_level == 1 else Isolation.HIGH_WATERMARK
    times = Counter((topic.name, row.partition_index) for topic in request.topics for row in topic.partitions)
    return ListOffsetsResponse(
        topics=[
            ListOffsetsTopicResponse(
                topic.name,
                [
                    _answer(context, topic, row, isolation, call.version)
                    if times[topic.name, row.partition_index] == 1
                    else _error(row.partition_index, ErrorCode.INVALID_REQUEST)
                    for row in topic.partitions
                ],
            )
            for topic in request.topics
        ]
    )


def _answer(
    context: Context, topic: ListOffsetsTopic, row: ListOffsetsPartition, isolation: Isolation, version: int
) -> ListOffsetsPartitionResponse:
    index = row.partition_index
    partition = context.partitions.get(topic.name, index)
    if partition is None:
        return _error(index, context.absence_of(topic.name, index))
    if row.timestamp < 0 and version < SPECIAL_SINCE.get(row.timestamp, 2**15):
        return _error(index, ErrorCode.UNSUPPORTED_VERSION)
    code = check_leader_epoch(row.current_leader_epoch, partition.leader_epoch)
    if code:
        return _error(index, code)
    try:
        found = find_offset(partition.log, row.timestamp, isolation)
    except StorageError as error:
        context.storage_failed(error)
        return _error(index, ErrorCode.KAFKA_STORAGE_ERROR)
    except BrokerError as error:
        return _error(index, error.code)
    if found is None:
        return ListOffsetsPartitionResponse(index, 0)
    epoch = found.leader_epoch if version >= EPOCH_SINCE_VERSION else NO_EPOCH
    return ListOffsetsPartitionResponse(index, 0, timestamp=found.timestamp, offset=found.offset, leader_epoch=epoch)


def _error(index: int, code: ErrorCode) -> ListOffsetsPartitionResponse:
    return ListOffsetsPartitionResponse(index, code)
