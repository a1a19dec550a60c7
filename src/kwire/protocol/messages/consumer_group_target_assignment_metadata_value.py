"""ConsumerGroupTargetAssignmentMetadataValue: record type 6, versions 0, flexible 0+.

Generated from protocol_specs/record_consumer_group_target_assignment_metadata.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, Tags, Versions


class ConsumerGroupTargetAssignmentMetadataValue(Message):
    __slots__ = ("assignment_epoch", "assignment_timestamp")

    SCHEMA: ClassVar = MessageSchema(
        "ConsumerGroupTargetAssignmentMetadataValue",
        Versions(0, 0),
        ALWAYS,
        (
            Field("assignment_epoch", "int32", default=0),
            Field("assignment_timestamp", "int64", tag=0, default=0, ignorable=True),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        assignment_epoch: int = 0,
        assignment_timestamp: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.assignment_epoch: Final = assignment_epoch
        self.assignment_timestamp: Final = assignment_timestamp
        self.unknown_tags = unknown_tags
