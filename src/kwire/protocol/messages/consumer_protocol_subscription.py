"""ConsumerProtocolSubscription: versions 0-3.

Generated from protocol_specs/consumer_protocol.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, NEVER, Struct, StructSchema, Tags, Versions


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


class ConsumerProtocolSubscription(Message):
    __slots__ = ("topics", "user_data", "owned_partitions", "generation_id", "rack_id")

    SCHEMA: ClassVar = MessageSchema(
        "ConsumerProtocolSubscription",
        Versions(0, 3),
        NEVER,
        (
            Field("topics", "string", array=True, default=()),
            Field("user_data", "bytes", nullable=ALWAYS),
            Field("owned_partitions", "TopicPartition", array=True, versions=Versions(1, LATEST), default=(), ignorable=True),
            Field("generation_id", "int32", versions=Versions(2, LATEST), default=-1, ignorable=True),
            Field("rack_id", "string", versions=Versions(3, LATEST), nullable=Versions(3, LATEST), ignorable=True),
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
        topics: Sequence[str] = (),
        user_data: bytes | None = None,
        owned_partitions: Sequence[TopicPartition] = (),
        generation_id: int = -1,
        rack_id: str | None = None,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topics: Final = topics
        self.user_data: Final = user_data
        self.owned_partitions: Final = owned_partitions
        self.generation_id: Final = generation_id
        self.rack_id: Final = rack_id
        self.unknown_tags = unknown_tags
