"""ListPartitionReassignmentsRequest: API key 46, versions 0, flexible 0+.

Generated from protocol_specs/046_list_partition_reassignments.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class ListPartitionReassignmentsTopics(Struct):
    __slots__ = ("name", "partition_indexes")

    def __init__(
        self,
        name: str = "",
        partition_indexes: Sequence[int] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.partition_indexes: Final = partition_indexes
        self.unknown_tags = unknown_tags


class ListPartitionReassignmentsRequest(Message):
    __slots__ = ("timeout_ms", "topics")

    SCHEMA: ClassVar = MessageSchema(
        "ListPartitionReassignmentsRequest",
        Versions(0, 0),
        ALWAYS,
        (
            Field("timeout_ms", "int32", default=60000),
            Field("topics", "ListPartitionReassignmentsTopics", array=True, nullable=ALWAYS),
        ),
        (
            StructSchema(
                "ListPartitionReassignmentsTopics",
                (
                    Field("name", "string", default=""),
                    Field("partition_indexes", "int32", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"ListPartitionReassignmentsTopics": ListPartitionReassignmentsTopics}

    def __init__(
        self,
        timeout_ms: int = 60000,
        topics: Sequence[ListPartitionReassignmentsTopics] | None = None,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.timeout_ms: Final = timeout_ms
        self.topics: Final = topics
        self.unknown_tags = unknown_tags
