"""MetadataRequest: API key 3, versions 0-13, flexible 9+.

Generated from protocol_specs/003_metadata.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions, ZERO_UUID


class MetadataRequestTopic(Struct):
    __slots__ = ("topic_id", "name")

    def __init__(
        self,
        topic_id: bytes = ZERO_UUID,
        name: str | None = "",
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topic_id: Final = topic_id
        self.name: Final = name
        self.unknown_tags = unknown_tags


class MetadataRequest(Message):
    __slots__ = ("topics", "allow_auto_topic_creation", "include_cluster_authorized_operations", "include_topic_authorized_operations")

    SCHEMA: ClassVar = MessageSchema(
        "MetadataRequest",
        Versions(0, 13),
        Versions(9, LATEST),
        (
            Field("topics", "MetadataRequestTopic", array=True, nullable=Versions(1, LATEST), default=()),
            Field("allow_auto_topic_creation", "bool", versions=Versions(4, LATEST), default=True),
            Field("include_cluster_authorized_operations", "bool", versions=Versions(8, 10), default=False),
            Field("include_topic_authorized_operations", "bool", versions=Versions(8, LATEST), default=False),
        ),
        (
            StructSchema(
                "MetadataRequestTopic",
                (
                    Field("topic_id", "uuid", versions=Versions(10, LATEST), default=ZERO_UUID, ignorable=True),
                    Field("name", "string", nullable=Versions(10, LATEST), default=""),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"MetadataRequestTopic": MetadataRequestTopic}

    def __init__(
        self,
        topics: Sequence[MetadataRequestTopic] | None = (),
        allow_auto_topic_creation: bool = True,
        include_cluster_authorized_operations: bool = False,
        include_topic_authorized_operations: bool = False,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.topics: Final = topics
        self.allow_auto_topic_creation: Final = allow_auto_topic_creation
        self.include_cluster_authorized_operations: Final = include_cluster_authorized_operations
        self.include_topic_authorized_operations: Final = include_topic_authorized_operations
        self.unknown_tags = unknown_tags
