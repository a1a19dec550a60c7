"""ConsumerGroupCurrentMemberAssignmentValue: record type 8, versions 0, flexible 0+.

Generated from protocol_specs/record_consumer_group_current_member_assignment.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, StructSchema, Tags, Versions, ZERO_UUID


class TopicPartitions(Struct):
    __slots__ = ("topic_id", "partitions", "assignment_epochs")

    def __init__(
        self,
        topic_id: bytes = ZERO_UUID,
        partitions: Sequence[int] = (),
        assignment_epochs: Sequence[int] | None = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topic_id: Final = topic_id
        self.partitions: Final = partitions
        self.assignment_epochs: Final = assignment_epochs
        self.unknown_tags = unknown_tags


class ConsumerGroupCurrentMemberAssignmentValue(Message):
    __slots__ = ("member_epoch", "previous_member_epoch", "state", "assigned_partitions", "partitions_pending_revocation")

    SCHEMA: ClassVar = MessageSchema(
        "ConsumerGroupCurrentMemberAssignmentValue",
        Versions(0, 0),
        ALWAYS,
        (
            Field("member_epoch", "int32", default=0),
            Field("previous_member_epoch", "int32", default=0),
            Field("state", "int8", default=0),
            Field("assigned_partitions", "TopicPartitions", array=True, default=()),
            Field("partitions_pending_revocation", "TopicPartitions", array=True, default=()),
        ),
        (
            StructSchema(
                "TopicPartitions",
                (
                    Field("topic_id", "uuid", default=ZERO_UUID),
                    Field("partitions", "int32", array=True, default=()),
                    Field("assignment_epochs", "int32", array=True, nullable=ALWAYS, tag=0, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"TopicPartitions": TopicPartitions}

    def __init__(
        self,
        member_epoch: int = 0,
        previous_member_epoch: int = 0,
        state: int = 0,
        assigned_partitions: Sequence[TopicPartitions] = (),
        partitions_pending_revocation: Sequence[TopicPartitions] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.member_epoch: Final = member_epoch
        self.previous_member_epoch: Final = previous_member_epoch
        self.state: Final = state
        self.assigned_partitions: Final = assigned_partitions
        self.partitions_pending_revocation: Final = partitions_pending_revocation
        self.unknown_tags = unknown_tags
