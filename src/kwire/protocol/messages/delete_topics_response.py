"""DeleteTopicsResponse: API key 20, versions 1-6, flexible 4+.

Generated from protocol_specs/020_delete_topics.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions, ZERO_UUID


class DeletableTopicResult(Struct):
    __slots__ = ("name", "topic_id", "error_code", "error_message")

    def __init__(
        self,
        name: str | None = "",
        topic_id: bytes = ZERO_UUID,
        error_code: int = 0,
        error_message: str | None = None,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.topic_id: Final = topic_id
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.unknown_tags = unknown_tags


class DeleteTopicsResponse(Message):
    __slots__ = ("throttle_time_ms", "responses")

    SCHEMA: ClassVar = MessageSchema(
        "DeleteTopicsResponse",
        Versions(1, 6),
        Versions(4, LATEST),
        (
            Field("throttle_time_ms", "int32", default=0, ignorable=True),
            Field("responses", "DeletableTopicResult", array=True, default=()),
        ),
        (
            StructSchema(
                "DeletableTopicResult",
                (
                    Field("name", "string", nullable=Versions(6, LATEST), default="", key=True),
                    Field("topic_id", "uuid", versions=Versions(6, LATEST), default=ZERO_UUID, ignorable=True),
                    Field("error_code", "int16", default=0),
                    Field("error_message", "string", versions=Versions(5, LATEST), nullable=Versions(5, LATEST), ignorable=True),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"DeletableTopicResult": DeletableTopicResult}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        responses: Sequence[DeletableTopicResult] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.responses: Final = responses
        self.unknown_tags = unknown_tags
