"""ConsumerGroupTargetAssignmentMemberValue: record type 7, versions 0, flexible 0+.

Generated from protocol_specs/record_consumer_group_target_assignment_member.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, StructSchema, Tags, Versions, ZERO_UUID


class TopicPartition(Struct):
    __slots__ = ("topic_id", "partitions")

    def __init__(
        self,
        topic_id: bytes = ZERO_UUID,
        partitions: Sequence[int] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topic_id: Final = topic_id
        self.partitions: Final = partitions
        self.unknown_tags = unknown_tags


class ConsumerGroupTargetAssignmentMemberValue(Message):
    __slots__ = ("topic_partitions",)

    SCHEMA: ClassVar = MessageSchema(
        "ConsumerGroupTargetAssignmentMemberValue",
        Versions(0, 0),
        ALWAYS,
        (
            Field("topic_partitions", "TopicPartition", array=True, default=()),
        ),
        (
            StructSchema(
                "TopicPartition",
                (
                    Field("topic_id", "uuid", default=ZERO_UUID),
                    Field("partitions", "int32", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"TopicPartition": TopicPartition}

    def __init__(
        self,
        topic_partitions: Sequence[TopicPartition] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topic_partitions: Final = topic_partitions
        self.unknown_tags = unknown_tags
