"""ListPartitionReassignmentsResponse: API key 46, versions 0, flexible 0+.

Generated from protocol_specs/046_list_partition_reassignments.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class OngoingPartitionReassignment(Struct):
    __slots__ = ("partition_index", "replicas", "adding_replicas", "removing_replicas")

    def __init__(
        self,
        partition_index: int = 0,
        replicas: Sequence[int] = (),
        adding_replicas: Sequence[int] = (),
        removing_replicas: Sequence[int] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.partition_index: Final = partition_index
        self.replicas: Final = replicas
        self.adding_replicas: Final = adding_replicas
        self.removing_replicas: Final = removing_replicas
        self.unknown_tags = unknown_tags


class OngoingTopicReassignment(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: str = "",
        partitions: Sequence[OngoingPartitionReassignment] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.partitions: Final = partitions
        self.unknown_tags = unknown_tags


class ListPartitionReassignmentsResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message", "topics")

    SCHEMA: ClassVar = MessageSchema(
        "ListPartitionReassignmentsResponse",
        Versions(0, 0),
        ALWAYS,
        (
            Field("throttle_time_ms", "int32", default=0),
            Field("error_code", "int16", default=0),
            Field("error_message", "string", nullable=ALWAYS, default=""),
            Field("topics", "OngoingTopicReassignment", array=True, default=()),
        ),
        (
            StructSchema(
                "OngoingPartitionReassignment",
                (
                    Field("partition_index", "int32", default=0),
                    Field("replicas", "int32", array=True, default=()),
                    Field("adding_replicas", "int32", array=True, default=()),
                    Field("removing_replicas", "int32", array=True, default=()),
                ),
            ),
            StructSchema(
                "OngoingTopicReassignment",
                (
                    Field("name", "string", default=""),
                    Field("partitions", "OngoingPartitionReassignment", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"OngoingPartitionReassignment": OngoingPartitionReassignment, "OngoingTopicReassignment": OngoingTopicReassignment}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        topics: Sequence[OngoingTopicReassignment] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.topics: Final = topics
        self.unknown_tags = unknown_tags
