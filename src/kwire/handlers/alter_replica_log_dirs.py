"""AlterReplicaLogDirs: v1-v2.

v1 changes nothing. v2 is flexible.

A partition that is to go where it lies already is done. One that is to go to another directory of this broker is not
moved: the answer is OPERATION_NOT_ATTEMPTED, where Kafka would begin to copy it.
"""

from __future__ import annotations

from kwire.errors import ErrorCode
from kwire.handlers.context import Context
from kwire.handlers.registry import Call, serves
from kwire.protocol.messages.alter_replica_log_dirs_request import AlterReplicaLogDirsRequest
from kwire.protocol.messages.alter_replica_log_dirs_response import (
    AlterReplicaLogDirPartitionResult,
    AlterReplicaLogDirsResponse,
    AlterReplicaLogDirTopicResult,
)
from kwire.storage.checkpoints import TopicPartition


@serves(34, 1, 2)
def alter_replica_log_dirs(
    context: Context, request: AlterReplicaLogDirsRequest, call: Call
) -> AlterReplicaLogDirsResponse:
    # A partition that is asked for twice is to go where it was asked for last, and answered once.
    wanted = {
        TopicPartition(topic.name, index): directory.path
        for directory in request.dirs
        for topic in directory.topics
        for index in topic.partitions
    }
    topics: dict[str, list[AlterReplicaLogDirPartitionResult]] = {}
    for partition, path in wanted.items():
        row = AlterReplicaLogDirPartitionResult(partition.partition, _answer(context, partition, path))
        topics.setdefault(partition.topic, []).append(row)
    return AlterReplicaLogDirsResponse(
        results=[AlterReplicaLogDirTopicResult(name, rows) for name, rows in topics.items()]
    )


def _answer(context: Context, partition: TopicPartition, path: str) -> ErrorCode:
    log_dirs = context.logs.log_dirs
    target = next((log_dir for log_dir in log_dirs if log_dir.path == path), None)
    if target is None:
        return ErrorCode.LOG_DIR_NOT_FOUND
    if not target.is_online:
        return ErrorCode.KAFKA_STORAGE_ERROR
    home = log_dirs.home(partition)
    if home is None:
        return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    if not home.is_online:
        return ErrorCode.KAFKA_STORAGE_ERROR
    return ErrorCode.NONE if home is target else ErrorCode.OPERATION_NOT_ATTEMPTED
