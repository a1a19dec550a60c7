"""ConsumerProtocolAssignment: versions 0-3.

Generated from protocol_specs/consumer_protocol.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, NEVER, Struct, StructSchema, Tags, Versions


class TopicPartition(Struct):
    __slots__ = ("topic", "partitions")

    def __init__(
        self,
        topic: str = "",
        partitions: Sequence[int] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topic: Final = topic
        self.partitions: Final = partitions
        self.unknown_tags = unknown_tags


class ConsumerProtocolAssignment(Message):
    __slots__ = ("assigned_partitions", "user_data")

    SCHEMA: ClassVar = MessageSchema(
        "ConsumerProtocolAssignment",
        Versions(0, 3),
        NEVER,
        (
            Field("assigned_partitions", "TopicPartition", array=True, default=()),
            Field("user_data", "bytes", nullable=ALWAYS),
        ),
        (
            StructSchema(
                "TopicPartition",
                (
                    Field("topic", "string", default="", key=True),
                    Field("partitions", "int32", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"TopicPartition": TopicPartition}

    def __init__(
        self,
        assigned_partitions: Sequence[TopicPartition] = (),
        user_data: bytes | None = None,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.assigned_partitions: Final = assigned_partitions
        self.user_data: Final = user_data
        self.unknown_tags = unknown_tags
