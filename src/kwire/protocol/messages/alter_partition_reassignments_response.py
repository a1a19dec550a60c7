"""AlterPartitionReassignmentsResponse: API key 45, versions 0-1, flexible 0+.

Generated from protocol_specs/045_alter_partition_reassignments.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class ReassignablePartitionResponse(Struct):
    __slots__ = ("partition_index", "error_code", "error_message")

    def __init__(
        self,
        partition_index: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        unknown_tags: Tags | None = None,
    ) -> None:
        self.partition_index: Final = partition_index
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.unknown_tags = unknown_tags


class ReassignableTopicResponse(Struct):
    __slots__ = ("name", "partitions")

    def __init__(
        self,
        name: str = "",
        partitions: Sequence[ReassignablePartitionResponse] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.partitions: Final = partitions
        self.unknown_tags = unknown_tags


class AlterPartitionReassignmentsResponse(Message):
    __slots__ = ("throttle_time_ms", "allow_replication_factor_change", "error_code", "error_message", "responses")

    SCHEMA: ClassVar = MessageSchema(
        "AlterPartitionReassignmentsResponse",
        Versions(0, 1),
        ALWAYS,
        (
            Field("throttle_time_ms", "int32", default=0),
            Field("allow_replication_factor_change", "bool", versions=Versions(1, LATEST), default=True, ignorable=True),
            Field("error_code", "int16", default=0),
            Field("error_message", "string", nullable=ALWAYS, default=""),
            Field("responses", "ReassignableTopicResponse", array=True, default=()),
        ),
        (
            StructSchema(
                "ReassignablePartitionResponse",
                (
                    Field("partition_index", "int32", default=0),
                    Field("error_code", "int16", default=0),
                    Field("error_message", "string", nullable=ALWAYS, default=""),
                ),
            ),
            StructSchema(
                "ReassignableTopicResponse",
                (
                    Field("name", "string", default=""),
                    Field("partitions", "ReassignablePartitionResponse", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"ReassignablePartitionResponse": ReassignablePartitionResponse, "ReassignableTopicResponse": ReassignableTopicResponse}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        allow_replication_factor_change: bool = True,
        error_code: int = 0,
        error_message: str | None = "",
        responses: Sequence[ReassignableTopicResponse] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.allow_replication_factor_change: Final = allow_replication_factor_change
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.responses: Final = responses
        self.unknown_tags = unknown_tags
