"""ConsumerGroupMemberMetadataValue: record type 5, versions 0, flexible 0+.

Generated from protocol_specs/record_consumer_group_member_metadata.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class ClassicProtocol(Struct):
    __slots__ = ("name", "metadata")

    def __init__(
        self,
        name: str = "",
        metadata: bytes = b'',
        unknown_tags: Tags | None = None,
    ) -> None:
        self.name: Final = name
        self.metadata: Final = metadata
        self.unknown_tags = unknown_tags


class ClassicMemberMetadata(Struct):
    __slots__ = ("session_timeout_ms", "supported_protocols")

    def __init__(
        self,
        session_timeout_ms: int = 0,
        supported_protocols: Sequence[ClassicProtocol] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.session_timeout_ms: Final = session_timeout_ms
        self.supported_protocols: Final = supported_protocols
        self.unknown_tags = unknown_tags


ClassicMemberMetadata.DEFAULT = ClassicMemberMetadata()


class ConsumerGroupMemberMetadataValue(Message):
    __slots__ = ("instance_id", "rack_id", "client_id", "client_host", "subscribed_topic_names", "subscribed_topic_regex", "rebalance_timeout_ms", "server_assignor", "classic_member_metadata")

    SCHEMA: ClassVar = MessageSchema(
        "ConsumerGroupMemberMetadataValue",
        Versions(0, 0),
        ALWAYS,
        (
            Field("instance_id", "string", nullable=ALWAYS, default=""),
            Field("rack_id", "string", nullable=ALWAYS, default=""),
            Field("client_id", "string", default=""),
            Field("client_host", "string", default=""),
            Field("subscribed_topic_names", "string", array=True, default=()),
            Field("subscribed_topic_regex", "string", nullable=ALWAYS, default=""),
            Field("rebalance_timeout_ms", "int32", default=-1),
            Field("server_assignor", "string", nullable=ALWAYS, default=""),
            Field("classic_member_metadata", "ClassicMemberMetadata", nullable=ALWAYS, tag=0, default=...),
        ),
        (
            StructSchema(
                "ClassicProtocol",
                (
                    Field("name", "string", default=""),
                    Field("metadata", "bytes", default=b''),
                ),
            ),
            StructSchema(
                "ClassicMemberMetadata",
                (
                    Field("session_timeout_ms", "int32", default=0),
                    Field("supported_protocols", "ClassicProtocol", array=True, default=()),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"ClassicProtocol": ClassicProtocol, "ClassicMemberMetadata": ClassicMemberMetadata}

    def __init__(
        self,
        instance_id: str | None = "",
        rack_id: str | None = "",
        client_id: str = "",
        client_host: str = "",
        subscribed_topic_names: Sequence[str] = (),
        subscribed_topic_regex: str | None = "",
        rebalance_timeout_ms: int = -1,
        server_assignor: str | None = "",
        classic_member_metadata: ClassicMemberMetadata | None = ClassicMemberMetadata.DEFAULT,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.instance_id: Final = instance_id
        self.rack_id: Final = rack_id
        self.client_id: Final = client_id
        self.client_host: Final = client_host
        self.subscribed_topic_names: Final = subscribed_topic_names
        self.subscribed_topic_regex: Final = subscribed_topic_regex
        self.rebalance_timeout_ms: Final = rebalance_timeout_ms
        self.server_assignor: Final = server_assignor
        self.classic_member_metadata: Final = classic_member_metadata
        self.unknown_tags = unknown_tags
