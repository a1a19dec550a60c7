"""DeleteShareGroupOffsetsResponse: API key 92, versions 0, flexible 0+.

Generated from protocol_specs/092_delete_share_group_offsets.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, StructSchema, Tags, Versions, ZERO_UUID


class DeleteShareGroupOffsetsResponseTopic(Struct):
    __slots__ = ("topic_name", "topic_id", "error_code", "error_message")

    def __init__(
        self,
        topic_name: str = "",
        topic_id: bytes = ZERO_UUID,
        error_code: int = 0,
        error_message: str | None = None,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topic_name: Final = topic_name
        self.topic_id: Final = topic_id
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.unknown_tags = unknown_tags


class DeleteShareGroupOffsetsResponse(Message):
    __slots__ = ("throttle_time_ms", "error_code", "error_message", "responses")

    SCHEMA: ClassVar = MessageSchema(
        "DeleteShareGroupOffsetsResponse",
        Versions(0, 0),
        ALWAYS,
        (
            Field("throttle_time_ms", "int32", default=0),
            Field("error_code", "int16", default=0),
            Field("error_message", "string", nullable=ALWAYS),
            Field("responses", "DeleteShareGroupOffsetsResponseTopic", array=True, default=()),
        ),
        (
            StructSchema(
                "DeleteShareGroupOffsetsResponseTopic",
                (
                    Field("topic_name", "string", default=""),
                    Field("topic_id", "uuid", default=ZERO_UUID),
                    Field("error_code", "int16", default=0),
                    Field("error_message", "string", nullable=ALWAYS),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"DeleteShareGroupOffsetsResponseTopic": DeleteShareGroupOffsetsResponseTopic}

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        responses: Sequence[DeleteShareGroupOffsetsResponseTopic] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.responses: Final = responses
        self.unknown_tags = unknown_tags
