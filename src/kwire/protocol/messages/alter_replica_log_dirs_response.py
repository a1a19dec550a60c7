"""AlterReplicaLogDirsResponse: API key 34, versions 1-2, flexible 2+.

Generated from protocol_specs/034_alter_replica_log_dirs.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class AlterReplicaLogDirPartitionResult(Struct):
    __slots__ = ("partition_index", "error_code")

    def __init__(
        self,
        partition_index: int = 0,
        error_code: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.partition_index: Final = partition_index
        self.error_code: Final = error_code
        self.unknown_tags = unknown_tags


class AlterReplicaLogDirTopicResult(Struct):
    __slots__ = ("topic_name", "partitions")

    def __init__(
        self,
        topic_name: str = "",
        partitions: Sequence[AlterReplicaLogDirPartitionResult] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topic_name: Final = topic_name
        self.partitions: Final = partitions
        self.unknown_tags = unknown_tags


class AlterReplicaLogDirsResponse(Message):
    __slots__ = ("throttle_time_ms", "results")

    SCHEMA: ClassVar = MessageSchema(
        "AlterReplicaLogDirsResponse",
        Versions(1, 2),
        Versions(2, LATEST),
        (
            Field("throttle_time_ms", "int32", default=0),
            Field("results", "AlterReplicaLogDirTopicResult", array=True, default=()),
        ),
        (
            StructSchema(
                "AlterReplicaLogDirPartitionResult",
                (
                    Field("partition_index", "int32", default=0),
                    Field("error_code", "int16", default=0),
                ),
            ),
            StructSchema(
                "AlterReplicaLogDirTopicResult",
                (
                    Field("topic_name", "string", default=""),
                    Field("partitions", "AlterReplicaLogDirPartitionResult", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"AlterReplicaLogDirPartitionResult": AlterReplicaLogDirPartitionResult, "AlterReplicaLogDirTopicResult": AlterReplicaLogDirTopicResult}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        results: Sequence[AlterReplicaLogDirTopicResult] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.results: Final = results
        self.unknown_tags = unknown_tags
