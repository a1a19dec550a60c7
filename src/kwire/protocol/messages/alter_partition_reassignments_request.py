"""AlterPartitionReassignmentsRequest: API key 45, versions 0-1, flexible 0+.

Generated from protocol_specs/045_alter_partition_reassignments.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class ReassignablePartition(Struct):
    __slots__ = ("partition_index", "replicas")

    def __init__(
        self,
        partition_index: int = 0,
        replicas: Sequence[int] | None = None,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.partition_index: Final = partition_index
        self.replicas: Final = replicas
        self.unknown_tags = unknown_tags


class ReassignableTopic(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: str = "",
        partitions: Sequence[ReassignablePartition] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.partitions: Final = partitions
        self.unknown_tags = unknown_tags


class AlterPartitionReassignmentsRequest(Message):
    __slots__ = ("timeout_ms", "allow_replication_factor_change", "topics")

    SCHEMA: ClassVar = MessageSchema(
        "AlterPartitionReassignmentsRequest",
        Versions(0, 1),
        ALWAYS,
        (
            Field("timeout_ms", "int32", default=60000),
            Field("allow_replication_factor_change", "bool", versions=Versions(1, LATEST), default=True),
            Field("topics", "ReassignableTopic", array=True, default=()),
        ),
        (
            StructSchema(
                "ReassignablePartition",
                (
                    Field("partition_index", "int32", default=0),
                    Field("replicas", "int32", array=True, nullable=ALWAYS),
                ),
            ),
            StructSchema(
                "ReassignableTopic",
                (
                    Field("name", "string", default=""),
                    Field("partitions", "ReassignablePartition", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"ReassignablePartition": ReassignablePartition, "ReassignableTopic": ReassignableTopic}

    def __init__(
        self,
        timeout_ms: int = 60000,
        allow_replication_factor_change: bool = True,
        topics: Sequence[ReassignableTopic] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.timeout_ms: Final = timeout_ms
        self.allow_replication_factor_change: Final = allow_replication_factor_change
        self.topics: Final = topics
        self.unknown_tags = unknown_tags
