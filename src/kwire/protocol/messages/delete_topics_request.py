"""DeleteTopicsRequest: API key 20, versions 1-6, flexible 4+.

Generated from protocol_specs/020_delete_topics.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions, ZERO_UUID


class DeleteTopicState(Struct):
    __slots__ = ("name", "topic_id")

    def __init__(
        self,
        name: str | None = None,
        topic_id: bytes = ZERO_UUID,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.topic_id: Final = topic_id
        self.unknown_tags = unknown_tags


class DeleteTopicsRequest(Message):
    __slots__ = ("topics", "topic_names", "timeout_ms")

    SCHEMA: ClassVar = MessageSchema(
        "DeleteTopicsRequest",
        Versions(1, 6),
        Versions(4, LATEST),
        (
            Field("topics", "DeleteTopicState", array=True, versions=Versions(6, LATEST), default=()),
            Field("topic_names", "string", array=True, versions=Versions(1, 5), default=(), ignorable=True),
            Field("timeout_ms", "int32", default=0),
        ),
        (
            StructSchema(
                "DeleteTopicState",
                (
                    Field("name", "string", nullable=ALWAYS),
                    Field("topic_id", "uuid", default=ZERO_UUID),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"DeleteTopicState": DeleteTopicState}

    def __init__(
        self,
        topics: Sequence[DeleteTopicState] = (),
        topic_names: Sequence[str] = (),
        timeout_ms: int = 0,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topics: Final = topics
        self.topic_names: Final = topic_names
        self.timeout_ms: Final = timeout_ms
        self.unknown_tags = unknown_tags
