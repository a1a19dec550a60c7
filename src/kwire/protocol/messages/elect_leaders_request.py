"""ElectLeadersRequest: API key 43, versions 0-2, flexible 2+.

Generated from protocol_specs/043_elect_leaders.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class TopicPartitions(Struct):
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


class ElectLeadersRequest(Message):
    __slots__ = ("election_type", "topic_partitions", "timeout_ms")

    SCHEMA: ClassVar = MessageSchema(
        "ElectLeadersRequest",
        Versions(0, 2),
        Versions(2, LATEST),
        (
            Field("election_type", "int8", versions=Versions(1, LATEST), default=0),
            Field("topic_partitions", "TopicPartitions", array=True, nullable=ALWAYS, default=()),
            Field("timeout_ms", "int32", default=60000),
        ),
        (
            StructSchema(
                "TopicPartitions",
                (
                    Field("topic", "string", default="", key=True),
                    Field("partitions", "int32", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"TopicPartitions": TopicPartitions}

    def __init__(
        self,
        election_type: int = 0,
        topic_partitions: Sequence[TopicPartitions] | None = (),
        timeout_ms: int = 60000,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.election_type: Final = election_type
        self.topic_partitions: Final = topic_partitions
        self.timeout_ms: Final = timeout_ms
        self.unknown_tags = unknown_tags
