"""DeleteShareGroupOffsetsRequest: API key 92, versions 0, flexible 0+.

Generated from protocol_specs/092_delete_share_group_offsets.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class DeleteShareGroupOffsetsRequestTopic(Struct):
    __slots__ = ("topic_name",)

    def __init__(
        self,
        topic_name: str = "",
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topic_name: Final = topic_name
        self.unknown_tags = unknown_tags


class DeleteShareGroupOffsetsRequest(Message):
    __slots__ = ("group_id", "topics")

    SCHEMA: ClassVar = MessageSchema(
        "DeleteShareGroupOffsetsRequest",
        Versions(0, 0),
        ALWAYS,
        (
            Field("group_id", "string", default=""),
            Field("topics", "DeleteShareGroupOffsetsRequestTopic", array=True, default=()),
        ),
        (
            StructSchema(
                "DeleteShareGroupOffsetsRequestTopic",
                (
                    Field("topic_name", "string", default=""),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"DeleteShareGroupOffsetsRequestTopic": DeleteShareGroupOffsetsRequestTopic}

    def __init__(
        self,
        group_id: str = "",
        topics: Sequence[DeleteShareGroupOffsetsRequestTopic] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.group_id: Final = group_id
        self.topics: Final = topics
        self.unknown_tags = unknown_tags
