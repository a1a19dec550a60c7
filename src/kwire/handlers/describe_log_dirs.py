"""DescribeLogDirs: v1-v5.

v1 changes nothing. v2 is flexible. v3 has an error of its own. v4 tells the size of the disk, and what is left of it.
v5 tells whether a directory takes no new partitions; there is no such directory here.

Null asks for all partitions. Directories are told whatever was asked for, in the order in which they are configured.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kwire.handlers.context import Context
from kwire.handlers.registry import Call, serves
from kwire.handlers.reply import Blocking
from kwire.protocol.messages.describe_log_dirs_request import DescribeLogDirsRequest
from kwire.protocol.messages.describe_log_dirs_response import (
    DescribeLogDirsPartition,
    DescribeLogDirsResponse,
    DescribeLogDirsResult,
    DescribeLogDirsTopic,
)
from kwire.storage.checkpoints import TopicPartition
from kwire.storage.log_dirs import LogDirDescription


@serves(35, 1, 5)
def describe_log_dirs(context: Context, request: DescribeLogDirsRequest, call: Call) -> Blocking:
    outline = context.logs.outline()
    wanted = None
    if request.topics is not None:
        wanted = {TopicPartition(topic.topic, index) for topic in request.topics for index in topic.partitions}

    def respond(described: Sequence[LogDirDescription]) -> DescribeLogDirsResponse:
        return DescribeLogDirsResponse(results=[_result(row, wanted) for row in described])

    return Blocking(lambda: context.logs.log_dirs.measure(outline), respond)


def _result(row: LogDirDescription, wanted: set[TopicPartition] | None) -> DescribeLogDirsResult:
    sizes = row.partition_sizes
    if wanted is not None:
        sizes = {partition: size for partition, size in sizes.items() if partition in wanted}
    return DescribeLogDirsResult(row.error, row.path, _topics(sizes), row.total_bytes, row.usable_bytes)


def _topics(sizes: Mapping[TopicPartition, int]) -> list[DescribeLogDirsTopic]:
    topics: dict[str, list[DescribeLogDirsPartition]] = {}
    for partition, size_bytes in sizes.items():
        topics.setdefault(partition.topic, []).append(DescribeLogDirsPartition(partition.partition, size_bytes))
    return [DescribeLogDirsTopic(name, partitions) for name, partitions in topics.items()]
