"""JoinGroupRequest: API key 11, versions 0-9, flexible 6+.

Generated from protocol_specs/011_join_group.kspec by `make generate`; do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from kwire.protocol.schema import Field, LATEST, Message, MessageSchema, Struct, StructSchema, Tags, Versions


class JoinGroupRequestProtocol(Struct):
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


class JoinGroupRequest(Message):
    __slots__ = ("group_id", "session_timeout_ms", "rebalance_timeout_ms", "member_id", "group_instance_id", "protocol_type", "protocols", "reason")

    SCHEMA: ClassVar = MessageSchema(
        "JoinGroupRequest",
        Versions(0, 9),
        Versions(6, LATEST),
        (
            Field("group_id", "string", default=""),
            Field("session_timeout_ms", "int32", default=0),
            Field("rebalance_timeout_ms", "int32", versions=Versions(1, LATEST), default=-1, ignorable=True),
            Field("member_id", "string", default=""),
            Field("group_instance_id", "string", versions=Versions(5, LATEST), nullable=Versions(5, LATEST)),
            Field("protocol_type", "string", default=""),
            Field("protocols", "JoinGroupRequestProtocol", array=True, default=()),
            Field("reason", "string", versions=Versions(8, LATEST), nullable=Versions(8, LATEST), ignorable=True),
        ),
        (
            StructSchema(
                "JoinGroupRequestProtocol",
                (
                    Field("name", "string", default="", key=True),
                    Field("metadata", "bytes", default=b''),
                ),
            ),
        ),
    )
    STRUCTS: ClassVar[dict[str, type[Struct]]] = {"JoinGroupRequestProtocol": JoinGroupRequestProtocol}

    def __init__(
        self,
        group_id: str = "",
        session_timeout_ms: int = 0,
        rebalance_timeout_ms: int = -1,
        member_id: str = "",
        group_instance_id: str | None = None,
        protocol_type: str = "",
        protocols: Sequence[JoinGroupRequestProtocol] = (),
        reason: str | None = None,
        unknown_tags: Tags | None = None,
    ) -> None:
        self.group_id: Final = group_id
        self.session_timeout_ms: Final = session_timeout_ms
        self.rebalance_timeout_ms: Final = rebalance_timeout_ms
        self.member_id: Final = member_id
        self.group_instance_id: Final = group_instance_id
        self.protocol_type: Final = protocol_type
        self.protocols: Final = protocols
        self.reason: Final = reason
        self.unknown_tags = unknown_tags
