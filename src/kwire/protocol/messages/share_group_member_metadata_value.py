"""ShareGroupMemberMetadataValue: record type 10, versions 0, flexible 0+.

Generated from protocol_specs/record_share_group_member_metadata.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, Message, MessageSchema, Struct, Tags, Versions


class ShareGroupMemberMetadataValue(Message):
    __slots__ = ("rack_id", "client_id", "client_host", "subscribed_topic_names")

    SCHEMA: ClassVar = MessageSchema(
        "ShareGroupMemberMetadataValue",
        Versions(0, 0),
        ALWAYS,
        (
            Field("rack_id", "string", nullable=ALWAYS, default=""),
            Field("client_id", "string", default=""),
            Field("client_host", "string", default=""),
            Field("subscribed_topic_names", "string", array=True, default=()),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        rack_id: str | None = "",
        client_id: str = "",
        client_host: str = "",
        subscribed_topic_names: Sequence[str] = (),
        unknown_tags: Tags | None = None,
    ) -> None:
        self.rack_id: Final = rack_id
        self.client_id: Final = client_id
        self.client_host: Final = client_host
        self.subscribed_topic_names: Final = subscribed_topic_names
        self.unknown_tags = unknown_tags
