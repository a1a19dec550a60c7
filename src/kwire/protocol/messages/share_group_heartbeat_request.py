"""ShareGroupHeartbeatRequest: API key 76, versions 1, flexible 1+.

Generated from protocol_specs/076_share_group_heartbeat.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import ALWAYS, Field, LATEST, Message, MessageSchema, Struct, Tags, Versions


class ShareGroupHeartbeatRequest(Message):
    __slots__ = ("group_id", "member_id", "member_epoch", "rack_id", "subscribed_topic_names")

    SCHEMA: ClassVar = MessageSchema(
        "ShareGroupHeartbeatRequest",
        Versions(1, 1),
        Versions(1, LATEST),
        (
            Field("group_id", "string", default=""),
            Field("member_id", "string", default=""),
            Field("member_epoch", "int32", default=0),
            Field("rack_id", "string", nullable=ALWAYS),
            Field("subscribed_topic_names", "string", array=True, nullable=ALWAYS),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        group_id: str = "",
        member_id: str = "",
        member_epoch: int = 0,
        rack_id: str | None = None,
        subscribed_topic_names: Sequence[str] | None = None,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.group_id: Final = group_id
        self.member_id: Final = member_id
        self.member_epoch: Final = member_epoch
        self.rack_id: Final = rack_id
        self.subscribed_topic_names: Final = subscribed_topic_names
        self.unknown_tags = unknown_tags
