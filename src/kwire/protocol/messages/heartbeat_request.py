"""HeartbeatRequest: API key 12, versions 0-4, flexible 4+.

Generated from protocol_specs/012_heartbeat.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, Tags, Versions


class HeartbeatRequest(Message):
    __slots__ = ("group_id", "generation_id", "member_id", "group_instance_id")

    SCHEMA: ClassVar = MessageSchema(
        "HeartbeatRequest",
        Versions(0, 4),
        Versions(4, LATEST),
        (
            Field("group_id", "string", default=""),
            Field("generation_id", "int32", default=0),
            Field("member_id", "string", default=""),
            Field("group_instance_id", "string", versions=Versions(3, LATEST), nullable=Versions(3, LATEST)),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {}

    def __init__(
        self,
        group_id: str = "",
        generation_id: int = 0,
        member_id: str = "",
        group_instance_id: str | None = None,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.group_id: Final = group_id
        self.generation_id: Final = generation_id
        self.member_id: Final = member_id
        self.group_instance_id: Final = group_instance_id
        self.unknown_tags = unknown_tags
